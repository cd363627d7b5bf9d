# SPDX-License-Identifier: MIT
"""Gives tasks to the workers, a few at a time, and takes their answers in whatever order they come."""
import threading
import time
import uuid
from collections import deque
from concurrent.futures import CancelledError
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union

from .._errors import Error
from ._dask import dask


Task = Tuple[int, str, Tuple[Any, ...]]  #: a number, what it is called in messages, and the arguments

PATIENCE = 300.0  #: seconds that a run waits for a worker while there is none: clusters may start them late


class LostConnection(ConnectionError):
    """The scheduler cannot be reached any more, or all its workers are gone. With ``out`` nothing that was answered is lost:
    call again to go on."""


class _Watch(threading.Thread):
    """Ends a run that no worker will ever answer: Dask would wait for one without end."""

    def __init__(self, client: Any, pool: Any) -> None:
        super().__init__(daemon=True)
        self._client, self._pool = client, pool
        self.awaited: List[Any] = []  # the future whose answer is being fetched: no longer in the pool
        self._stop_it = threading.Event()
        self.has_ended = False

    def run(self) -> None:
        alone: Optional[float] = None
        while not self._stop_it.wait(min(2.0, PATIENCE / 4)):
            try:
                workers = self._client.nthreads()
            except Exception:  # pylint: disable=broad-except  # the scheduler is gone: the run notices it by itself
                return
            now = time.monotonic()
            alone = None if workers else alone or now
            if alone is not None and now - alone > PATIENCE:
                self.has_ended = True
                self._client.cancel([*self._pool.futures, *self.awaited])
                return

    def stop(self) -> None:
        self._stop_it.set()


class Spans:
    """Tasks of which neighbours are best done by the same worker: each begins with a span of its own, in order, and when
    that is done takes from the end of the longest that is left."""

    def __init__(self, numbers: Sequence[int], task: Callable[[int], Task]) -> None:
        self._numbers, self._task = list(numbers), task
        self._spans: List["deque[int]"] = []

    def divide(self, workers: int) -> None:
        count, numbers = max(1, workers), self._numbers
        self._spans = [deque(numbers[len(numbers) * i // count : len(numbers) * (i + 1) // count]) for i in range(count)]

    def next(self, worker: int) -> Optional[Task]:
        own = self._spans[worker % len(self._spans)]
        longest = max(self._spans, key=len)
        if own:
            return self._task(own.popleft())
        return self._task(longest.pop()) if longest else None


class _InOrder:
    """Tasks that any worker does as well as another."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)

    def divide(self, workers: int) -> None:
        pass

    def next(self, worker: int) -> Optional[Task]:
        del worker
        return next(self._tasks, None)


def run(
    client: Any,
    tasks: Union[Iterable[Task], Spans],
    function: Callable[..., Any],
    answered: Callable[[int, Any], None],
) -> None:
    """``answered`` gets a task's number and the answer.

    Only as many tasks are made as keep the workers busy, so that inputs larger than memory are read as they are needed.
    """
    name = "graze-" + uuid.uuid4().hex
    waiting: Union[Spans, _InOrder] = tasks if isinstance(tasks, Spans) else _InOrder(tasks)
    called = {}
    pool: Any = dask.as_completed([], loop=client.loop)
    workers: List[str] = []
    made: List[str] = []

    def submit(worker: int) -> bool:
        task = waiting.next(worker)
        if task is None:
            return False
        number, title, arguments = task
        # Another worker may do it if that one is gone, or busier.
        where: Any = {"workers": [workers[worker]], "allow_other_workers": True} if workers and waiting is tasks else {}
        # In the order of being made: by itself Dask takes those of a tenth of a second in any order.
        where["priority"] = -len(made)
        future = client.submit(function, *arguments, key=f"{name}-{number}", pure=False, retries=0, **where)
        made.append(future.key)
        called[future.key] = number, title, worker
        pool.add(future)
        return True

    watch = _Watch(client, pool)
    watch.start()
    try:
        threads = dict(client.nthreads())
        workers.extend(sorted(threads))
        waiting.divide(len(workers))
        # In turns, so that each has its first one when it asks.
        turns = [w for k in range(3) for w, address in enumerate(workers) for _ in range(threads[address])]
        for worker in turns + [0] * (4 - len(turns)):
            if not submit(worker):
                break
        for future in pool:
            number, title, worker = called.pop(future.key)
            watch.awaited = [future]
            answer = _answer(client, future, title)
            watch.awaited = []
            submit(worker)
            answered(number, answer)
    except (CancelledError, LostConnection, dask.comm.core.CommClosedError) as error:
        if watch.has_ended:
            raise LostConnection(
                f"{_address(client)} has had no worker for {PATIENCE:g} seconds. Start some; with an output file call again "
                "to go on where it ended"
            ) from error
        raise error if isinstance(error, LostConnection) else _lost(client) from error
    finally:
        watch.stop()
        for future in list(pool.futures):
            try:
                future.cancel()
            except Exception:  # the connection is gone, and with it what would be cancelled
                break


def _address(client: Any) -> str:
    return str(getattr(client.scheduler, "address", "the scheduler") if client.scheduler else "the scheduler")


def _lost(client: Any) -> LostConnection:
    return LostConnection(f"the connection to {_address(client)} was lost. With an output file call again to go on where it ended")


def _answer(client: Any, future: Any, title: str) -> Any:
    # Not "lost": so Dask calls an answer whose worker was killed before we fetched it. It is worked out again, and `result`
    # waits for that.
    if future.status == "cancelled":
        raise _lost(client)
    try:
        return future.result()
    except dask.KilledWorker as error:
        raise Error(
            f"{title} ended several workers one after the other: they crashed, were killed or ran out of memory. Give "
            "workers more memory, or smaller chunks",
            element="worker",
        ) from error
