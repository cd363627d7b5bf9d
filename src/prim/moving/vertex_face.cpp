// SPDX-License-Identifier: MIT
#include "prim/moving/vertex_face.hpp"

#include "prim/closest/closest.hpp"

namespace graze::prim {
namespace {

Vec3 normal_of(const std::array<Vec3, 3>& f) { return cross(f[1] - f[0], f[2] - f[0]); }

MovingDirection holding(const Vec3& direction, const std::array<Vec3, 3>& points) {
  MovingDirection d(direction);
  for (const Vec3& p : points) d.hold(p);
  return d;
}

}  // namespace

std::array<Vec3, 2> directions_to_face(const Vec3& x, const std::array<Vec3, 3>& face) {
  const TrianglePoint closest = closest_point_triangle(x, face);
  const Vec3 d = x - closest.point;
  const auto edge = [&](std::size_t k) { return face[(k + 1) % 3] - face[k]; };
  std::size_t k = 0;
  if (is_edge(closest.part)) {
    k = static_cast<std::size_t>(edge_of(closest.part));
  } else {
    for (std::size_t i = 1; i < 3; ++i)
      if (dot(edge(i), edge(i)) > dot(edge(k), edge(k))) k = i;
  }
  return {d, across(d, edge(k))};
}

MovingVertexFace::MovingVertexFace(const std::array<Vec3, 3>& face)
    : face_(face),
      normal_(holding(normal_of(face), face)),
      inward_{holding(cross(normal_of(face), face[1] - face[0]), face),
              holding(cross(normal_of(face), face[2] - face[1]), face),
              holding(cross(normal_of(face), face[0] - face[2]), face)} {}

bool MovingVertexFace::may_meet(const MovingPoint& x) const {
  const MovingSpan root = normal_.meeting(normal_.course(x), {});
  if (root.empty()) return false;
  for (const MovingDirection& d : inward_)
    if (d.apart(d.course(x), root)) return false;
  // Degenerate faces have no normal; and beyond a corner, one edge may separate in a part of the span and the other
  // edge in the rest. The direction to the closest point handles both cases.
  for (const Vec3& n : directions_to_face(x.at(root.middle()), face_)) {
    const MovingDirection d = holding(n, face_);
    if (d.apart(d.course(x), root)) return false;
  }
  return true;
}

}  // namespace graze::prim
