# SPDX-License-Identifier: MIT
"""Dask, which is needed by this folder alone."""
import importlib
from typing import Any

try:
    dask: Any = importlib.import_module("distributed")  # without types, so that a type checker does not need it either
    config: Any = importlib.import_module("dask.config")
except ImportError as error:
    raise ImportError(
        "graze.distributed needs Dask's package 'distributed'; on Debian: apt-get install python3-distributed"
    ) from error
