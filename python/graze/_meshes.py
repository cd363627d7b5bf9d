# SPDX-License-Identifier: MIT
"""Vertices and faces of other packages' meshes, by their attributes: none of the packages is imported."""
from typing import Any, Tuple

import numpy as np

ADVICE = (
    "a mesh is made from vertices and faces, or from an object with .vertices (or .points) and .faces, .triangles or "
    ".cells, as those of trimesh, Open3D, meshio and PyVista"
)


def arrays_of(mesh: Any) -> Tuple[Any, Any]:
    """The vertices of an object, and its faces: an array with a row for each, or a list of lists."""
    vertices = _first(mesh, "vertices", "points")
    if vertices is None:
        raise TypeError(f"{ADVICE}; not from {type(mesh).__name__}")
    if getattr(mesh, "cells", None) is not None and hasattr(mesh, "cells_dict"):  # meshio
        if isinstance(mesh.cells, np.ndarray):  # PyVista's UnstructuredGrid
            raise TypeError("a grid of cells is no surface; take the surface of the mesh first, with .extract_surface()")
        return vertices, _of_blocks(mesh.cells)
    faces = _first(mesh, "faces", "triangles")
    if faces is None:
        raise TypeError(f"{ADVICE}; {type(mesh).__name__} has no faces")
    faces = np.asanyarray(faces)  # with its mask, if it has one
    if faces.ndim == 1 and faces.size:  # PyVista: the number of corners before the corners of each
        return vertices, _of_counted(faces)
    return vertices, faces


def _first(mesh: Any, *names: str) -> Any:
    for name in names:
        value = getattr(mesh, name, None)
        if value is not None and not callable(value):
            return value
    return None


def _of_blocks(blocks: Any) -> Any:
    known = {"triangle": 3, "quad": 4, "polygon": 0}
    other = sorted({str(block.type) for block in blocks} - set(known) - {"vertex", "line"})
    if other:
        raise TypeError(f"cells of the type {other[0]} are no surface; take the surface of the mesh first")
    found = [np.asanyarray(block.data) for block in blocks if block.type in known]
    if len(found) == 1:
        return found[0]
    return [row for data in found for row in data.tolist()]


def _of_counted(flat: "np.ndarray[Any, Any]") -> Any:
    count = int(flat[0])
    if count > 0 and flat.size % (count + 1) == 0:
        rows = flat.reshape(-1, count + 1)
        if (rows[:, 0] == count).all():
            return rows[:, 1:]
    faces, at = [], 0
    while at < flat.size:
        count = int(flat[at])
        if count < 0 or at + 1 + count > flat.size:
            raise ValueError(f"the list of faces is cut short at its entry {at}")
        faces.append(flat[at + 1 : at + 1 + count].tolist())
        at += 1 + count
    return faces
