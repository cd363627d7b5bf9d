# SPDX-License-Identifier: MIT
"""What goes into questions about deforming meshes, and what comes out of their derivatives."""
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._enums import ElementaryKind


@dataclass(frozen=True)
class DeformBody:
    """How a body of a deforming mesh meets itself and others: two different bodies are tested only if each one's mask has
    a bit of the other's group."""

    self_contacts: bool = True
    group: int = 1
    mask: int = 4294967295


@dataclass(frozen=True)
class DeformFilter:
    """Which vertices of a deforming mesh may touch each other.

    >>> import graze
    >>> mesh = graze.make.cloth_sheet(triangles=200)
    >>> cloth = graze.Deformable(mesh)
    >>> cloth.set_filter(graze.DeformFilter(bodies=graze.vertex_bodies(mesh), settings=[graze.DeformBody(self_contacts=False)]))
    """

    bodies: Any = ()  #: the body of each vertex; empty: all belong to body 0
    settings: Sequence[DeformBody] = ()  #: by body; the others have the default settings
    off: Sequence[Tuple[int, int]] = ()  #: pairs of different bodies that are not tested
    fixed: Any = ()  #: vertices that are not tested against each other
    #: may vertices a < b touch? Asked last, for single pairs that are near each other, from all threads of a question
    may_touch: Optional[Callable[[int, int], bool]] = None


class Derivatives(NamedTuple):
    """Of ``squared_distances`` and ``edge_mollifiers``: one value for each pair, and what was wanted of its derivatives by
    coordinate k of vertex i, at 3 i + k."""

    values: Any  #: N
    gradients: Any  #: N x 12, or None
    hessians: Any  #: N x 12 x 12, or None


def signed_weights(pairs: Any) -> Any:
    """The weights of ``ProximityResult.pairs`` with those of the second feature negated, N x 4: their sum over the
    vertices' positions is the difference of the closest points.

    >>> import graze, numpy as np
    >>> x = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 0.25], [1, 1, 3], [1.5, 1, 3]], dtype=float)
    >>> pairs = graze.Deformable(graze.Mesh(x, [[0, 1, 2], [3, 4, 5]])).near(0.3).pairs
    >>> np.einsum("ni,nik->nk", graze.signed_weights(pairs), x[pairs["vertices"]])
    array([[0.  , 0.  , 0.25]])
    """
    signs = np.tile([1.0, -1.0, -1.0, -1.0], (len(pairs), 1))
    signs[(pairs["kind"] == ElementaryKind.edge_edge) | pairs["nearly_parallel"], 1] = 1
    return np.asarray(pairs["weights"]) * signs
