# SPDX-License-Identifier: MIT
"""Clash detection: all pairs of the parts of an assembly that share a point, or that are closer than a clearance.

>>> import graze, graze.clash
>>> box = graze.make.box()
>>> parts = [graze.clash.Part(f"box {i}", box, graze.Pose([0.75 * i, 0, 0])) for i in range(4)]
>>> found = graze.clash.check(parts, clearance=0.6)
>>> [(found.name(row["a"]), found.name(row["b"]), found.kind(row).name) for row in found.rows]
[('box 0', 'box 1', 'overlap'), ('box 0', 'box 2', 'near'), ('box 1', 'box 2', 'overlap'), ('box 1', 'box 3', 'near'), ('box 2', 'box 3', 'overlap')]
>>> found.rows["distance"].tolist()
[0.0, 0.5, 0.0, 0.5, 0.0]

``graze clash`` asks the same on the command line, from files.
"""
import datetime
import json
import os
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _graze
from ._enums import ClashKind, ErrorCode, Status
from ._errors import Error
from ._progress import Bar
from ._types import Cancel, MeshLike, PathLike, PoseLike, Progress, Seconds

__all__ = ["ClashKind", "Part", "Result", "Rule", "Unanswered", "check"]


class Part(NamedTuple):
    """A mesh at a place. Parts with the same mesh object, or the same file, share one tree."""

    name: str
    mesh: Union[MeshLike, PathLike]  #: a mesh, or a file that is read when it is needed
    pose: PoseLike = None
    group: str = ""  #: what it belongs to: a storey, a trade
    guid: str = ""  #: for exchange with other programs


class Rule(NamedTuple):
    """What holds for pairs of certain parts, of which one must match ``a`` and the other ``b``.

    A pattern is compared with the whole name; ``*``, ``?``, ``[abc]`` and ``[!a]`` stand for other characters. After an
    ``@`` it is compared with the group. The first rule that fits a pair decides about it.
    """

    a: str = "*"
    b: str = "*"
    ignore: bool = False  #: the pair is not asked
    clearance: Optional[float] = None  #: instead of that of ``check``
    tolerance: Optional[float] = None


class Unanswered(NamedTuple):
    """A part or a pair without an answer, and why."""

    a: int
    b: Optional[int]  #: None: part a could not be read, and no pair of it was asked
    error: Error


_FORMATS = {".csv": "csv", ".json": "json", ".bcf": "bcf", ".bcfzip": "bcf"}


def format_of(path: PathLike) -> str:
    end = os.path.splitext(os.fspath(path))[1].lower()
    if end not in _FORMATS:
        raise Error(f"{os.fspath(path)}: the end of the name says the format: one of {', '.join(_FORMATS)}", ErrorCode.unknown_format)
    return _FORMATS[end]


class Result:
    """The clashes of an assembly. It has no truth value: compare ``status``."""

    def __init__(self, parts: Sequence[Part], rows: Any, unanswered: Sequence[Unanswered], complete: bool, counts: Dict[str, int],
                 whole: bool = True) -> None:
        self.parts = parts  #: as they were given
        #: a row for each clash, sorted by (a, b): indices of parts, kind, contained, distance, depth, points, overlap (a box)
        #: and its volume
        self.rows = rows
        self.unanswered = unanswered  #: sorted by (a, b), parts before pairs
        self.complete = complete  #: every pair was asked and answered
        self._whole = whole  # no limit ended the run: what is not among the rows is no clash, or unanswered
        self.counts = counts  #: near_pairs, ignored_pairs, asked_pairs, built (trees), most_bytes

    @property
    def status(self) -> Status:
        """``contact``: there are clashes. ``free``: certified, there are none. Else ``undecided``."""
        if len(self.rows):
            return Status.contact
        return Status.free if self.complete else Status.undecided

    def name(self, part: int) -> str:
        return self.parts[part].name

    def kind(self, row: Any) -> ClashKind:
        return ClashKind(int(row["kind"]))

    def save(self, path: PathLike, *, unit: str = "m", metres: float = 1.0, date: Optional[datetime.datetime] = None,
             compare: Optional[PathLike] = None) -> None:
        """Writes what ``graze clash`` writes: CSV, JSON or BCF 2.1, by the end of the name (.csv, .json, .bcf, .bcfzip).

        ``unit`` is the name of the unit of all coordinates, and ``metres`` how many metres it is; nothing is converted,
        except for BCF. ``date`` is that of the topics of BCF; now, if it is not given. ``compare`` is an earlier report (JSON): the
        file then says what is new, still there, or gone. Parts are recognised by their GUIDs, or by their names if they have
        none. A clash of a part that is unanswered now is not gone: nothing is known of it.
        """
        kind = format_of(path)
        if not (metres > 0 and np.isfinite(metres)):
            raise Error(f"metres must be a positive number, not {metres}", element="option")
        number: Dict[Any, int] = {}
        parts = []
        for part in self.parts:
            file = os.fspath(part.mesh) if isinstance(part.mesh, (str, os.PathLike)) else ""
            geometry = number.setdefault(os.path.abspath(file) if file else id(part.mesh), len(number))
            parts.append((part.name, geometry, _graze.Pose(part.pose), part.group, part.guid, file))
        unanswered = [(u.a, u.b, u.error.code, u.error.message, u.error.file or "") for u in self.unanswered]
        moment = (date or datetime.datetime.now(datetime.timezone.utc)).astimezone(datetime.timezone.utc)
        text = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        data = _graze._clash_report(parts, self.rows, unanswered, self.complete, kind, unit, metres, text, self._whole,
                                    None if compare is None else _earlier(compare))
        with open(path, "wb") as file_out:
            file_out.write(data)

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        raise TypeError("a Result has no truth value, because undecided must not read as no; compare its status")

    def __repr__(self) -> str:
        tail = f", {len(self.unanswered)} unanswered" if self.unanswered else ""
        return f"Result({len(self.parts)} parts, {len(self.rows)} clashes{tail}, {self.status!r})"


def _earlier(path: PathLike) -> List[Tuple[str, str, str]]:
    """The clashes of a JSON report: what their parts are called, and the kind."""
    wrong = Error(f"{os.fspath(path)} is no report of clashes written as JSON", ErrorCode.bad_file, file=os.fspath(path))
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except OSError as error:
        raise Error(f"{os.fspath(path)} cannot be read: {error.strerror}", ErrorCode.file_not_found, file=os.fspath(path)) from error
    except ValueError:
        raise wrong from None
    if not isinstance(report, dict) or report.get("report") != "clash" or report.get("version") != 1:
        raise wrong
    try:
        keys = [part["guid"] or part["name"] for part in report["parts"]]
        return [(keys[c["a"]], keys[c["b"]], c["kind"]) for c in report["clashes"]]
    except (KeyError, IndexError, TypeError):
        raise wrong from None


class Assembly:
    """Parts, and the geometries that they share: what a checker is made of."""

    def __init__(self, parts: Iterable[Union[Part, PathLike]], weld: bool) -> None:
        self.parts = [p if isinstance(p, Part) else Part(os.path.basename(os.fspath(p)), p) for p in parts]
        self.weld = weld
        self.sources: List[Union[_graze.Mesh, str]] = []
        self.source_of: List[int] = []
        known: Dict[Any, int] = {}
        for part in self.parts:
            is_file = isinstance(part.mesh, (str, os.PathLike))
            given: Any = os.fspath(part.mesh) if is_file else id(part.mesh)  # type: ignore[arg-type]
            if given not in known:  # as it is written, perhaps one of several names of a file
                key = os.path.abspath(given) if is_file else given
                if key not in known:
                    known[key] = len(self.sources)
                    self.sources.append(key if isinstance(key, str) else self._mesh(part))
                known[given] = known[key]
            self.source_of.append(known[given])

    def _mesh(self, part: Part) -> _graze.Mesh:
        mesh = part.mesh if isinstance(part.mesh, _graze.Mesh) else _graze.Mesh(part.mesh)  # type: ignore[arg-type]
        return _graze.weld(mesh) if self.weld else mesh

    def checker_parts(self, boxes: Sequence[Any]) -> Tuple[List[Any], Tuple[Any, ...], List[int], List[Unanswered]]:
        """Geometries and parts (in columns) for a checker, which parts these are, and those that could not be read.

        ``boxes``: for each file its box, or the error that it gave.
        """
        geometries: List[Any] = []
        numbers: List[int] = []
        kept: List[int] = []
        unread: List[Unanswered] = []
        number: Dict[int, int] = {}
        for i, (part, source) in enumerate(zip(self.parts, self.source_of)):
            if isinstance(boxes[source], Error):
                unread.append(Unanswered(i, None, boxes[source]))
                continue
            if source not in number:
                number[source] = len(geometries)
                geometries.append((self.sources[source], self.weld, boxes[source]))
            numbers.append(number[source])
            kept.append(i)
        read = [self.parts[i] for i in kept]
        poses = _graze._pose_rows([part.pose for part in read])
        columns = ([p.name for p in read], np.array(numbers, np.uint32), poses, [p.group for p in read], [p.guid for p in read])
        return geometries, columns, kept, unread


NO_PARTS: Tuple[Any, ...] = ([], np.zeros(0, np.uint32), np.zeros((0, 7)), [], [])


def box_of(path: str, weld: bool) -> Any:
    """The box of a mesh file, or why it has none."""
    try:
        return _graze._mesh_box(path, weld)
    except Error as error:
        return error


def settings(*, clearance: float, tolerance: float, touching: bool, depth: bool, within_groups: bool, most: int, memory: int,
             threads: int, work: int, budget: Seconds, cancel: Cancel) -> Dict[str, Any]:
    return dict(clearance=clearance, tolerance=tolerance, touching=touching, depth=depth, within_groups=within_groups, most=most,
                memory=memory, threads=threads, work=work, budget=budget, cancel=cancel)


def unanswered_of(found: Sequence[Any], kept: Sequence[int]) -> Iterator[Unanswered]:
    for a, b, (code, message, element, number, file, line) in found:
        error = Error(message if file is None else f"{file}: {message}", code, message, element, number, file, line)
        yield Unanswered(kept[a], None if b is None else kept[b], error)


def order_of(entry: Unanswered) -> Tuple[int, int]:
    return entry.a, -1 if entry.b is None else entry.b


def renamed(rows: Any, kept: Sequence[int]) -> Any:
    """Indices of the parts as they were given."""
    if len(rows):
        index = np.asarray(kept, dtype=rows.dtype["a"])
        rows["a"], rows["b"] = index[rows["a"]], index[rows["b"]]
    return rows


def check(
    parts: Iterable[Union[Part, PathLike]],
    *,
    clearance: float = 0.0,
    tolerance: float = 0.0,
    touching: bool = True,
    depth: bool = False,
    within_groups: bool = True,
    rules: Sequence[Rule] = (),
    most: int = 0,
    memory: int = 0,
    weld: bool = False,
    threads: int = 1,
    work: int = 0,
    budget: Seconds = None,
    cancel: Cancel = None,
    progress: Progress = None,
) -> Result:
    """All clashes of parts: ``Part``, or paths of mesh files.

    ``clearance`` above 0 also reports pairs that are at most this far apart, decided exactly. A pair that some translation
    by at most ``tolerance`` is certified to part counts as ``touching``, and ``touching=False`` leaves these out. ``depth``
    measures how deep parts overlap. ``within_groups=False`` compares no parts of one group, ``rules`` say more. ``most``
    clashes end the run. At most ``memory`` bytes of meshes and trees are kept for later pairs (0: no limit). ``weld`` merges
    equal vertices, as solids from STL files need. A file that cannot be read is ``unanswered``, and the rest goes on.
    ``work`` limits each pair; ``budget`` and ``cancel`` limit the run.

    >>> import graze, graze.clash
    >>> ball = graze.make.sphere(triangles=500)
    >>> parts = [graze.clash.Part("a", ball), graze.clash.Part("b", ball, graze.Pose([0.1, 0, 0])), graze.clash.Part("c", ball)]
    >>> graze.clash.check(parts, rules=[graze.clash.Rule("a", "b", ignore=True)])
    Result(3 parts, 2 clashes, Status.contact)
    """
    assembly = Assembly(parts, weld)
    boxes = [box_of(s, weld) if isinstance(s, str) else None for s in assembly.sources]
    geometries, given, kept, unread = assembly.checker_parts(boxes)
    options = settings(clearance=clearance, tolerance=tolerance, touching=touching, depth=depth, within_groups=within_groups,
                       most=most, memory=memory, threads=threads, work=work, budget=budget, cancel=cancel)
    checker = _graze._ClashChecker(geometries, given, [tuple(rule) for rule in rules], **options)
    report: Optional[Callable[[int, int], object]] = Bar(checker.rows()) if progress is True else progress or None
    try:
        found = checker.run(0, checker.rows(), report)
    finally:
        if isinstance(report, Bar):
            report.close()
    unanswered = sorted([*unread, *unanswered_of(found["unanswered"], kept)], key=order_of)
    counts = {name: int(found[name]) for name in COUNTS}
    return Result(assembly.parts, renamed(found["rows"], kept), unanswered, bool(found["complete"]) and not unread, counts,
                  whole=int(found["done"]) == checker.rows())


COUNTS = ("near_pairs", "ignored_pairs", "asked_pairs", "built", "most_bytes")
