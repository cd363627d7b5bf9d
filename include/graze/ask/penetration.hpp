// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

struct PenetrationOptions {
  double relative_error = 1e-6;  ///< of the depth of convex solids, in [1e-12, 1)
  // Limits: see `CancelToken`. A step is a direction along which bodies that are not convex are parted. `undecided`
  // comes with the best translation found so far, if there is one.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

/// A connected part of the curve in which two surfaces meet, and a translation that starts there.
struct PenetrationPatch {
  Vec3 translation;                                  ///< as in the result: moved by this, B and A share no point
  double length = 0;                                 ///< of the translation
  std::array<Vec3, 2> points{};                      ///< as in the result, for this translation
  std::vector<TriangleId> triangles_a, triangles_b;  ///< those that meet; sorted. A curved shape has none
};

struct PenetrationResult {
  /// `contact`: the bodies share a point. `free`: they do not, and there is no depth. `undecided`: a limit ended the
  /// search.
  Status status = Status::undecided;
  /// False: they may be apart by less than the rounding bound of shape/shape.hpp.
  bool certain = true;
  /// The length of the shortest translation of B after which the two only touch is in [lower, upper]. For bodies that
  /// are not both convex, `lower` is 0.
  double lower = 0, upper = 0;
  /// Certified: moved by this, B and A share no inner point. Its length is `upper`, and a rounding bound more. Zero if
  /// they are apart.
  Vec3 translation;
  /// For bodies that are not both convex: one entry for each connected part of the intersection, the shortest
  /// translation first.
  std::vector<PenetrationPatch> patches;
  /// The points of A and of B that are deepest in the other along the translation, in world coordinates, rounded.
  std::array<Vec3, 2> points{};
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// How deep do two bodies overlap, and what parts them? Closed meshes count as solids here, open ones as surfaces.
///
/// **Convex solids**: shapes, and meshes that are convex and closed. The bounds are certified. They agree to the
/// relative error, except where the depth is near the rounding bound, or where the expanding polytope algorithm needs
/// more than its 64 steps (a cylinder's rim across a flat face, say): then `lower` is less, down to 0. `upper` and the
/// translation hold in any case.
///
/// **Other meshes**: a translation that is certified to part the bodies. It is least locally: where B then touches A,
/// the normal of the contact is (nearly) the direction of the translation, or directions between the two are no better.
/// A shorter translation, in another direction or into a gap that was not tried, may exist. A half-space and any mesh:
/// as for convex solids.
GRAZE_API PenetrationResult penetration(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                        const PenetrationOptions& options = {});

}  // namespace graze
