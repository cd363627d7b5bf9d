// SPDX-License-Identifier: MIT
#include <graze/ask/contains.hpp>
#include <graze/ask/distance.hpp>

#include "core/fp_guard.hpp"
#include "engine/contains/point_in_body.hpp"
#include "engine/contains/solid.hpp"
#include "engine/curved/point.hpp"

namespace graze {

ContainsResult contains(const Body& body, const Pose& pose, const Vec3& point) {
  const core::FpGuard guard;
  ContainsResult result;
  if (!is_finite(point)) {
    result.error = ErrorDetail{.code = ErrorCode::not_finite,
                               .message = "the point is not finite; give three finite numbers",
                               .element = "point",
                               .id = ErrorDetail::none,
                               .file = {},
                               .line = ErrorDetail::none};
    return result;
  }
  if (body.data().is_curved() || body.data().is_half_space()) {
    result.location = engine::curved::locate(body.data(), pose, point);
    return result;
  }
  if (auto error = engine::contains::not_solid(body.data(), "A")) {
    result.error = std::move(error);
    return result;
  }
  const math::RelativePlacement placement(pose, Pose());
  if (body.shape() && !body.data().classification().even) {  // a flat hull has no inside
    result.location = within(0, body, pose, Body(shape::Hull{{point}}), Pose()).status == Status::contact
                          ? Location::on_surface
                          : Location::outside;
    return result;
  }
  result.location = engine::contains::point_in_body(body.data(), placement, point, result.counters);
  return result;
}

}  // namespace graze
