# SPDX-License-Identifier: MIT
"""Boxes in world coordinates, 2 x 3 numbers each: which of them overlap, how far apart are they.

Every box here certainly contains its object. A point of the object is a convex combination of the corners of its own box,
so it is in the box of the placed corners. `Pose.apply` gives these to a few units in the last place of the largest term,
2^-50 of `_size` at most; the boxes are wider by 2^-40 of it on every side.
"""
from typing import Any, Iterator, Optional, Tuple

import numpy as np

from ._graze import Motion, Pose

_MARGIN = 2.0**-40
_CORNERS = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)])


def _size(local: Any, pose: Pose) -> float:
    """At least the largest term of the sums that place a corner."""
    return float(np.abs(pose.translation).sum() + np.abs(local).max() * 3)


def placed(local: Any, pose: Pose) -> Any:
    if not np.isfinite(local).all() or np.abs(local).max() > 1e300:  # a half-space
        return np.array([[-np.inf] * 3, [np.inf] * 3])
    corners = np.array([pose.apply(corner) for corner in np.take_along_axis(local, _CORNERS, axis=0)])
    margin = _MARGIN * _size(local, pose)
    return np.array([corners.min(axis=0) - margin, corners.max(axis=0) + margin])


def swept(local: Any, start: Any, motion: Optional[Motion], separation: float) -> Any:
    """Of an object that moves: no point travels further along an axis than `Motion.travel` certifies."""
    around = separation * (1 + _MARGIN)
    wider = np.array([[-around] * 3, [around] * 3])
    if motion is None or not np.isfinite(start).all():
        return start + wider
    box = placed(local, Pose(motion.at(0.0))) + wider
    centre = local.mean(axis=0)
    radius = float(np.linalg.norm(local[1] - local[0])) * (0.5 + _MARGIN) + _MARGIN * float(np.abs(local).max())
    for axis in range(3):
        n = np.zeros(3)
        for side, sign in ((0, -1.0), (1, 1.0)):
            n[axis] = sign
            box[side, axis] += sign * (1 + _MARGIN) * motion.travel(n, centre, radius)
    return box


def overlapping_one(box: Any, boxes: Any) -> Any:
    """The boxes that one overlaps."""
    if len(boxes) == 0:
        return []
    return np.flatnonzero(((boxes[:, 0] <= box[1]) & (box[0] <= boxes[:, 1])).all(axis=1)).tolist()


def overlapping(boxes: Any) -> Iterator[Tuple[int, int]]:
    """All pairs that overlap, each once: along the axis on which their beginnings are spread most, those that begin
    before one ends are compared with it."""
    if len(boxes) < 2:
        return
    low = np.where(np.isfinite(boxes[:, 0]), boxes[:, 0], np.nan)
    spread = np.nan_to_num(np.nanstd(low, axis=0)) if np.isfinite(low).any() else np.zeros(3)
    axis = int(np.argmax(spread))
    order = np.argsort(boxes[:, 0, axis], kind="stable")
    ordered = boxes[order]
    ends = np.searchsorted(ordered[:, 0, axis], ordered[:, 1, axis], side="right")
    for i, end in enumerate(ends):
        rest = ordered[i + 1 : end]
        hits = ((rest[:, 0] <= ordered[i, 1]) & (ordered[i, 0] <= rest[:, 1])).all(axis=1)
        for k in np.flatnonzero(hits):
            yield int(order[i]), int(order[i + 1 + k])


def gaps(a: Any, b: Any) -> Any:
    """Lower bounds of the distances of the boxes of two lists, one by one: rounding is covered by their margins."""
    between = np.maximum(np.maximum(a[:, 0] - b[:, 1], b[:, 0] - a[:, 1]), 0)
    between = np.where(np.isfinite(between), between, 0)
    return np.sqrt((between**2).sum(axis=1)) * (1 - _MARGIN)
