// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

struct PenetrationOptions {
  double relative_error = 1e-6;  ///< of the depth, in [1e-12, 1)
};

struct PenetrationResult {
  /// `contact`: the solids share a point. `free`: they do not, and there is no depth. `invalid_request`: one of the two
  /// is a mesh that is not convex and closed.
  Status status = Status::undecided;
  /// False: they may be apart by less than the rounding bound of shape/shape.hpp.
  bool certain = true;
  /// The length of the shortest translation of B after which the two only touch is in [lower, upper].
  double lower = 0, upper = 0;
  /// Certified: moved by this, B and A share no inner point. Its length is `upper`, and a rounding bound more. Zero if
  /// they are apart.
  Vec3 translation;
  /// The points of A and of B that are deepest in the other along the translation, in world coordinates, rounded.
  std::array<Vec3, 2> points{};
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// How deep do two convex solids overlap: shapes, and meshes that are convex and closed? (Meshes count as solids here.)
///
/// The bounds are certified. They agree to the relative error, except where the depth is near the rounding bound, or
/// where the expanding polytope algorithm needs more than its 64 steps (a cylinder's rim across a flat face, say): then
/// `lower` is less, down to 0. `upper` and the translation hold in any case.
GRAZE_API PenetrationResult penetration(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                        const PenetrationOptions& options = {});

}  // namespace graze
