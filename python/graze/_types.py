# SPDX-License-Identifier: MIT
"""The types of arguments that have several forms."""
import datetime
import os
from typing import TYPE_CHECKING, Any, Callable, Protocol, Sequence, Tuple, Union

import numpy.typing as npt

if TYPE_CHECKING:
    from ._graze import Body, CancelSource, CancelToken, Mesh, Motion, Obstacle, Pose
    from .shape import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere


class HasQuaternion(Protocol):
    """SciPy's Rotation, for one: ``as_quat()`` gives x y z w."""

    def as_quat(self) -> Any: ...


class HasFaces(Protocol):
    """A mesh of trimesh."""

    @property
    def vertices(self) -> Any: ...
    @property
    def faces(self) -> Any: ...


class HasTriangles(Protocol):
    """A mesh of Open3D."""

    @property
    def vertices(self) -> Any: ...
    @property
    def triangles(self) -> Any: ...


class HasPoints(Protocol):
    """A mesh of PyVista or meshio, which has faces or cells."""

    @property
    def points(self) -> Any: ...


QuaternionLike = Union[npt.ArrayLike, HasQuaternion]
PoseLike = Union["Pose", None, npt.ArrayLike, HasQuaternion, Tuple[Any, Any]]
PosesLike = Union[PoseLike, Sequence["Pose"]]
MotionLike = Union["Motion", PoseLike]
MotionsLike = Union["Motion", Sequence["Motion"], PosesLike]
MeshLike = Union["Mesh", HasFaces, HasTriangles, HasPoints]
ShapeLike = Union["Shape", "Box", "Capsule", "Cone", "Cylinder", "Ellipsoid", "HalfSpace", "Hull", "Sphere"]
FacesLike = Union[npt.ArrayLike, Sequence[Sequence[int]]]
LinkLike = Union[int, str]
ObstacleLike = Union["Obstacle", "Body", Tuple["Body", PoseLike], Tuple["Body", PoseLike, str]]
PathLike = Union[str, "os.PathLike[str]"]
Seconds = Union[float, datetime.timedelta, None]
Cancel = Union["CancelSource", "CancelToken", None]
Progress = Union[bool, Callable[[int, int], object], None]
