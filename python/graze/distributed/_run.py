# SPDX-License-Identifier: MIT
"""Gives tasks to the workers, a few at a time, and takes their answers in whatever order they come."""
import uuid
from concurrent.futures import CancelledError
from typing import Any, Callable, Iterable, Tuple

from .._errors import Error
from ._dask import dask


class LostConnection(ConnectionError):
    """The scheduler cannot be reached any more. With ``out`` nothing that was answered is lost: call again to go on."""


def run(
    client: Any,
    tasks: Iterable[Tuple[int, str, Tuple[Any, ...]]],
    function: Callable[..., Any],
    answered: Callable[[int, Any], None],
) -> None:
    """``tasks``: a number, what it is called in messages, and the arguments. ``answered`` gets the number and the answer.

    Only as many tasks are made as keep the workers busy, so that inputs larger than memory are read as they are needed.
    """
    name = "graze-" + uuid.uuid4().hex
    waiting = iter(tasks)
    called = {}
    pool: Any = dask.as_completed([], loop=client.loop)

    def submit() -> bool:
        for number, title, arguments in waiting:
            future = client.submit(function, *arguments, key=f"{name}-{number}", pure=False, retries=0)
            called[future.key] = number, title
            pool.add(future)
            return True
        return False

    try:
        threads = sum(client.nthreads().values())
        for _ in range(max(4, 3 * threads)):
            if not submit():
                break
        for future in pool:
            number, title = called.pop(future.key)
            answer = _answer(client, future, title)
            submit()
            answered(number, answer)
    except (CancelledError, dask.comm.core.CommClosedError) as error:
        raise _lost(client) from error
    finally:
        for future in list(pool.futures):
            try:
                future.cancel()
            except Exception:  # the connection is gone, and with it what would be cancelled
                break


def _lost(client: Any) -> LostConnection:
    address = getattr(client.scheduler, "address", "the scheduler") if client.scheduler else "the scheduler"
    return LostConnection(f"the connection to {address} was lost. With an output file call again to go on where it ended")


def _answer(client: Any, future: Any, title: str) -> Any:
    if future.status in ("cancelled", "lost"):
        raise _lost(client)
    try:
        return future.result()
    except dask.KilledWorker as error:
        raise Error(
            f"{title} ended several workers one after the other: they crashed, were killed or ran out of memory. Give "
            "workers more memory, or smaller chunks",
            element="worker",
        ) from error
