// SPDX-License-Identifier: MIT
#include <utility>
#include <variant>
#include <vector>

#include <graze/mesh/make.hpp>
#include <graze/shape/shape.hpp>

#include "playground/makers.hpp"

namespace graze::play {
namespace {

Mesh scaled(const Mesh& mesh, const Vec3& by, const Vec3& shift = {}) {
  std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& p : positions) p = Vec3{p.x * by.x, p.y * by.y, p.z * by.z} + shift;
  return Mesh(std::move(positions), mesh.polygons());
}

Mesh capsule(double radius, double length) {
  const Mesh ball = make::sphere({.radius = radius, .triangles = 960});
  std::vector<Vec3> positions(ball.positions().begin(), ball.positions().end());
  for (Vec3& p : positions) p.z += p.z > 0 ? length / 2 : p.z < 0 ? -length / 2 : 0;
  return Mesh(std::move(positions), ball.polygons());
}

}  // namespace

Mesh picture(const Body& body) {
  if (body.has_mesh()) return body.mesh();
  const shape::Shape* s = body.shape();
  if (s && std::holds_alternative<shape::HalfSpace>(s->kind))
    return scaled(make::box({.size = {20, 20, 0.2}}), {1, 1, 1}, {0, 0, -0.1});
  if (s && std::holds_alternative<shape::Capsule>(s->kind)) {
    const auto& c = std::get<shape::Capsule>(s->kind);
    return capsule(c.radius + s->rounding, c.length);
  }
  const Box3& box = body.box();
  const Vec3 size = box.hi - box.lo, middle = (box.hi + box.lo) * 0.5;
  const bool cylinder = s && std::holds_alternative<shape::Cylinder>(s->kind);
  const bool round =
      s && (std::holds_alternative<shape::Sphere>(s->kind) || std::holds_alternative<shape::Ellipsoid>(s->kind));
  if (round) return scaled(make::sphere({.radius = 0.5, .triangles = 960}), size, middle);
  if (cylinder) return scaled(make::cylinder({.radius = 0.5, .height = 1, .triangles = 256}), size, middle);
  return scaled(make::box(), size, middle);
}

}  // namespace graze::play
