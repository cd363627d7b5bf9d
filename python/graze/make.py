# SPDX-License-Identifier: MIT
"""Meshes at any resolution, for tests, demonstrations and measurements.

``triangles`` is a target: a shape has the nearest number that its regular grid allows. Explicit divisions (not 0) take
precedence.

>>> import graze
>>> graze.make.torus_knot(p=2, q=3, triangles=2880)
Mesh(1440 vertices, 2880 polygons, 2880 triangles)
"""
from ._graze.make import (
    box,
    bunny,
    car_shell,
    chair,
    cloth_sheet,
    cone,
    cube_array,
    cylinder,
    door,
    head,
    hyperboloid,
    ring,
    rolled_cloth,
    santa,
    shuttle,
    sphere,
    tetra_flake,
    tetrahedron,
    torus,
    torus_knot,
)

__all__ = [
    "box",
    "bunny",
    "car_shell",
    "chair",
    "cloth_sheet",
    "cone",
    "cube_array",
    "cylinder",
    "door",
    "head",
    "hyperboloid",
    "ring",
    "rolled_cloth",
    "santa",
    "shuttle",
    "sphere",
    "tetra_flake",
    "tetrahedron",
    "torus",
    "torus_knot",
]
