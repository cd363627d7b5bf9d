# SPDX-License-Identifier: MIT
from typing import Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union, overload

import numpy.typing as npt

from .._enums import JointType, Status
from .._types import Cancel, LinkLike, MotionLike, PoseLike, Seconds
from . import Body, Floats, Motion, Pose
from ._moving import FirstContactResult
from ._trajectory import Trajectory

class Mimic:
    def __init__(self, link: str, factor: float = 1.0, offset: float = 0.0) -> None: ...
    @property
    def link(self) -> str: ...
    @property
    def factor(self) -> float: ...
    @property
    def offset(self) -> float: ...

class Joint:
    def __init__(
        self,
        type: Union[JointType, str] = ...,
        *,
        origin: PoseLike = None,
        axis: npt.ArrayLike = (0.0, 0.0, 1.0),
        pitch: float = 0.0,
        name: str = "",
        limits: Optional[Tuple[float, float]] = None,
        mimic: Optional[Mimic] = None,
    ) -> None: ...
    @property
    def type(self) -> JointType: ...
    @property
    def origin(self) -> Pose: ...
    @property
    def axis(self) -> Floats: ...
    @property
    def pitch(self) -> float: ...
    @property
    def name(self) -> str: ...
    @property
    def limits(self) -> Optional[Tuple[float, float]]: ...
    @property
    def mimic(self) -> Optional[Mimic]: ...

class Link:
    def __init__(self, name: str, parent: str = "", joint: Optional[Joint] = None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def parent(self) -> str: ...
    @property
    def joint(self) -> Joint: ...

class LinkPose:
    @property
    def pose(self) -> Pose: ...
    @property
    def error(self) -> float: ...
    @property
    def turn_error(self) -> float: ...

class Chain:
    def __init__(self, links: Sequence[Link], base: MotionLike = None) -> None: ...
    def __len__(self) -> int: ...
    @property
    def links(self) -> List[Link]: ...
    @property
    def coordinates(self) -> int: ...
    @property
    def base(self) -> Motion: ...
    def link(self, link: LinkLike) -> Link: ...
    def find(self, name: str) -> Optional[int]: ...
    def parent(self, link: LinkLike) -> Optional[int]: ...
    def first_coordinate(self, link: LinkLike) -> Optional[int]: ...
    def common_ancestor(self, a: LinkLike, b: LinkLike) -> Optional[int]: ...
    def neighbours(self, a: LinkLike, b: LinkLike) -> bool: ...
    @overload
    def link_motion(
        self, link: LinkLike, trajectory: Trajectory, segment: int, on_link: PoseLike = None
    ) -> Motion: ...
    @overload
    def link_motion(
        self, link: LinkLike, start: npt.ArrayLike, end: npt.ArrayLike, on_link: PoseLike = None
    ) -> Motion: ...
    @overload
    def pair_motions(
        self,
        a: LinkLike,
        b: LinkLike,
        trajectory: Trajectory,
        segment: int,
        on_a: PoseLike = None,
        on_b: PoseLike = None,
    ) -> Tuple[Motion, Motion]: ...
    @overload
    def pair_motions(
        self,
        a: LinkLike,
        b: LinkLike,
        start: npt.ArrayLike,
        end: npt.ArrayLike,
        on_a: PoseLike = None,
        on_b: PoseLike = None,
    ) -> Tuple[Motion, Motion]: ...
    def link_poses(self, coordinates: npt.ArrayLike) -> List[LinkPose]: ...
    def beyond_limits(self, coordinates: npt.ArrayLike) -> Optional[int]: ...

class PairContact:
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def contact(self) -> FirstContactResult: ...

class FirstContactsResult:
    def __bool__(self) -> bool: ...
    @property
    def counters(self) -> Dict[str, int]: ...
    @property
    def status(self) -> Status: ...
    @property
    def safe(self) -> float: ...
    @property
    def earliest(self) -> Optional[PairContact]: ...
    @property
    def pairs(self) -> List[PairContact]: ...
    @property
    def near(self) -> int: ...
    @property
    def asked(self) -> int: ...
    @property
    def seconds(self) -> float: ...

def first_contacts(
    bodies: Iterable[Tuple[Body, MotionLike]],
    *,
    method: str = "best_first",
    tolerance: Optional[float] = None,
    min_separation: float = 0.0,
    ignore_start_if_separating: bool = False,
    solid: bool = False,
    certificate: bool = False,
    all_pairs: bool = False,
    interest: Optional[Callable[[int, int], bool]] = None,
    threads: int = 1,
    slices: int = 8,
    work: int = 0,
    budget: Seconds = None,
    cancel: Cancel = None,
) -> FirstContactsResult: ...
def chain_first_contacts(
    chain: Chain,
    links: Iterable[Tuple[LinkLike, Body]],
    start: npt.ArrayLike,
    end: npt.ArrayLike,
    environment: Iterable[Tuple[Body, MotionLike]] = (),
    *,
    neighbours: bool = False,
    method: str = "best_first",
    tolerance: Optional[float] = None,
    min_separation: float = 0.0,
    ignore_start_if_separating: bool = False,
    solid: bool = False,
    certificate: bool = False,
    all_pairs: bool = False,
    interest: Optional[Callable[[int, int], bool]] = None,
    threads: int = 1,
    slices: int = 8,
    work: int = 0,
    budget: Seconds = None,
    cancel: Cancel = None,
) -> FirstContactsResult: ...
