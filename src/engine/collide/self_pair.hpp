// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include <graze/ask/collide.hpp>
#include <graze/mesh/mesh.hpp>

#include "engine/collide/one_side.hpp"
#include "math/placed_points.hpp"
#include "math/vectors.hpp"
#include "prim/neighbours.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::engine::collide {

/// Two triangles of one mesh: the vertices they share by id, and the others. A missing corner (an id used twice in a
/// triangle) is replaced by a shared vertex, which adds no points to the set.
struct SharedVertices {
  int count = 0;
  bool same_face = false;
  std::array<std::uint32_t, 3> shared{};
  std::array<std::uint32_t, 3> rest_a{}, rest_b{};

  SharedVertices(const Triangle& a, const Triangle& b) {
    const auto is_in = [](std::uint32_t v, const Triangle& t) { return v == t[0] || v == t[1] || v == t[2]; };
    const auto has_twice = [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; };
    for (std::size_t i = 0; i < 3; ++i)
      if (is_in(a[i], b) && (i == 0 || a[i] != a[0]) && (i < 2 || a[i] != a[1]))
        shared[static_cast<std::size_t>(count++)] = a[i];
    if (count == 0) return;
    same_face = count == 3;
    if (has_twice(a) || has_twice(b)) same_face = sorted(a) == sorted(b);
    rest_a = rest(a);
    rest_b = rest(b);
  }

 private:
  static Triangle sorted(Triangle t) {
    std::sort(t.begin(), t.end());
    return t;
  }
  std::array<std::uint32_t, 3> rest(const Triangle& t) const {
    std::array<std::uint32_t, 3> r{shared[0], shared[0], shared[0]};
    std::size_t n = 0;
    for (const std::uint32_t v : t)
      if (std::find(shared.begin(), shared.begin() + count, v) == shared.begin() + count) r[n++] = v;
    return r;
  }
};

/// Certifies that two triangles with a common corner v and other corners a, b and c, d share no other point: along some
/// direction n both a and b lie strictly above v, both c and d strictly below, and so do all points of each triangle
/// except v. Any n is valid, so only the products need an error bound: differences have a relative error of u = 2^-53,
/// and a triple product, with its sums, an error below 5 u times the sum of its terms' magnitudes.
inline bool meet_only_in_vertex(const Vec3& v, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 side[4] = {a - v, b - v, c - v, d - v};
  double share[4];
  // Of unit length: then n halves the angle between two thin triangles, however near they are.
  for (int i = 0; i < 4; ++i) {
    const double size = math::norm(side[i]);
    if (!(size > 1e-140 && size < 1e140)) return false;
    share[i] = 1 / size;
  }
  const Vec3 n = side[0] * share[0] + side[1] * share[1] - side[2] * share[2] - side[3] * share[3];
  for (int i = 0; i < 4; ++i) {
    const double x = n.x * side[i].x, y = n.y * side[i].y, z = n.z * side[i].z;
    const double along = i < 2 ? x + y + z : -(x + y + z);
    if (!(along > 0x1p-50 * (std::fabs(x) + std::fabs(y) + std::fabs(z)) + 1e-290)) return false;
  }
  return true;
}

/// Certifies that two triangles with a common edge from p to q and other corners a and b share no other point:
/// projected along an axis, a and b lie strictly on opposite sides of the edge's line. A common point would lie on both
/// sides, or on the line, where each triangle has only its edge. Rounding error: as for Shewchuk's orient2d, (3 + 16 u)
/// u of the products.
inline bool meet_only_in_edge(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  const Vec3 e = q - p, f = a - p, g = b - p;
  for (int axis = 0; axis < 3; ++axis) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double l1 = e[i] * f[j], r1 = e[j] * f[i], l2 = e[i] * g[j], r2 = e[j] * g[i];
    const double s = l1 - r1, t = l2 - r2;
    if ((s > 0) != (t < 0)) continue;
    if (std::fabs(s) > 0x1p-50 * (std::fabs(l1) + std::fabs(r1)) + 1e-290 &&
        std::fabs(t) > 0x1p-50 * (std::fabs(l2) + std::fabs(r2)) + 1e-290)
      return true;
  }
  return false;
}

struct SelfMeeting {
  Neighbourhood neighbourhood = Neighbourhood::apart;
  ContactKind kind = ContactKind::touching;
};

/// Do two triangles of one mesh meet outside what they share by vertex id (see `self_collide`)? Exact. `inner(0)`,
/// `inner(1)`: which edges of a, of b are diagonals of a planar polygon; called only where it matters.
template <class Inner>
std::optional<SelfMeeting> self_meeting(math::PlacedPoints& points, std::span<const Vec3> positions, const Triangle& a,
                                        const Triangle& b, Inner&& inner) {
  const auto load = [&](std::initializer_list<std::uint32_t> vertices) {
    points.clear();
    for (const std::uint32_t v : vertices) points.add_a(positions[v]);
  };
  const auto kind = [](bool crossing) { return crossing ? ContactKind::crossing : ContactKind::touching; };
  const SharedVertices s(a, b);
  if (s.same_face) return SelfMeeting{Neighbourhood::same_face, ContactKind::touching};
  if (s.count == 0) {
    if (plane_between({positions[a[0]], positions[a[1]], positions[a[2]]},
                      {positions[b[0]], positions[b[1]], positions[b[2]]}))
      return std::nullopt;
    load({a[0], a[1], a[2], b[0], b[1], b[2]});
    const prim::TriangleContact c = prim::triangle_triangle(points, inner(0), inner(1));
    if (c == prim::TriangleContact::none) return std::nullopt;
    return SelfMeeting{Neighbourhood::apart, kind(c == prim::TriangleContact::crossing)};
  }
  if (s.count == 1) {
    if (meet_only_in_vertex(positions[s.shared[0]], positions[s.rest_a[0]], positions[s.rest_a[1]],
                            positions[s.rest_b[0]], positions[s.rest_b[1]]))
      return std::nullopt;
    load({s.shared[0], s.rest_a[0], s.rest_a[1], s.rest_b[0], s.rest_b[1]});
    const prim::EdgeContact c = prim::meet_beyond_vertex(points);
    if (c == prim::EdgeContact::none) return std::nullopt;
    return SelfMeeting{Neighbourhood::shared_vertex, kind(c == prim::EdgeContact::crossing)};
  }
  if (meet_only_in_edge(positions[s.shared[0]], positions[s.shared[1]], positions[s.rest_a[0]], positions[s.rest_b[0]]))
    return std::nullopt;
  load({s.shared[0], s.shared[1], s.rest_a[0], s.rest_b[0]});
  if (!prim::meet_beyond_edge(points)) return std::nullopt;
  return SelfMeeting{Neighbourhood::shared_edge, ContactKind::touching};
}

}  // namespace graze::engine::collide
