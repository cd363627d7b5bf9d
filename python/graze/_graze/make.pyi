# SPDX-License-Identifier: MIT
import numpy.typing as npt

from . import Mesh

def box(*, size: npt.ArrayLike = ..., triangles: int = 12, divisions: int = 0) -> Mesh: ...
def tetrahedron(*, size: float = 1.0, triangles: int = 4, divisions: int = 0) -> Mesh: ...
def sphere(*, radius: float = 1.0, triangles: int = 960, meridians: int = 0, bands: int = 0) -> Mesh: ...
def cylinder(
    *,
    radius: float = 0.5,
    height: float = 1.0,
    triangles: int = 512,
    around: int = 0,
    along: int = 0,
) -> Mesh: ...
def cone(*, radius: float = 0.5, height: float = 1.0, triangles: int = 128, around: int = 0) -> Mesh: ...
def torus(
    *,
    major: float = 1.0,
    minor: float = 0.4,
    triangles: int = 2304,
    around: int = 0,
    across: int = 0,
) -> Mesh: ...
def torus_knot(
    *,
    p: int = 2,
    q: int = 3,
    triangles: int = 11520,
    major: float = 1.0,
    minor: float = 0.4,
    tube: float = 0.15,
    along: int = 0,
    across: int = 0,
) -> Mesh: ...
def hyperboloid(
    *,
    waist: float = 0.25,
    radius: float = 0.5,
    height: float = 1.0,
    triangles: int = 1024,
    around: int = 0,
    along: int = 0,
) -> Mesh: ...
def tetra_flake(*, size: float = 1.0, triangles: int = 144, levels: int = -1, divisions: int = 0) -> Mesh: ...
def cube_array(*, size: float = 1.0, fill: float = 0.5, triangles: int = 324, count: int = 0) -> Mesh: ...
def ring(
    *,
    radius: float = 0.5,
    thickness: float = 0.06,
    width: float = 0.25,
    triangles: int = 10000,
    around: int = 0,
    across: int = 0,
) -> Mesh: ...
def cloth_sheet(
    *,
    width: float = 1.0,
    height: float = 1.0,
    triangles: int = 20000,
    columns: int = 0,
    rows: int = 0,
) -> Mesh: ...
def rolled_cloth(
    *,
    radius: float = 0.1,
    gap: float = 0.02,
    width: float = 1.0,
    turns: int = 6,
    triangles: int = 20000,
    along: int = 0,
    rows: int = 0,
) -> Mesh: ...
def shuttle(*, size: float = 1.0, triangles: int = 0) -> Mesh: ...
def chair(*, size: float = 1.0, triangles: int = 0) -> Mesh: ...
def head(*, size: float = 1.0, triangles: int = 0) -> Mesh: ...
def car_shell(*, size: float = 1.0, triangles: int = 0) -> Mesh: ...
def door(*, size: float = 1.0, triangles: int = 0) -> Mesh: ...
def bunny(*, size: float = 1.0, triangles: int = 0) -> Mesh: ...
def santa(*, size: float = 1.0, triangles: int = 0) -> Mesh: ...
