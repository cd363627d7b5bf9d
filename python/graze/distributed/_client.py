# SPDX-License-Identifier: MIT
"""The cluster that answers: the caller's, one at an address, or processes of this machine."""
import contextlib
import os
import tempfile
from typing import Any, Iterator, Optional

from .._errors import Error
from ._dask import config, dask


@contextlib.contextmanager
def local_cluster(*, workers: Optional[int] = None) -> Iterator[Any]:
    """Worker processes on this machine for several calls: gives the client for their option ``client``.

    ``workers`` is their number; one for each processor if it is not given. A script that calls this needs the line
    ``if __name__ == "__main__":``, as with every Python module that starts processes.
    """
    if workers is not None and workers < 1:
        raise Error(f"workers must be at least 1, not {workers}", element="option")
    count = workers or len(os.sched_getaffinity(0))
    # A worker that was killed is replaced: on a busy machine that takes longer than the 15 seconds after which Dask gives up.
    # One thread each: a worker's question runs on its own, and bodies are shared within a process only.
    patient = config.set({"distributed.deploy.lost-worker-timeout": "10 minutes"})
    with patient, tempfile.TemporaryDirectory(prefix="graze-") as folder, dask.LocalCluster(
        n_workers=count, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50, local_directory=folder
    ) as cluster, dask.Client(cluster) as client:
        yield client


@contextlib.contextmanager
def session(client: Any, workers: Optional[int]) -> Iterator[Any]:
    """``client``: a distributed.Client, the address of a scheduler, or None for processes of this machine."""
    if isinstance(client, dask.Client):
        yield client
        return
    if client is None:
        with local_cluster(workers=workers) as own:
            yield own
        return
    if not isinstance(client, str):
        raise TypeError(f"client is a distributed.Client, an address such as tcp://HOST:8786, or None, not {type(client).__name__}")
    try:
        own = dask.Client(client, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Error(f"no Dask scheduler answers at {client}: {error}; start one with dask-scheduler", element="client") from error
    with own:
        yield own
