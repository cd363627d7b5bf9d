// SPDX-License-Identifier: MIT
#include "prim/edge_triangle.hpp"

namespace graze::prim {

using math::PlacedPoints;

namespace {

bool on_segment(PlacedPoints& p, const std::array<int, 2>& e, int point) {
  if (!p.collinear(e[0], e[1], point)) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (p.compare(axis, e[0], point) * p.compare(axis, point, e[1]) < 0) return false;
  return true;
}

/// Proper crossing of two segments in one plane, seen along an axis.
bool cross_in_projection(PlacedPoints& p, int axis, const std::array<int, 2>& e, const std::array<int, 2>& f) {
  return p.orient2d(axis, e[0], e[1], f[0]) * p.orient2d(axis, e[0], e[1], f[1]) < 0 &&
         p.orient2d(axis, f[0], f[1], e[0]) * p.orient2d(axis, f[0], f[1], e[1]) < 0;
}

/// A projection in which three points are not collinear, and their orientation there; -1 if there is none.
std::array<int, 2> projection(PlacedPoints& p, const std::array<int, 3>& t) {
  for (int axis = 0; axis < 3; ++axis)
    if (const int turn = p.orient2d(axis, t[0], t[1], t[2])) return {axis, turn};
  return {-1, 0};
}

bool in_triangle(PlacedPoints& p, const std::array<int, 3>& t, const std::array<int, 2>& view, int point) {
  for (int k = 0; k < 3; ++k)
    if (p.orient2d(view[0], t[k], t[(k + 1) % 3], point) * view[1] < 0) return false;
  return true;
}

}  // namespace

bool segments_meet(PlacedPoints& p, const std::array<int, 2>& e, const std::array<int, 2>& f) {
  if (on_segment(p, e, f[0]) || on_segment(p, e, f[1]) || on_segment(p, f, e[0]) || on_segment(p, f, e[1])) return true;
  if (p.orient3d(e[0], e[1], f[0], f[1]) != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (p.orient2d(axis, e[0], e[1], f[0]) != 0 || p.orient2d(axis, e[0], e[1], f[1]) != 0)
      return cross_in_projection(p, axis, e, f);
  return false;  // all four collinear, and no end on the other segment
}

EdgeContact edge_triangle(PlacedPoints& p, const std::array<int, 2>& e, const std::array<int, 3>& t, unsigned inner) {
  const int s0 = p.orient3d(t[0], t[1], t[2], e[0]), s1 = p.orient3d(t[0], t[1], t[2], e[1]);
  if (s0 * s1 > 0) return EdgeContact::none;
  if (s0 * s1 < 0) {
    int negative = 0, positive = 0;
    unsigned on_edges = 0;
    for (int k = 0; k < 3; ++k) {
      const int o = p.orient3d(e[0], e[1], t[k], t[(k + 1) % 3]);
      negative += o < 0;
      positive += o > 0;
      if (o == 0) on_edges |= 1u << k;
    }
    if (negative > 0 && positive > 0) return EdgeContact::none;
    const bool inside = on_edges == 0 || (negative + positive == 2 && (on_edges & inner) != 0);
    return inside ? EdgeContact::crossing : EdgeContact::touching;
  }
  const std::array<int, 2> view = projection(p, t);
  if (view[0] >= 0) {
    if (s0 == 0 && in_triangle(p, t, view, e[0])) return EdgeContact::touching;
    if (s1 == 0 && in_triangle(p, t, view, e[1])) return EdgeContact::touching;
    if (s0 != 0 || s1 != 0) return EdgeContact::none;
  }
  // The edge lies in the plane with its ends outside the triangle, or the triangle is degenerate: a contact requires
  // that it meets an edge.
  for (int k = 0; k < 3; ++k)
    if (segments_meet(p, e, {t[k], t[(k + 1) % 3]})) return EdgeContact::touching;
  return EdgeContact::none;
}

}  // namespace graze::prim
