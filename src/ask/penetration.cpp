// SPDX-License-Identifier: MIT
#include <graze/ask/penetration.hpp>

#include <utility>

#include "core/fp_guard.hpp"
#include "engine/collide/method.hpp"
#include "engine/curved/penetration.hpp"

namespace graze {

namespace {

void refuse_penetration(PenetrationResult& result, ErrorDetail detail) {
  result.status = Status::invalid_request;
  result.error = std::move(detail);
}

}  // namespace

PenetrationResult penetration(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                              const PenetrationOptions& options) {
  const core::FpGuard guard;
  PenetrationResult result;
  if (!(options.relative_error >= 1e-12 && options.relative_error < 1)) {
    refuse_penetration(result, {.code = ErrorCode::bad_option,
                                .message = "the relative error must be at least 1e-12 and less than 1",
                                .element = "option relative_error",
                                .id = ErrorDetail::none,
                                .file = {},
                                .line = ErrorDetail::none});
    return result;
  }
  for (const auto& [body, label] : {std::pair(&a, "body A"), std::pair(&b, "body B")})
    if (!body->data().is_half_space() && !engine::curved::convex_core(body->data())) {
      refuse_penetration(result, engine::collide::unsupported(
                                     "the depth is known for convex solids only: shapes, and closed convex meshes; use "
                                     "the hull of the mesh, or convex pieces of it",
                                     label));
      return result;
    }
  const bool half_a = a.data().is_half_space(), half_b = b.data().is_half_space();
  if (half_a && half_b) {
    refuse_penetration(result, engine::collide::unsupported("two half-spaces overlap without a limit"));
    return result;
  }
  if (half_a) {
    engine::curved::penetrate_half_space(a.data().shape->rounding, pose_a, *engine::curved::convex_core(b.data()),
                                         pose_b, result);
  } else if (half_b) {
    engine::curved::penetrate_half_space(b.data().shape->rounding, pose_b, *engine::curved::convex_core(a.data()),
                                         pose_a, result);
    result.translation = -result.translation;
    std::swap(result.points[0], result.points[1]);
  } else {
    engine::curved::penetrate(*engine::curved::convex_core(a.data()), pose_a, *engine::curved::convex_core(b.data()),
                              pose_b, options.relative_error, result);
  }
  return result;
}

}  // namespace graze
