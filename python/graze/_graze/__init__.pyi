# SPDX-License-Identifier: MIT
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from .._enums import Encoding, MeshFormat
from .._types import FacesLike, MeshLike, PathLike, PoseLike, QuaternionLike, ShapeLike
from . import make as make, shape as shape
from ._chain import (
    Chain as Chain,
    FirstContactsResult as FirstContactsResult,
    Joint as Joint,
    Link as Link,
    LinkPose as LinkPose,
    Mimic as Mimic,
    PairContact as PairContact,
    chain_first_contacts as chain_first_contacts,
    first_contacts as first_contacts,
)
from ._clash import _ClashChecker as _ClashChecker, _clash_report as _clash_report, _mesh_box as _mesh_box, _pose_rows as _pose_rows
from ._deform import (
    BodyPairContacts as BodyPairContacts,
    DeformContactDetails as DeformContactDetails,
    DeformResult as DeformResult,
    DeformScene as DeformScene,
    Deformable as Deformable,
    ProximityResult as ProximityResult,
    SceneResult as SceneResult,
    SceneStepSize as SceneStepSize,
    StepProof as StepProof,
    StepSize as StepSize,
    by_bodies as by_bodies,
    edge_mollifiers as edge_mollifiers,
    prove_step as prove_step,
    squared_distances as squared_distances,
    vertex_bodies as vertex_bodies,
)
from ._many import (
    cast_rays as cast_rays,
    collide_many as collide_many,
    contains_many as contains_many,
    distance_many as distance_many,
    first_contact_many as first_contact_many,
    motion_free_many as motion_free_many,
)
from ._moving import (
    Certificate as Certificate,
    Clearance as Clearance,
    ClearanceProfileResult as ClearanceProfileResult,
    ContactEvent as ContactEvent,
    FirstContactResult as FirstContactResult,
    MotionFreeResult as MotionFreeResult,
    TimeBracket as TimeBracket,
    clearance_profile as clearance_profile,
    first_contact as first_contact,
    motion_free as motion_free,
)
from ._questions import (
    CollideResult as CollideResult,
    ContainsResult as ContainsResult,
    DistanceResult as DistanceResult,
    Feature as Feature,
    FeatureRef as FeatureRef,
    ManifoldPatch as ManifoldPatch,
    ManifoldPoint as ManifoldPoint,
    ManifoldResult as ManifoldResult,
    PenetrationPatch as PenetrationPatch,
    PenetrationResult as PenetrationResult,
    RayHit as RayHit,
    RayResult as RayResult,
    SelfCollideResult as SelfCollideResult,
    WithinResult as WithinResult,
    cast_ray as cast_ray,
    collide as collide,
    collide_methods as collide_methods,
    contains as contains,
    distance as distance,
    manifold as manifold,
    penetration as penetration,
    self_collide as self_collide,
    within as within,
)
from ._robot import (
    AllowedPair as AllowedPair,
    AttachedBody as AttachedBody,
    Obstacle as Obstacle,
    PairProof as PairProof,
    Robot as Robot,
    RobotClearance as RobotClearance,
    RobotDistanceResult as RobotDistanceResult,
    RobotFreeResult as RobotFreeResult,
    RobotModel as RobotModel,
    RobotMotionResult as RobotMotionResult,
    RobotPart as RobotPart,
    RobotPiece as RobotPiece,
    RobotTrajectoryResult as RobotTrajectoryResult,
    StateResult as StateResult,
    load_robot as load_robot,
)
from ._trajectory import Trajectory as Trajectory, TrajectoryPoint as TrajectoryPoint
from ._world import (
    ArticulatedId as ArticulatedId,
    BodyId as BodyId,
    CheckResult as CheckResult,
    ContactDetails as ContactDetails,
    FrameId as FrameId,
    PairSettings as PairSettings,
    World as World,
    WorldEvent as WorldEvent,
)
from ._world_answers import (
    BodyHit as BodyHit,
    CastContact as CastContact,
    CastResult as CastResult,
    NearPair as NearPair,
    NearResult as NearResult,
    NearestBody as NearestBody,
    NearestResult as NearestResult,
    OverlapResult as OverlapResult,
    SweepContact as SweepContact,
    WorldSweepResult as WorldSweepResult,
)

Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.uint32]
Rows = npt.NDArray[np.void]

__version__: str

class CancelToken:
    def __init__(self) -> None: ...
    @property
    def cancelled(self) -> bool: ...

class CancelSource:
    def __init__(self) -> None: ...
    def token(self) -> CancelToken: ...
    def cancel(self) -> None: ...
    @property
    def cancelled(self) -> bool: ...

class Mesh:
    def __init__(
        self, vertices: Union[npt.ArrayLike, MeshLike], faces: Optional[FacesLike] = None, *, copy: Optional[bool] = None
    ) -> None: ...
    @property
    def vertices(self) -> Floats: ...
    @property
    def triangles(self) -> Ids: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def polygon_count(self) -> int: ...
    @property
    def triangle_count(self) -> int: ...
    def polygon(self, id: int) -> Tuple[int, ...]: ...
    def polygon_of(self, triangle: int) -> int: ...
    @property
    def groups(self) -> List[Tuple[str, str]]: ...
    @property
    def group_of_polygon(self) -> Optional[Ids]: ...
    @property
    def box(self) -> Floats: ...

def point_mesh(points: npt.ArrayLike) -> Mesh: ...
def load_mesh(file: PathLike, format: Union[MeshFormat, str] = ...) -> Mesh: ...
def parse_mesh(bytes: bytes, format: Union[MeshFormat, str], name: str = "memory") -> Mesh: ...
def save_mesh(
    mesh: Mesh, file: PathLike, *, format: Union[MeshFormat, str] = ..., encoding: Union[Encoding, str] = ...
) -> None: ...
def weld(mesh: Mesh) -> Mesh: ...

class Classification:
    @property
    def closed(self) -> bool: ...
    @property
    def manifold(self) -> bool: ...
    @property
    def oriented(self) -> bool: ...
    @property
    def even(self) -> bool: ...
    @property
    def planar_polygons(self) -> bool: ...
    @property
    def convex_polygons(self) -> bool: ...
    @property
    def convex(self) -> bool: ...
    @property
    def volume_sign(self) -> int: ...
    @property
    def euler_characteristic(self) -> int: ...
    @property
    def edge_count(self) -> int: ...
    @property
    def component_count(self) -> int: ...
    @property
    def component_of(self) -> Ids: ...

def classify(mesh: Mesh) -> Classification: ...

class Pose:
    def __init__(self, translation: PoseLike = None, rotation: Optional[QuaternionLike] = None) -> None: ...
    @staticmethod
    def from_matrix(matrix: npt.ArrayLike) -> Pose: ...
    @property
    def translation(self) -> Floats: ...
    @property
    def rotation(self) -> Floats: ...
    @property
    def matrix(self) -> Floats: ...
    def apply(self, local: npt.ArrayLike) -> Floats: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Piece:
    def __init__(self, body: Body, pose: PoseLike = None, name: str = "") -> None: ...
    @property
    def body(self) -> Body: ...
    @property
    def pose(self) -> Pose: ...
    @property
    def name(self) -> str: ...

class Body:
    def __init__(self, mesh: Union[Body, MeshLike, ShapeLike], *, threads: int = 1) -> None: ...
    def deformed(self, positions: npt.ArrayLike, *, threads: int = 1) -> Body: ...
    @property
    def is_refitted(self) -> bool: ...
    @property
    def has_mesh(self) -> bool: ...
    @property
    def mesh(self) -> Mesh: ...
    @property
    def box(self) -> Floats: ...
    @property
    def shape(self) -> Optional[shape.Shape]: ...
    @property
    def pieces(self) -> List[Piece]: ...
    def piece(self, id: int) -> Body: ...
    @property
    def tree_bytes(self) -> int: ...
    @property
    def build_seconds(self) -> float: ...

def compound(
    pieces: Iterable[Union[Piece, Body, Tuple[Body, PoseLike], Tuple[Body, PoseLike, str]]], *, threads: int = 1
) -> Body: ...

class Motion:
    def at(self, t: float) -> Floats: ...
    def travel(
        self, n: npt.ArrayLike, centre: npt.ArrayLike, radius: float, t0: float = 0.0, t1: float = 1.0
    ) -> float: ...

class Still(Motion):
    def __init__(self, pose: PoseLike = None) -> None: ...

class Velocity(Motion):
    def __init__(self, start: PoseLike, end: PoseLike, reference: npt.ArrayLike = ...) -> None: ...
    @staticmethod
    def from_speeds(
        start: PoseLike, linear: npt.ArrayLike, angular: npt.ArrayLike, reference: npt.ArrayLike = ...
    ) -> Velocity: ...

class Screw(Motion):
    def __init__(self, start: PoseLike, end: PoseLike) -> None: ...

class LinearParameters(Motion):
    def __init__(self, start: PoseLike, end: PoseLike) -> None: ...
    @staticmethod
    def from_angles(start: Tuple[Any, Any], end: Tuple[Any, Any]) -> LinearParameters: ...

def _names() -> Dict[str, List[str]]: ...
