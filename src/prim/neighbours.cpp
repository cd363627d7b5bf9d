// SPDX-License-Identifier: MIT
#include "prim/neighbours.hpp"

#include <algorithm>

namespace graze::prim {

using math::PlacedPoints;

namespace {

/// Do the segments from v to x and from v to y share more than v?
bool same_direction(PlacedPoints& p, int v, int x, int y) {
  if (!p.collinear(v, x, y)) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (const int s = p.compare(axis, v, x) * p.compare(axis, v, y)) return s > 0;
  return false;  // x or y is at v itself
}

/// Does the segment from v to x meet the proper triangle (v, c, d) at a point other than v?
bool segment_beyond(PlacedPoints& p, int v, int x, int c, int d) {
  if (p.equal(v, x)) return false;
  return edge_triangle(p, {x, x}, {v, c, d}) != EdgeContact::none || segments_meet(p, {v, x}, {c, d});
}

bool beyond(PlacedPoints& p, int u, int v, int x) {  // x is on the line uv, strictly beyond v
  for (int axis = 0; axis < 3; ++axis)
    if (const int s = p.compare(axis, u, v)) return p.compare(axis, v, x) == s;
  return false;
}

}  // namespace

EdgeContact meet_beyond_vertex(PlacedPoints& p) {
  const bool flat1 = p.collinear(0, 1, 2), flat2 = p.collinear(0, 3, 4);
  bool touching = false;
  if (!flat1 && !flat2) return std::max(edge_triangle(p, {1, 2}, {0, 3, 4}), edge_triangle(p, {3, 4}, {0, 1, 2}));
  if (flat1 && flat2)
    touching = same_direction(p, 0, 1, 3) || same_direction(p, 0, 1, 4) || same_direction(p, 0, 2, 3) ||
               same_direction(p, 0, 2, 4);
  else if (flat1)
    touching = segment_beyond(p, 0, 1, 3, 4) || segment_beyond(p, 0, 2, 3, 4);
  else
    touching = segment_beyond(p, 0, 3, 1, 2) || segment_beyond(p, 0, 4, 1, 2);
  return touching ? EdgeContact::touching : EdgeContact::none;
}

bool meet_beyond_edge(PlacedPoints& p) {
  if (p.equal(0, 1)) return same_direction(p, 0, 2, 3);  // the shared edge degenerates to a point
  const bool flat1 = p.collinear(0, 1, 2), flat2 = p.collinear(0, 1, 3);
  if (flat1 && flat2) return (beyond(p, 0, 1, 2) && beyond(p, 0, 1, 3)) || (beyond(p, 1, 0, 2) && beyond(p, 1, 0, 3));
  if (flat1 || flat2) return false;  // the proper triangle has no point of the line outside the edge
  if (p.orient3d(0, 1, 2, 3) != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (const int s = p.orient2d(axis, 0, 1, 2)) return p.orient2d(axis, 0, 1, 3) == s;
  return false;
}

}  // namespace graze::prim
