// SPDX-License-Identifier: MIT
#include "engine/deform/paths/rounded_core.hpp"

#include <variant>

#include "body/body_data.hpp"

namespace graze::engine::deform {

bool RoundedCore::has(const Body& body) {
  if (body.has_mesh()) return true;
  const shape::Shape* const s = body.shape();
  if (!s || body.data().placed_at) return false;  // a piece of a compound keeps its place apart from the shape
  return std::holds_alternative<shape::Sphere>(s->kind) || std::holds_alternative<shape::Capsule>(s->kind) ||
         std::holds_alternative<shape::Box>(s->kind) || std::holds_alternative<shape::Hull>(s->kind);
}

RoundedCore::RoundedCore(const Body& body) {
  if (body.has_mesh()) {
    mesh_ = &body.mesh();
    return;
  }
  const shape::Shape& s = *body.shape();
  radius_ = s.rounding;
  const auto segment = [&](double length, double radius) {
    core_ = length > 0 ? PathBody::Core::segment : PathBody::Core::point;
    // Halving is exact unless the length is subnormal; then the segment is longer by less than 2^-1074.
    const double half = length / 2;
    own_.emplace(std::vector<Vec3>{{0, 0, -half}, {0, 0, half}, {0, 0, half}}, std::vector<Triangle>{{0, 1, 2}});
    radius_ += radius;
  };
  if (const auto* sphere = std::get_if<shape::Sphere>(&s.kind))
    segment(0, sphere->radius);
  else if (const auto* capsule = std::get_if<shape::Capsule>(&s.kind))
    segment(capsule->length, capsule->radius);
  else
    own_.emplace(Body(shape::Shape(s.kind, 0)).mesh());
}

}  // namespace graze::engine::deform
