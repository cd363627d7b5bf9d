// SPDX-License-Identifier: MIT
#include "query/elementary/touch_now.hpp"

#include <algorithm>

#include "math/predicates.hpp"

namespace graze::query {
namespace {

/// The sign of the triangle's area as seen along an axis.
int turn(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  return math::orient2d(a[x], a[y], b[x], b[y], c[x], c[y]);
}

bool in_line(const Vec3& a, const Vec3& b, const Vec3& c) {
  return turn(a, b, c, 0) == 0 && turn(a, b, c, 1) == 0 && turn(a, b, c, 2) == 0;
}

bool on_edge(const Vec3& p, const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i)
    if (p[i] < std::min(a[i], b[i]) || p[i] > std::max(a[i], b[i])) return false;
  return in_line(a, b, p);
}

bool on_face(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (math::orient3d(a, b, c, p) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    // Along an axis from which the face can be seen, points of its plane keep their order.
    const int face = turn(a, b, c, axis);
    if (face == 0) continue;
    return turn(a, b, p, axis) * face >= 0 && turn(b, c, p, axis) * face >= 0 && turn(c, a, p, axis) * face >= 0;
  }
  return on_edge(p, a, b) || on_edge(p, b, c) || on_edge(p, c, a);
}

bool edges_meet(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  if (math::orient3d(a0, a1, b0, b1) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const int b0_side = turn(a0, a1, b0, axis), b1_side = turn(a0, a1, b1, axis);
    const int a0_side = turn(b0, b1, a0, axis), a1_side = turn(b0, b1, a1, axis);
    if (b0_side == 0 && b1_side == 0 && a0_side == 0 && a1_side == 0) continue;
    // Seen from here they are not all in one line: each edge has its ends on both sides of the other's line, or on it.
    return b0_side * b1_side <= 0 && a0_side * a1_side <= 0;
  }
  return on_edge(a0, b0, b1) || on_edge(a1, b0, b1) || on_edge(b0, a0, a1) || on_edge(b1, a0, a1);
}

}  // namespace

bool touch_now(ElementaryKind kind, const std::array<Vec3, 4>& p) {
  switch (kind) {
    case ElementaryKind::vertex_face: return on_face(p[0], p[1], p[2], p[3]);
    case ElementaryKind::edge_edge: return edges_meet(p[0], p[1], p[2], p[3]);
    case ElementaryKind::vertex_edge: return on_edge(p[0], p[1], p[2]);
    case ElementaryKind::vertex_vertex: break;
  }
  return p[0] == p[1];
}

}  // namespace graze::query
