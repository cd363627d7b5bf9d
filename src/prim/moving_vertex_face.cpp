// SPDX-License-Identifier: MIT
#include "prim/moving_vertex_face.hpp"

#include "prim/closest.hpp"

namespace graze::prim {
namespace {

Vec3 normal_of(const std::array<Vec3, 3>& f) { return cross(f[1] - f[0], f[2] - f[0]); }

MovingDirection holding(const Vec3& direction, const std::array<Vec3, 3>& points) {
  MovingDirection d(direction);
  for (const Vec3& p : points) d.hold(p);
  return d;
}

}  // namespace

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
  // Degenerate faces have no normal; and beyond a corner two edges may take turns. The direction to the closest point
  // settles both.
  const Vec3 p = x.at(root.middle());
  const MovingDirection closest = holding(closest_point_triangle(p, face_).point - p, face_);
  return !closest.apart(closest.course(x), root);
}

}  // namespace graze::prim
