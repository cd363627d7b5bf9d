// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include <graze/mesh/mesh.hpp>
#include <graze/query/collide.hpp>

#include "math/placed_points.hpp"
#include "prim/neighbours.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::query {

/// Two triangles of one mesh: the vertices they share by id, and the rest. A corner that is not there (an id used twice
/// in a triangle) is filled up with a shared vertex, which adds nothing to the set of points.
struct SharedVertices {
  int count = 0;
  bool same_face = false;
  std::array<std::uint32_t, 3> shared{};
  std::array<std::uint32_t, 3> rest_a{}, rest_b{};

  SharedVertices(const Triangle& a, const Triangle& b) {
    Triangle sa = a, sb = b;
    std::sort(sa.begin(), sa.end());
    std::sort(sb.begin(), sb.end());
    same_face = sa == sb;
    for (std::size_t i = 0; i < 3; ++i)
      if ((i == 0 || sa[i] != sa[i - 1]) && std::find(sb.begin(), sb.end(), sa[i]) != sb.end())
        shared[static_cast<std::size_t>(count++)] = sa[i];
    if (count > 0) {
      rest_a = rest(sa);
      rest_b = rest(sb);
    }
  }

 private:
  std::array<std::uint32_t, 3> rest(const Triangle& t) const {
    std::array<std::uint32_t, 3> r{shared[0], shared[0], shared[0]};
    std::size_t n = 0;
    for (const std::uint32_t v : t)
      if (std::find(shared.begin(), shared.begin() + count, v) == shared.begin() + count) r[n++] = v;
    return r;
  }
};

struct SelfMeeting {
  Neighbourhood neighbourhood = Neighbourhood::apart;
  ContactKind kind = ContactKind::touching;
};

/// Do two triangles of one mesh meet, outside what they share by their vertices' ids (see `self_collide`)? Exact.
/// `inner(0)`, `inner(1)`: which of a's, of b's edges are diagonals of a planar polygon; asked only where it matters.
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
    load({a[0], a[1], a[2], b[0], b[1], b[2]});
    const prim::TriangleContact c = prim::triangle_triangle(points, inner(0), inner(1));
    if (c == prim::TriangleContact::none) return std::nullopt;
    return SelfMeeting{Neighbourhood::apart, kind(c == prim::TriangleContact::crossing)};
  }
  if (s.count == 1) {
    load({s.shared[0], s.rest_a[0], s.rest_a[1], s.rest_b[0], s.rest_b[1]});
    const prim::EdgeContact c = prim::meet_beyond_vertex(points);
    if (c == prim::EdgeContact::none) return std::nullopt;
    return SelfMeeting{Neighbourhood::shared_vertex, kind(c == prim::EdgeContact::crossing)};
  }
  load({s.shared[0], s.shared[1], s.rest_a[0], s.rest_b[0]});
  if (!prim::meet_beyond_edge(points)) return std::nullopt;
  return SelfMeeting{Neighbourhood::shared_edge, ContactKind::touching};
}

}  // namespace graze::query
