// SPDX-License-Identifier: MIT
#include <graze/ask/penetration.hpp>

#include <utility>

#include "ask/mesh_penetration.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
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
  const bool half_a = a.data().is_half_space(), half_b = b.data().is_half_space();
  if (half_a && half_b) {
    refuse_penetration(result, engine::collide::unsupported("two half-spaces overlap without a limit"));
    return result;
  }
  if ((half_a && b.data().compound) || (half_b && a.data().compound)) {
    refuse_penetration(result,
                       engine::collide::unsupported("the depth of a compound in a half-space is not computed; ask "
                                                    "for each of its pieces"));
    return result;
  }
  core::Limits limits(options);
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    const shape::Core *core_a = half_a ? nullptr : engine::curved::convex_core(a.data()),
                      *core_b = half_b ? nullptr : engine::curved::convex_core(b.data());
    if (half_a) {
      engine::curved::penetrate_half_space(a.data().shape->rounding, pose_a, engine::curved::hull_core(b.data()),
                                           pose_b, result);
    } else if (half_b) {
      engine::curved::penetrate_half_space(b.data().shape->rounding, pose_b, engine::curved::hull_core(a.data()),
                                           pose_a, result);
      result.translation = -result.translation;
      std::swap(result.points[0], result.points[1]);
    } else if (core_a && core_b) {
      engine::curved::penetrate(*core_a, pose_a, *core_b, pose_b, options.relative_error, result);
    } else {
      ask::part_meshes(a, pose_a, b, pose_b, result);
    }
  });
  if (!ended) result.status = Status::undecided;
  core::leave_if_outer_ended(limits);
  return result;
}

}  // namespace graze
