# SPDX-License-Identifier: MIT
from typing import Optional, Union

import numpy.typing as npt

from .._enums import RayHits
from .._types import Cancel, MotionsLike, PoseLike, PosesLike, Progress, Seconds
from . import Body, Rows

def collide_many(
    a: Body,
    poses_a: PosesLike,
    b: Body,
    poses_b: PosesLike,
    *,
    method: str = "tree",
    solid: bool = False,
    work: int = 0,
    threads: int = 1,
    budget: Seconds = None,
    cancel: Cancel = None,
    progress: Progress = None,
) -> Rows: ...
def distance_many(
    a: Body,
    poses_a: PosesLike,
    b: Body,
    poses_b: PosesLike,
    *,
    relative_error: float = 1e-9,
    method: str = "tree",
    work: int = 0,
    threads: int = 1,
    budget: Seconds = None,
    cancel: Cancel = None,
    progress: Progress = None,
) -> Rows: ...
def first_contact_many(
    a: Body,
    motions_a: MotionsLike,
    b: Body,
    motions_b: MotionsLike,
    *,
    motion: str = "velocity",
    method: str = "best_first",
    tolerance: Optional[float] = None,
    min_separation: float = 0.0,
    ignore_start_if_separating: bool = False,
    solid: bool = False,
    work: int = 0,
    threads: int = 1,
    budget: Seconds = None,
    cancel: Cancel = None,
    progress: Progress = None,
) -> Rows: ...
def cast_rays(
    body: Body,
    pose: PoseLike,
    rays: npt.ArrayLike,
    *,
    hits: Union[RayHits, str] = ...,
    threads: int = 1,
    budget: Seconds = None,
    cancel: Cancel = None,
    progress: Progress = None,
) -> Rows: ...
def contains_many(
    body: Body,
    pose: PoseLike,
    points: npt.ArrayLike,
    *,
    threads: int = 1,
    budget: Seconds = None,
    cancel: Cancel = None,
    progress: Progress = None,
) -> Rows: ...
def motion_free_many(
    a: Body,
    motions_a: MotionsLike,
    b: Body,
    motions_b: MotionsLike,
    *,
    motion: str = "velocity",
    tolerance: Optional[float] = None,
    min_separation: float = 0.0,
    solid: bool = False,
    work: int = 0,
    threads: int = 1,
    budget: Seconds = None,
    cancel: Cancel = None,
    progress: Progress = None,
) -> Rows: ...
