# SPDX-License-Identifier: MIT
"""Collision detection that never misses: which bodies touch, when first, where, and with which features.

>>> import graze
>>> box = graze.Body(graze.make.box())
>>> knot = graze.Body(graze.make.torus_knot(triangles=2880))
>>> graze.collide(box, None, knot, graze.Pose([0.25, 0, 0], [1, 0.5, 0, 0])).kind
ContactKind.crossing
>>> graze.distance(box, None, knot, graze.Pose([10, 0, 0])).status
Status.free

A ``free`` is certified: in real numbers, for the poses that you gave, the two share no point. Results have no truth
value, because ``undecided`` must not read as no: compare their ``status``. What cannot be answered raises graze.Error.
"""
from . import make, shape
from ._enums import (
    ContactDirection,
    ContactKind,
    Containment,
    Encoding,
    ErrorCode,
    FeatureKind,
    FeatureType,
    Location,
    MeshFormat,
    Neighbourhood,
    RayHits,
    Status,
)
from ._errors import Error, Interrupted
from ._graze import (
    Body,
    CancelSource,
    CancelToken,
    Certificate,
    Classification,
    Clearance,
    CollideResult,
    ContactEvent,
    ContainsResult,
    DistanceResult,
    Feature,
    FeatureRef,
    FirstContactResult,
    LinearParameters,
    ManifoldPatch,
    ManifoldPoint,
    ManifoldResult,
    Mesh,
    Motion,
    MotionFreeResult,
    PenetrationPatch,
    PenetrationResult,
    Piece,
    Pose,
    RayHit,
    RayResult,
    Screw,
    SelfCollideResult,
    Still,
    TimeBracket,
    Velocity,
    WithinResult,
    __version__,
    cast_ray,
    classify,
    collide,
    collide_methods,
    compound,
    contains,
    distance,
    first_contact,
    load_mesh,
    manifold,
    motion_free,
    parse_mesh,
    penetration,
    save_mesh,
    self_collide,
    weld,
    within,
)
from ._verify import Verdict, verify

__all__ = [name for name in dir() if not name.startswith("_")] + ["__version__"]
