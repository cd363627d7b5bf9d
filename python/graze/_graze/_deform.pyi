# SPDX-License-Identifier: MIT
from typing import Dict, List, Optional, Tuple, Union, overload

import numpy as np
import numpy.typing as npt

from .._deform import DeformFilter, Derivatives
from .._enums import Status
from .._types import Cancel, MeshLike, MotionLike, Seconds
from . import Body, Floats, Ids, Mesh, Rows
from ._moving import TimeBracket

class DeformResult:
    def __bool__(self) -> bool: ...
    @property
    def counters(self) -> Dict[str, int]: ...
    @property
    def status(self) -> Status: ...
    @property
    def time(self) -> TimeBracket: ...
    @property
    def contacts(self) -> Rows: ...
    @property
    def crossing_at_start(self) -> Ids: ...
    @property
    def edges_crossing_at_start(self) -> Ids: ...
    @property
    def seconds(self) -> Dict[str, float]: ...

class StepSize:
    def __bool__(self) -> bool: ...
    @property
    def counters(self) -> Dict[str, int]: ...
    @property
    def status(self) -> Status: ...
    @property
    def step(self) -> float: ...
    @property
    def time(self) -> TimeBracket: ...
    @property
    def first(self) -> Optional[np.void]: ...
    @property
    def crossing_at_start(self) -> Optional[Tuple[int, int]]: ...
    @property
    def edge_crossing_at_start(self) -> Optional[Tuple[int, int]]: ...
    @property
    def seconds(self) -> Dict[str, float]: ...

class BodyPairContacts:
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def time(self) -> TimeBracket: ...
    @property
    def contacts(self) -> Rows: ...
    @property
    def crossing_at_start(self) -> Ids: ...
    @property
    def edges_crossing_at_start(self) -> Ids: ...

def by_bodies(result: DeformResult, mesh: Mesh, bodies: Optional[npt.ArrayLike] = None) -> List[BodyPairContacts]: ...
def vertex_bodies(mesh: Mesh, of_polygons: Optional[npt.ArrayLike] = None) -> Ids: ...

class StepProof:
    def __init__(self, text: str) -> None: ...
    @property
    def text(self) -> str: ...
    @property
    def separations(self) -> int: ...
    @property
    def features(self) -> int: ...
    @property
    def patches(self) -> int: ...

def prove_step(
    mesh: Mesh,
    start: npt.ArrayLike,
    end: npt.ArrayLike,
    *,
    self_contacts: bool = True,
    bodies: Optional[npt.ArrayLike] = None,
    min_separation: float = 0.0,
    until: float = 1.0,
    work: int = 0,
    budget: Seconds = None,
    cancel: Cancel = None,
) -> Optional[StepProof]: ...

class Deformable:
    def __init__(self, mesh: MeshLike) -> None: ...
    def set_positions(self, positions: npt.ArrayLike) -> None: ...
    def contacts(
        self,
        positions: npt.ArrayLike,
        *,
        self_contacts: bool = True,
        all: bool = True,
        tolerance: Optional[float] = None,
        min_separation: float = 0.0,
        exact: bool = False,
        crossing_at_start: bool = True,
        threads: int = 1,
        work: int = 0,
        budget: Seconds = None,
        cancel: Cancel = None,
    ) -> DeformResult: ...
    def step(
        self,
        positions: npt.ArrayLike,
        *,
        self_contacts: bool = True,
        all: bool = True,
        tolerance: Optional[float] = None,
        min_separation: float = 0.0,
        exact: bool = False,
        crossing_at_start: bool = True,
        threads: int = 1,
        work: int = 0,
        budget: Seconds = None,
        cancel: Cancel = None,
    ) -> DeformResult: ...
    def step_size(
        self,
        positions: npt.ArrayLike,
        *,
        slack: float = 0.1,
        self_contacts: bool = True,
        tolerance: Optional[float] = None,
        min_separation: float = 0.0,
        ignore_start_crossings: bool = False,
        ignore_start_if_separating: bool = True,
        threads: int = 1,
        work: int = 0,
        budget: Seconds = None,
        cancel: Cancel = None,
    ) -> StepSize: ...
    def near(
        self,
        distance: float,
        positions: Optional[npt.ArrayLike] = None,
        *,
        self_contacts: bool = True,
        rest: Optional[npt.ArrayLike] = None,
        mollifier: float = 0.001,
        threads: int = 1,
        work: int = 0,
        budget: Seconds = None,
        cancel: Cancel = None,
    ) -> ProximityResult: ...
    def set_filter(self, filter: Optional[DeformFilter]) -> None: ...
    @overload
    def replace(self, mesh: MeshLike) -> None: ...
    @overload
    def replace(self, mesh: MeshLike, filter: Optional[DeformFilter]) -> None: ...
    @property
    def mesh(self) -> Mesh: ...
    @property
    def positions(self) -> Floats: ...
    @property
    def bytes(self) -> int: ...

class ProximityResult:
    def __bool__(self) -> bool: ...
    @property
    def counters(self) -> Dict[str, int]: ...
    @property
    def status(self) -> Status: ...
    @property
    def pairs(self) -> Rows: ...
    @property
    def seconds(self) -> float: ...

def squared_distances(
    pairs: Rows, positions: npt.ArrayLike, *, gradients: bool = True, hessians: bool = False, threads: int = 1
) -> Derivatives: ...
def edge_mollifiers(
    pairs: Rows,
    positions: npt.ArrayLike,
    rest: npt.ArrayLike,
    mollifier: float = 0.001,
    *,
    gradients: bool = True,
    hessians: bool = False,
    threads: int = 1,
) -> Derivatives: ...

class DeformContactDetails:
    def __init__(self, mesh: MeshLike) -> None: ...
    def find(
        self,
        start: npt.ArrayLike,
        end: npt.ArrayLike,
        contacts: Rows,
        *,
        bodies: Optional[npt.ArrayLike] = None,
        ends: bool = False,
        tolerance: Optional[float] = None,
        min_separation: float = 0.0,
        exact: bool = False,
        threads: int = 1,
    ) -> Rows: ...

class SceneStepSize:
    def __bool__(self) -> bool: ...
    @property
    def counters(self) -> Dict[str, int]: ...
    @property
    def status(self) -> Status: ...
    @property
    def step(self) -> float: ...
    @property
    def time(self) -> TimeBracket: ...
    @property
    def tolerance(self) -> float: ...
    @property
    def first(self) -> Optional[np.void]: ...
    @property
    def crossing_at_start(self) -> Optional[np.void]: ...

class SceneResult:
    def __bool__(self) -> bool: ...
    @property
    def counters(self) -> Dict[str, int]: ...
    @property
    def status(self) -> Status: ...
    @property
    def time(self) -> TimeBracket: ...
    @property
    def tolerance(self) -> float: ...
    @property
    def contacts(self) -> Rows: ...
    @property
    def crossing_at_start(self) -> Rows: ...

class DeformScene:
    def __init__(self) -> None: ...
    def add_deforming(self, mesh: MeshLike) -> int: ...
    def add_rigid(self, body: Body, motion: MotionLike = None) -> int: ...
    def move(self, id: int, to: Union[MotionLike, npt.ArrayLike]) -> None: ...
    def set_positions(self, id: int, positions: npt.ArrayLike) -> None: ...
    def replace(self, id: int, mesh: MeshLike) -> None: ...
    def __len__(self) -> int: ...
    def positions(self, id: int) -> Floats: ...
    def contacts(
        self,
        *,
        self_contacts: bool = True,
        all: bool = True,
        tolerance: Optional[float] = None,
        min_separation: float = 0.0,
        exact: bool = False,
        crossing_at_start: bool = True,
        threads: int = 1,
        work: int = 0,
        budget: Seconds = None,
        cancel: Cancel = None,
    ) -> SceneResult: ...
    def step(
        self,
        *,
        self_contacts: bool = True,
        all: bool = True,
        tolerance: Optional[float] = None,
        min_separation: float = 0.0,
        exact: bool = False,
        crossing_at_start: bool = True,
        threads: int = 1,
        work: int = 0,
        budget: Seconds = None,
        cancel: Cancel = None,
    ) -> SceneResult: ...
    def step_size(
        self,
        *,
        slack: float = 0.1,
        self_contacts: bool = True,
        tolerance: Optional[float] = None,
        min_separation: float = 0.0,
        ignore_start_crossings: bool = False,
        ignore_start_if_separating: bool = True,
        threads: int = 1,
        work: int = 0,
        budget: Seconds = None,
        cancel: Cancel = None,
    ) -> SceneStepSize: ...
