# SPDX-License-Identifier: MIT
"""The objects of a CollisionManager, and which of them are inside others."""
from functools import cached_property
from typing import Any, Optional

import numpy as np

from . import _boxes
from ._enums import Containment, Location
from ._graze import Body, Mesh, Pose, classify, collide, contains

_FLAT = 1e-5  # of the size: how far an edge may bend inwards. That of trimesh, so that the same objects are convex


def is_convex(mesh: Mesh) -> bool:
    """Closed, one piece, and no neighbour of a triangle is in front of its plane by more than rounding."""
    properties = classify(mesh)
    if not properties.closed or properties.component_count != 1:
        return False
    vertices, triangles = mesh.vertices, mesh.triangles
    sides = triangles[:, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]].reshape(-1, 3)  # two corners of an edge and the opposite one
    edges = np.sort(sides[:, :2], axis=1)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    same = (edges[order[1:]] == edges[order[:-1]]).all(axis=1)
    one, other = sides[order[:-1][same]], sides[order[1:][same]]
    a, b, c = (vertices[one[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    thin = lengths == 0
    lengths[thin] = 1
    in_front = ((vertices[other[:, 2]] - a) * normals).sum(axis=1) / lengths
    low, high = mesh.box
    return not bool(thin.all()) and bool((in_front[~thin] < _FLAT * np.linalg.norm(high - low)).all())


class Object:
    """A body at a pose, with a box in world coordinates that certainly contains it."""

    def __init__(self, name: str, mesh: Any, pose: Pose, convex: Optional[bool] = None) -> None:
        self.name = name
        self.body = mesh if isinstance(mesh, Body) else Body(mesh)
        known = convex if convex is not None else getattr(mesh, "is_convex", None)  # a trimesh.Trimesh knows it
        if isinstance(known, (bool, np.bool_)):
            self.convex = bool(known)
        self.place(pose)

    def place(self, pose: Pose) -> None:
        self.pose = pose
        self.box = _boxes.placed(self.body.box, pose)

    @cached_property
    def convex(self) -> bool:
        return self.body.has_mesh and is_convex(self.body.mesh)

    @cached_property
    def closed(self) -> bool:
        return self.body.has_mesh and classify(self.body.mesh).closed

    @cached_property
    def pieces(self) -> Any:
        """A vertex of each connected piece, in local coordinates."""
        if not self.body.has_mesh:
            return np.zeros((0, 3))
        mesh = self.body.mesh
        _, first = np.unique(classify(mesh).component_of, return_index=True)
        return mesh.vertices[[mesh.polygon(int(polygon))[0] for polygon in first]]


def point_within(outer: Object, outer_pose: Pose, inner: Object, inner_pose: Pose) -> Optional[Any]:
    """A point of one object that is inside the other, which is solid, or None. Their surfaces are known to be apart."""
    if not outer.closed:
        return None
    box = _boxes.placed(outer.body.box, outer_pose)
    points = [inner_pose.apply(point) for point in inner.pieces]
    near = [p for p in points if (box[0] <= p).all() and (p <= box[1]).all()]
    if not near:
        return None
    if inner.closed:  # decided for the exact poses, and not for rounded points
        found = collide(outer.body, outer_pose, inner.body, inner_pose, solid=True)
        if found.contained != Containment.b_in_a:
            return None
    inside = (p for p in near if contains(outer.body, outer_pose, p).location == Location.inside)
    return next(inside, near[0] if inner.closed else None)
