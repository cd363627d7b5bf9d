// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::classic::zachmann {

/// Zachmann 3.5, a Monte-Carlo method for closed bodies and the solid query: a point that is in both bodies proves that
/// they meet. First the vertices of both, in random order ("stochastic pre-conditioning"), then points drawn inside
/// both boxes. `contact` is certain, and `points` has the witness; if no point is found the answer is `undecided`, as
/// there is no lower bound on the size of the intersection.
///
/// SamplingOptions: the seed, the number of points, and whether to try the vertices. The same seed gives the same
/// answer on every platform; another seed, or the bodies swapped, may decide more or fewer queries.
///
/// Threads (6.3.1): after the first samples, parts of the sequence are tried concurrently. The samples are drawn in one
/// order, and of those found the first in this order counts: witness and counters are the same for any number.
///
/// Deviations: points are tested exactly, points on a surface count as inside, and singular rays are decided where the
/// thesis discards the point (see point_in_body). Vertices outside the other body's box are not tried.
struct Sampling {
  static constexpr MethodTraits traits{
      .name = "sampling",
      .summary = "random points in both bodies (Zachmann 3.5): contact, or undecided; closed bodies, solid",
      .free_certain = false,
      .witness = false,
      .all_pairs = false,
      .solid_only = true,
      .surface = false};
  static std::optional<ErrorDetail> refuses(const engine::collide::CollideQuery& query);
  static void run(const engine::collide::CollideQuery& query, CollideResult& result);
};

}  // namespace graze::classic::zachmann
