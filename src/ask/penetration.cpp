// SPDX-License-Identifier: MIT
#include <graze/ask/penetration.hpp>

#include <utility>

#include "ask/mesh_penetration.hpp"
#include "ask/surfaces/surfaces.hpp"
#include "body/compound.hpp"
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

/// All pieces leave along the same normal: the deepest one tells how far.
void penetrate_half_space(const Body& half_space, const Pose& pose_a, const Body& b, const Pose& pose_b,
                          PenetrationResult& result) {
  const double level = half_space.data().shape->rounding;
  const body::Pieces pieces(b);
  bool certain = true, certain_contact = false;
  for (std::uint32_t i = 0; i < pieces.size(); ++i) {
    PenetrationResult of_piece;
    engine::curved::penetrate_half_space(level, pose_a, engine::curved::hull_core(pieces[i].data()), pose_b, of_piece);
    if (of_piece.status == Status::contact) (of_piece.certain ? certain_contact : certain) = of_piece.certain;
    if (i == 0 || of_piece.upper > result.upper || result.status == Status::free) result = of_piece;
  }
  result.certain = certain || certain_contact;
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
  if (auto refused = ask::refused_for_surfaces("penetration", a, b)) {
    refuse_penetration(result, std::move(*refused));
    return result;
  }
  core::Limits limits(options);
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    const shape::Core *core_a = half_a ? nullptr : engine::curved::convex_core(a.data()),
                      *core_b = half_b ? nullptr : engine::curved::convex_core(b.data());
    if (half_a) {
      penetrate_half_space(a, pose_a, b, pose_b, result);
    } else if (half_b) {
      penetrate_half_space(b, pose_b, a, pose_a, result);
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
