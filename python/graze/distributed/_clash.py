# SPDX-License-Identifier: MIT
"""``clash`` over many workers: rows of one checker, each asked once, wherever."""
import base64
import hashlib
import json
import os
import pickle
import threading
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from .. import _graze
from .._enums import ErrorCode
from .._errors import Error
from .._progress import Bar
from .._types import PathLike, Progress
from ..clash import (
    COUNTS,
    NO_PARTS,
    Assembly,
    Part,
    Result,
    Rule,
    Unanswered,
    box_of,
    format_of,
    order_of,
    renamed,
    settings,
    unanswered_of,
)
from ._client import session
from ._journal import Journal
from ._rows import fingerprint_of
from ._run import Spans, Task, run
from ._worker import file_state, same_version, threads_here

_MOST_FILES_IN_A_TASK = 64


def _boxes(version: str, paths: List[str], weld: bool) -> List[Any]:
    same_version(version)
    return [box_of(path, weld) for path in paths]


def _same(given: bytes) -> bytes:
    return given


class _Checkers:
    """The checker of the assembly that this worker was asked about last; its bodies are kept from task to task."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._key: Optional[str] = None
        self._checker: Any = None

    def get(self, key: str, pickled: bytes) -> Any:
        if self._key != key:
            self._checker = None
            geometries, parts, rules, options = pickle.loads(pickled)
            options["threads"] = threads_here()  # all: the others of this process wait for their turn
            self._checker = _graze._ClashChecker(geometries, parts, rules, budget=None, cancel=None, **options)
            self._key = key
        return self._checker


CHECKERS = _Checkers()


def _rows(version: str, key: str, pickled: bytes, first: int, last: int) -> bytes:
    """The rows [first, last), as the journal keeps them."""
    same_version(version)
    with CHECKERS.lock:
        found = CHECKERS.get(key, pickled).run(first, last, None)
    unanswered = [(a, b, (int(code), *rest)) for a, b, (code, *rest) in found["unanswered"]]
    return json.dumps(
        {
            "rows": base64.b64encode(found["rows"].tobytes()).decode(),
            "unanswered": unanswered,
            "complete": bool(found["complete"]),
            "counts": {name: int(found[name]) for name in COUNTS},
        }
    ).encode()


def clash(
    parts: Iterable[Union[Part, PathLike]],
    *,
    clearance: float = 0.0,
    tolerance: float = 0.0,
    touching: bool = True,
    depth: bool = False,
    within_groups: bool = True,
    rules: Sequence[Rule] = (),
    weld: bool = False,
    work: int = 0,
    out: Optional[PathLike] = None,
    client: Any = None,
    workers: Optional[int] = None,
    chunk: Optional[int] = None,
    memory: int = 1 << 30,
    progress: Progress = None,
) -> Result:
    """``graze.clash.check`` over many workers, with the same answer for any number of them.

    Files are read by the workers, and must have the same path everywhere. The parts are taken in the order of a plane that
    moves along the assembly; ``chunk`` of them are one task (of 32, but at least 64 parts and at most 1024, if it is not given),
    which compares each with the parts that the plane met before.
    So every pair is asked once, and a task needs the parts of one block of space. Each worker keeps at most ``memory`` bytes
    of meshes and trees, and reads others again from their files.

    ``out`` is a file for the clashes, sorted by parts, as ``Result.save`` writes it (.csv, .json, .bcf). Until it is complete ``OUT.journal`` and ``OUT.part`` hold what
    is done: the same call goes on from there. ``client``, ``workers`` and ``progress`` are those of ``collide_many``.
    """
    if out is not None:
        format_of(out)
    if chunk is not None and chunk < 1:
        raise Error(f"chunk must be at least 1, not {chunk}", element="option")
    assembly = Assembly(parts, weld)
    options = settings(clearance=clearance, tolerance=tolerance, touching=touching, depth=depth, within_groups=within_groups,
                       most=0, memory=memory, threads=1, work=work, budget=None, cancel=None)
    del options["budget"], options["cancel"]
    with session(client, workers) as dask:
        boxes = _all_boxes(dask, assembly)
        geometries, given, kept, unread = assembly.checker_parts(boxes)
        plain_rules = [tuple(rule) for rule in rules]
        # Made here too: options are checked before anything is sent.
        rows = _graze._ClashChecker(geometries, given, plain_rules, budget=None, cancel=None, **options).rows()
        # Not by the number of workers, so that a journal is gone on with by another number. A task costs milliseconds.
        chunk = chunk or min(max(rows // 32, 64), 1024)
        pickled = pickle.dumps((geometries, given, plain_rules, options), protocol=4)
        question = {**fingerprint_of(pickled, "clash"), "files": _files(assembly), "chunk": chunk}
        found = _Found(out, question)
        try:
            _ask(dask, pickled, rows, chunk, found, progress)
            result = found.result(assembly.parts, kept, unread)
            found.finish(result)
            return result
        finally:
            found.close()


def _files(assembly: Assembly) -> str:
    """Which files were read: a journal is not gone on with after one of them has changed."""
    digest = hashlib.sha256()
    for source in assembly.sources:
        if isinstance(source, str):
            try:
                state: Any = file_state(source)
            except OSError as error:
                state = error.errno
            digest.update(repr((source, state)).encode())
    return digest.hexdigest()


def _all_boxes(dask: Any, assembly: Assembly) -> List[Any]:
    boxes: List[Any] = [None] * len(assembly.sources)
    files = [i for i, source in enumerate(assembly.sources) if isinstance(source, str)]
    share = len(files) // (8 * max(1, sum(dask.nthreads().values())))  # so small that the workers end together
    size = min(max(1, share), _MOST_FILES_IN_A_TASK)
    groups = [files[i : i + size] for i in range(0, len(files), size)]

    def tasks() -> Iterator[Task]:
        for number, group in enumerate(groups):
            paths = [assembly.sources[i] for i in group]
            yield number, f"reading {paths[0]} and the next {len(paths) - 1} files", (_graze.__version__, paths, assembly.weld)

    def keep(number: int, answer: List[Any]) -> None:
        for i, box in zip(groups[number], answer):
            boxes[i] = box

    run(dask, tasks(), _boxes, keep)
    return boxes


def _ask(dask: Any, pickled: bytes, rows: int, chunk: int, found: "_Found", progress: Progress) -> None:
    bar: Any = Bar(rows) if progress is True else progress or None
    key = hashlib.sha256(pickled).hexdigest()
    # A task that gives the assembly back: Dask brings it to each worker once, and makes it again if the worker that had
    # it is lost.
    with warnings.catch_warnings():  # Dask would rather have large data scattered: then they are lost with their worker
        warnings.simplefilter("ignore")
        shared = dask.submit(_same, pickled, key="graze-assembly-" + key, pure=False)
    done = sum(min(rows, (n + 1) * chunk) - n * chunk for n in found.chunks)

    def task(number: int) -> Task:
        first, last = number * chunk, min(rows, (number + 1) * chunk)
        return number, f"the chunk of rows {first} to {last - 1}", (_graze.__version__, key, shared, first, last)

    def keep(number: int, answer: bytes) -> None:
        nonlocal done
        found.add(number, answer)
        done += min(rows, (number + 1) * chunk) - number * chunk
        if bar:
            bar(done, rows)

    try:
        if bar and done:
            bar(done, rows)
        # Each worker goes through one part of space, so that it reads and builds what is there, and not everything.
        run(dask, Spans([n for n in range(-(-rows // chunk)) if n not in found.chunks], task), _rows, keep)
    finally:
        if isinstance(bar, Bar):
            bar.close()


class _Found:
    """The answers of the chunks, in memory or in a journal."""

    def __init__(self, out: Optional[PathLike], question: Dict[str, Any]) -> None:
        self._out = None if out is None else os.path.abspath(os.fspath(out))
        self._journal = None if self._out is None else Journal(self._out + ".journal", self._out + ".part", question)
        self.chunks: Dict[int, Optional[bytes]] = {} if self._journal is None else dict.fromkeys(self._journal.done)

    def add(self, number: int, answer: bytes) -> None:
        if self._journal is not None:
            self._journal.add(number, None, answer)
        self.chunks[number] = answer if self._journal is None else None

    def result(self, parts: Sequence[Part], kept: Sequence[int], unread: Sequence[Unanswered]) -> Result:
        dtype = _graze._ClashChecker([], NO_PARTS, [], budget=None, cancel=None, **_DEFAULTS).run(0, 0, None)["rows"].dtype
        rows, complete = [np.zeros(0, dtype)], not unread
        unanswered = {order_of(entry): entry for entry in unread}
        counts = dict.fromkeys(COUNTS, 0)
        for number in sorted(self.chunks):
            held = self.chunks[number]
            answer = json.loads(held if held is not None else self._journal.bytes_of(number))  # type: ignore[union-attr]
            rows.append(np.frombuffer(base64.b64decode(answer["rows"]), dtype))
            complete = complete and answer["complete"]
            entries = [(a, b, (ErrorCode(code), *rest)) for a, b, (code, *rest) in answer["unanswered"]]
            for entry in unanswered_of(entries, kept):
                unanswered[order_of(entry)] = entry
            for name, count in answer["counts"].items():
                counts[name] = max(counts[name], count) if name == "most_bytes" else counts[name] + count
        together = renamed(np.concatenate(rows), kept)
        together = together[np.lexsort((together["b"], together["a"]))]
        return Result(parts, together, [unanswered[k] for k in sorted(unanswered)], complete, counts)

    def finish(self, result: Result) -> None:
        if self._journal is None or self._out is None:
            return
        root, end = os.path.splitext(self._out)
        result.save(root + ".new" + end)
        os.replace(root + ".new" + end, self._out)
        self._journal.finish()
        os.remove(self._out + ".part")

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()


_DEFAULTS: Dict[str, Any] = dict(clearance=0.0, tolerance=0.0, touching=True, depth=False, within_groups=True, most=0, memory=0,
                                 threads=1, work=0)
