# SPDX-License-Identifier: MIT
"""The bar of ``progress=True``: tqdm's if it is there, else a line on standard error."""
import importlib
import sys
import time
from typing import Any


class Bar:
    """Called with the rows done and all rows."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._shown = 0.0
        self._bar: Any = None
        try:
            tqdm = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            return
        self._bar = tqdm(total=total)

    def __call__(self, done: int, total: int) -> None:
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            return
        now = time.monotonic()
        if done == total or now - self._shown >= 0.1:
            self._shown = now
            filled = 30 * done // max(total, 1)
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{total}")
            sys.stderr.flush()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._shown:
            sys.stderr.write("\n")
            self._shown = 0.0
