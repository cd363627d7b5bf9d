// SPDX-License-Identifier: MIT
#include <graze/ask/contains.hpp>
#include <graze/ask/distance.hpp>

#include "ask/compound/compound.hpp"
#include "ask/surfaces/surfaces.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/contains/point_in_body.hpp"
#include "engine/contains/solid.hpp"
#include "engine/curved/point.hpp"

namespace graze {

void contains(const Body& body, const Pose& pose, const Vec3& point, ContainsResult& result) {
  const core::FpGuard guard;
  result = ContainsResult{};
  if (!is_finite(point)) {
    result.error = core::problem(ErrorCode::not_finite, "point", "the point is not finite; give three finite numbers");
    return;
  }
  if (ask::is_compound(body)) return ask::contains_compound(body, pose, point, result);
  if (body.surface()) {
    result.error = ask::not_for_surfaces("whether a point is inside");
    return;
  }
  if (!body.has_mesh()) {
    result.location = engine::curved::locate(body.data(), pose, point);
    return;
  }
  if ((result.error = engine::contains::not_solid(body.data(), "A"))) return;
  if (body.shape() && !body.data().classification().even) {  // a flat hull has no inside
    result.location = within(0, body, pose, Body(shape::Hull{{point}}), Pose()).status == Status::contact
                          ? Location::on_surface
                          : Location::outside;
    return;
  }
  const math::RelativePlacement placement(pose, Pose());
  result.location = engine::contains::point_in_body(body.data(), placement, point, result.counters);
}

ContainsResult contains(const Body& body, const Pose& pose, const Vec3& point) {
  ContainsResult result;
  contains(body, pose, point, result);
  return result;
}

}  // namespace graze
