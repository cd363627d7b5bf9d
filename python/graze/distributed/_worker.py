# SPDX-License-Identifier: MIT
"""What runs in the workers: bodies are built once in each and kept, the least recently used go when memory is short."""
import os
import pickle
import threading
from collections import OrderedDict
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple

from .. import _graze
from .._errors import Error
from ._dask import dask


class Source(NamedTuple):
    """Where a body comes from. Two sources with one ``key`` give the same body."""

    key: str
    path: Optional[str]  #: a mesh file that every worker can read
    weld: bool
    pickled: Optional[bytes]  #: or the body itself

    def name(self) -> str:
        return self.path if self.path is not None else "a body of the caller"


def file_state(path: str) -> Tuple[int, int]:
    state = os.stat(path)
    return state.st_size, state.st_mtime_ns


def load(source: Source) -> Any:
    """A body, or a robot."""
    if source.pickled is not None:
        made = pickle.loads(source.pickled)
        return made if isinstance(made, (_graze.Body, _graze.Robot)) else _graze.Body(made)
    assert source.path is not None
    mesh = _graze.load_mesh(source.path)
    return _graze.Body(_graze.weld(mesh) if source.weld else mesh)


def bytes_of(body: Any) -> int:
    if isinstance(body, _graze.Robot):
        bodies = [piece.body for piece in body.model.pieces] + [held.body for held in body.attached]
        return sum(map(bytes_of, bodies)) + 1024
    mesh = body.mesh if body.has_mesh else None
    own = 0 if mesh is None else mesh.vertices.nbytes + 2 * mesh.triangles.nbytes
    return int(body.tree_bytes + own) + 1024


class Store:
    """Bodies by key, at most ``limit`` bytes of them beside the one that is asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bodies: "OrderedDict[str, Tuple[Any, int]]" = OrderedDict()
        self._bytes = 0
        self.built = 0  #: how many were loaded, for tests

    def get(self, source: Source, limit: int) -> Any:
        with self._lock:  # two tasks of a process that want the same body wait for the one that builds it
            found = self._bodies.pop(source.key, None)
            if found is None:
                body = load(source)
                sent = len(source.pickled or b"") if isinstance(body, _graze.Robot) else 0  # with what is around it
                found = body, bytes_of(body) + sent
                self._bytes += found[1]
                self.built += 1
            self._bodies[source.key] = found
            while self._bytes > limit and len(self._bodies) > 1:
                _, (_, size) = self._bodies.popitem(last=False)
                self._bytes -= size
            return found[0]


STORE = Store()


def threads_here() -> int:
    """How many tasks this worker does at a time."""
    try:
        return max(1, int(dask.get_worker().state.nthreads))
    except ValueError:  # no worker
        return 1


def same_version(version: str) -> None:
    if version != _graze.__version__:
        raise Error(f"a worker has graze {_graze.__version__} and the caller {version}: install the same on both")


def asked(question: str, bodies: Sequence[Any], columns: Sequence[Any], options: Dict[str, Any]) -> Any:
    if isinstance(bodies[0], _graze.Robot):
        return getattr(bodies[0], question)(*columns, **options)
    if len(bodies) == 2:
        return getattr(_graze, question)(bodies[0], columns[0], bodies[1], columns[1], **options)
    return getattr(_graze, question)(bodies[0], *columns, **options)


def ask_rows(
    version: str, question: str, sources: Tuple[Source, ...], columns: Tuple[Any, ...], options: Dict[str, Any], limit: int, first: int
) -> bytes:
    """One chunk of a batch, which begins at row ``first`` of the whole, as bytes."""
    same_version(version)
    bodies = [STORE.get(source, limit) for source in sources]
    try:
        rows = asked(question, bodies, columns, options)
    except Error as error:
        if error.element != "row" or error.id is None:
            raise
        row = first + error.id
        raise Error(f"row {row}: {error.message}", error.code, error.message, "row", row) from None
    return bytes(rows.tobytes())
