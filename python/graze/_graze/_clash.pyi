# SPDX-License-Identifier: MIT
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .._types import Cancel, PathLike, Seconds
from . import Floats, Rows

def _mesh_box(path: PathLike, weld: bool) -> Floats: ...

def _pose_rows(poses: List[Any]) -> Floats: ...

def _clash_report(
    parts: Sequence[Tuple[Any, ...]],
    rows: Rows,
    unanswered: Sequence[Tuple[Any, ...]],
    complete: bool,
    format: str,
    unit: str,
    metres: float,
    date: str,
    whole: bool,
    earlier: Optional[List[Tuple[str, str, str]]],
) -> bytes: ...

class _ClashChecker:
    def __init__(
        self,
        geometries: Sequence[Tuple[Any, ...]],
        parts: Tuple[Any, ...],
        rules: Sequence[Tuple[Any, ...]],
        *,
        clearance: float,
        tolerance: float,
        touching: bool,
        depth: bool,
        within_groups: bool,
        most: int,
        memory: int,
        threads: int,
        work: int,
        budget: Seconds,
        cancel: Cancel,
    ) -> None: ...
    def rows(self) -> int: ...
    def run(self, first: int, last: int, progress: Optional[Callable[[int, int], object]]) -> Dict[str, Any]: ...
