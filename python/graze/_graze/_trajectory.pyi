# SPDX-License-Identifier: MIT
from typing import Iterable, Optional, Sequence, Tuple, Union

import numpy.typing as npt

from .._enums import Interpolation
from . import Floats

class TrajectoryPoint:
    def __init__(
        self,
        time: float,
        positions: npt.ArrayLike,
        velocities: Optional[npt.ArrayLike] = None,
        accelerations: Optional[npt.ArrayLike] = None,
    ) -> None: ...
    @property
    def time(self) -> float: ...
    @property
    def positions(self) -> Floats: ...
    @property
    def velocities(self) -> Optional[Floats]: ...
    @property
    def accelerations(self) -> Optional[Floats]: ...

_Waypoint = Union[
    TrajectoryPoint,
    Tuple[float, npt.ArrayLike],
    Tuple[float, npt.ArrayLike, Optional[npt.ArrayLike]],
    Tuple[float, npt.ArrayLike, Optional[npt.ArrayLike], Optional[npt.ArrayLike]],
]

class Trajectory:
    @staticmethod
    def through(
        points: Iterable[_Waypoint], *, each: Union[Interpolation, str, Sequence[Union[Interpolation, str]], None] = None
    ) -> Trajectory: ...
    @staticmethod
    def spline(
        control: npt.ArrayLike,
        knots: Optional[npt.ArrayLike] = None,
        *,
        start: Optional[float] = None,
        end: Optional[float] = None,
    ) -> Trajectory: ...
    @property
    def coordinates(self) -> int: ...
    @property
    def segments(self) -> int: ...
    def start(self, segment: int) -> float: ...
    def end(self, segment: int) -> float: ...
    def time(self, segment: int, share: float) -> float: ...
    def state(self, segment: int, share: float) -> Floats: ...
