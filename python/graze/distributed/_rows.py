# SPDX-License-Identifier: MIT
"""Batches: an array of millions of rows is asked in chunks, and written where they belong."""
import hashlib
import io
import os
import pickle
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .. import _graze, make
from .._errors import Error, Interrupted
from .._progress import Bar
from .._types import Progress
from ._client import session
from ._journal import Journal
from ._run import run
from ._worker import Source, ask_rows, asked, file_state


def source_of(given: Any, weld: bool = False) -> Source:
    """A body, a mesh or whatever a body is made from; or the path of a mesh file, which every worker reads itself."""
    if isinstance(given, (str, os.PathLike)):
        path = os.path.abspath(os.fspath(given))
        try:
            state = file_state(path)
        except OSError as error:
            raise Error(f"{path} cannot be read: {error.strerror}", file=path) from error
        return Source(repr((path, state, weld)), path, weld, None)
    body = given if isinstance(given, (_graze.Body, _graze.Robot)) else _graze.Body(given)
    data = pickle.dumps(body, protocol=4)
    return Source(hashlib.sha256(data).hexdigest(), None, False, data)


def column_of(given: Any, shapes: Tuple[Tuple[int, ...], ...]) -> Tuple[Any, Optional[int]]:
    """An array with a row for each question, and their number; or what stands for all rows."""
    if isinstance(given, (str, os.PathLike)):
        given = np.load(os.fspath(given), mmap_mode="r")
    if isinstance(given, (list, tuple)) and given and all(isinstance(x, _graze.Pose) for x in given):
        given = np.array([[*x.translation, *x.rotation] for x in given])
    if isinstance(given, (list, tuple)):
        try:
            array = np.asarray(given, dtype=float)
        except (TypeError, ValueError, OverflowError):
            return given, None  # (translation, rotation): one pose
        if array.shape[1:] in shapes and not _is_exact(given):
            raise TypeError("rows must be numbers that a double holds exactly, and not bool: numpy would turn them into others")
        given = array
    if isinstance(given, np.ndarray) and given.shape[1:] in shapes:
        return given, len(given)
    return given, None


def _is_exact(given: Any) -> bool:
    """Do these lists of numbers stay what they are in an array of doubles?"""
    if isinstance(given, (list, tuple)):
        return all(map(_is_exact, given))
    if isinstance(given, (bool, np.bool_)):
        return False
    if isinstance(given, int):
        return bool(float(given) == given)
    return np.asarray(given).dtype.kind in "fiu"


def fingerprint_of(question: bytes, name: str) -> Dict[str, Any]:
    """What a journal says of its run."""
    return {"question": name, "version": _graze.__version__, "sha256": hashlib.sha256(question).hexdigest()}


_POSES = ((7,), (4, 4))
_MOTIONS = (*_POSES, (2, 7), (2, 4, 4))
_RAYS = ((6,), (2, 3))
_POINTS = ((3,),)


class Batch:
    """A question with an array of rows, in chunks."""

    def __init__(self, question: str, sources: Tuple[Source, ...], columns: List[Tuple[Any, Optional[int]]],
                 options: Dict[str, Any], chunk: int, memory: int) -> None:
        counts = {n for _, n in columns if n is not None}
        if not counts:
            raise Error(f"{question} needs an array with a row for each question: N x 7 or N x 4 x 4 poses, for example",
                        element="option")
        if len(counts) > 1:
            raise Error(f"the arrays have different numbers of rows: {sorted(counts)}", element="option")
        if chunk < 1:
            raise Error(f"chunk must be at least 1, not {chunk}", element="option")
        self.question, self.sources, self.columns, self.options = question, sources, columns, options
        self.rows, self.chunk, self.memory = counts.pop(), chunk, memory
        self.undecided = self._undecided_row()

    def _undecided_row(self) -> Any:
        """What a row without an answer looks like. This also tells the type of the rows, and checks the options."""
        first = [self.part(c, n, 0, min(self.rows, 1)) for c, n in self.columns]
        return asked(self.question, self.stand_ins(), first, {**self.options, "budget": 0})

    def stand_ins(self) -> List[Any]:
        return [_graze.Body(make.box())] * len(self.sources)

    @staticmethod
    def part(column: Any, count: Optional[int], first: int, last: int) -> Any:
        return column if count is None else np.array(column[first:last])

    def title(self, number: int) -> str:
        first, last = self.range(number)
        return f"the chunk of rows {first} to {last - 1}"

    def range(self, number: int) -> Tuple[int, int]:
        return number * self.chunk, min(self.rows, (number + 1) * self.chunk)

    def tasks(self, done: Any) -> Iterator[Tuple[int, str, Tuple[Any, ...]]]:
        for number in range(-(-self.rows // self.chunk)):
            if number in done:
                continue
            first, last = self.range(number)
            columns = tuple(self.part(c, n, first, last) for c, n in self.columns)
            yield number, self.title(number), (
                _graze.__version__, self.question, self.sources, columns, self.options, self.memory, first)

    def fingerprint(self) -> Dict[str, Any]:
        digest = hashlib.sha256()
        for column, count in self.columns:
            if count is None:
                digest.update(repr(column).encode() if not isinstance(column, np.ndarray) else column.tobytes())
                continue
            digest.update(repr((column.shape, column.dtype.str)).encode())
            for first in range(0, count, 1 << 16):
                digest.update(np.ascontiguousarray(column[first : first + (1 << 16)]).tobytes())
        asked = (digest.hexdigest(), [s.key for s in self.sources], sorted(self.options.items()), self.rows, self.chunk)
        return fingerprint_of(repr(asked).encode(), self.question)


def answer(batch: Batch, out: Any, client: Any, workers: Optional[int], progress: Progress) -> Any:
    row_bytes = batch.undecided.dtype.itemsize
    bar: Any = Bar(batch.rows) if progress is True else progress or None
    journal, rows = None, None
    if out is None:
        rows = np.repeat(batch.undecided, batch.rows) if batch.rows else batch.undecided
        done: Any = {}
    else:
        out = os.path.abspath(os.fspath(out))
        head = _npy_head(batch.undecided.dtype, batch.rows)
        journal = Journal(out + ".journal", out + ".part", batch.fingerprint(), size=len(head) + batch.rows * row_bytes, head=head)
        done = dict(journal.done)
    answered = sum(last - first for first, last in map(batch.range, done))

    def keep(number: int, data: bytes) -> None:
        nonlocal answered
        first, last = batch.range(number)
        if journal is not None:
            journal.add(number, len(head) + first * row_bytes, data)
        else:
            assert rows is not None
            rows[first:last] = np.frombuffer(data, dtype=rows.dtype)
        answered += last - first
        if bar:
            bar(answered, batch.rows)

    try:
        if bar and answered:
            bar(answered, batch.rows)
        if answered < batch.rows:
            with session(client, workers) as dask:
                run(dask, batch.tasks(done), ask_rows, keep)
        if journal is None:
            return rows
        journal.finish()
        os.replace(out + ".part", out)
        return np.load(out, mmap_mode="r")
    except KeyboardInterrupt as error:
        if rows is None:
            raise
        raise Interrupted(rows, answered) from error
    finally:
        if journal is not None:
            journal.close()
        if isinstance(bar, Bar):
            bar.close()


def _npy_head(dtype: Any, rows: int) -> bytes:
    file, numpy_format = io.BytesIO(), np.lib.format
    head = {"descr": numpy_format.dtype_to_descr(dtype), "fortran_order": False, "shape": (rows,)}  # type: ignore[no-untyped-call]
    numpy_format.write_array_header_2_0(file, head)  # type: ignore[no-untyped-call]
    return file.getvalue()


def refuse_limits(options: Dict[str, Any]) -> None:
    for name in ("threads", "budget", "cancel"):
        if name in options:
            raise Error(f"{name} is no option of a batch on several machines; work limits each row", element="option")


def _many(question: str, bodies: Tuple[Any, ...], columns: List[Tuple[Any, Optional[int]]], options: Dict[str, Any], *,
          out: Any, client: Any, workers: Optional[int], chunk: int, memory: int, weld: bool, progress: Progress) -> Any:
    refuse_limits(options)
    batch = Batch(question, tuple(source_of(body, weld) for body in bodies), columns, options, chunk, memory)
    return answer(batch, out, client, workers, progress)


_SHARED = """

    ``a`` and ``b`` are bodies, or paths of mesh files that every worker can read (``weld=True`` merges equal vertices, as
    solids from STL files need). Arrays may also be paths of ``.npy`` files: they are read chunk by chunk. ``options`` are
    those of the question of the same name in graze, without threads, budget and cancel.

    ``client`` is a distributed.Client, the address of a scheduler, or None: then ``workers`` processes of this machine answer.
    ``out`` is a file for the rows; they are returned as an array in memory without it. ``chunk`` rows are one task, and each
    worker keeps at most ``memory`` bytes of bodies. ``progress`` is True for a bar, or a function of the rows done and of all.
"""


def collide_many(a: Any, poses_a: Any, b: Any, poses_b: Any, *, out: Any = None, client: Any = None, workers: Optional[int] = None,
                 chunk: int = 10000, memory: int = 1 << 30, weld: bool = False, progress: Progress = None, **options: Any) -> Any:
    """``graze.collide_many`` for as many poses as one likes."""
    return _many("collide_many", (a, b), [column_of(poses_a, _POSES), column_of(poses_b, _POSES)], options, out=out, client=client, workers=workers, chunk=chunk,
                 memory=memory, weld=weld, progress=progress)


def distance_many(a: Any, poses_a: Any, b: Any, poses_b: Any, *, out: Any = None, client: Any = None, workers: Optional[int] = None,
                  chunk: int = 10000, memory: int = 1 << 30, weld: bool = False, progress: Progress = None, **options: Any) -> Any:
    """``graze.distance_many`` for as many poses as one likes."""
    return _many("distance_many", (a, b), [column_of(poses_a, _POSES), column_of(poses_b, _POSES)], options, out=out, client=client, workers=workers, chunk=chunk,
                 memory=memory, weld=weld, progress=progress)


def first_contact_many(a: Any, motions_a: Any, b: Any, motions_b: Any, *, out: Any = None, client: Any = None, workers: Optional[int] = None,
                       chunk: int = 10000, memory: int = 1 << 30, weld: bool = False, progress: Progress = None, **options: Any) -> Any:
    """``graze.first_contact_many`` for as many motions as one likes."""
    return _many("first_contact_many", (a, b), [column_of(motions_a, _MOTIONS), column_of(motions_b, _MOTIONS)], options, out=out, client=client, workers=workers, chunk=chunk,
                 memory=memory, weld=weld, progress=progress)


def motion_free_many(a: Any, motions_a: Any, b: Any, motions_b: Any, *, out: Any = None, client: Any = None, workers: Optional[int] = None,
                     chunk: int = 10000, memory: int = 1 << 30, weld: bool = False, progress: Progress = None, **options: Any) -> Any:
    """``graze.motion_free_many`` for as many motions as one likes."""
    return _many("motion_free_many", (a, b), [column_of(motions_a, _MOTIONS), column_of(motions_b, _MOTIONS)], options, out=out, client=client, workers=workers, chunk=chunk,
                 memory=memory, weld=weld, progress=progress)


def cast_rays(body: Any, pose: Any, rays: Any, *, out: Any = None, client: Any = None, workers: Optional[int] = None,
              chunk: int = 10000, memory: int = 1 << 30, weld: bool = False, progress: Progress = None, **options: Any) -> Any:
    """``graze.cast_rays`` for as many rays as one likes."""
    return _many("cast_rays", (body,), [(pose, None), column_of(rays, _RAYS)], options, out=out, client=client, workers=workers, chunk=chunk,
                 memory=memory, weld=weld, progress=progress)


def contains_many(body: Any, pose: Any, points: Any, *, out: Any = None, client: Any = None, workers: Optional[int] = None,
                  chunk: int = 10000, memory: int = 1 << 30, weld: bool = False, progress: Progress = None, **options: Any) -> Any:
    """``graze.contains_many`` for as many points as one likes."""
    return _many("contains_many", (body,), [(pose, None), column_of(points, _POINTS)], options, out=out, client=client, workers=workers, chunk=chunk,
                 memory=memory, weld=weld, progress=progress)


for _function in (collide_many, distance_many, first_contact_many, motion_free_many, cast_rays, contains_many):
    _function.__doc__ = f"{_function.__doc__}{_SHARED}"
