# SPDX-License-Identifier: MIT
"""Convex solids that are what they say, not tessellations. Each is centred at its origin, with its axis along z.

>>> import graze
>>> graze.Body(graze.shape.Capsule(0.5, 2))
Body(capsule)
>>> graze.shape.rounded(graze.shape.Box([1, 2, 3]), 0.1)
Shape('box:1,2,3+0.1')
"""
from ._graze.shape import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Shape,
    Sphere,
    bounds,
    from_text,
    rounded,
    to_text,
)

__all__ = [
    "Box",
    "Capsule",
    "Cone",
    "Cylinder",
    "Ellipsoid",
    "HalfSpace",
    "Hull",
    "Shape",
    "Sphere",
    "bounds",
    "from_text",
    "rounded",
    "to_text",
]
