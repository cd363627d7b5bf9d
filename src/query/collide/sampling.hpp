// SPDX-License-Identifier: MIT
#pragma once

#include "query/collide/method.hpp"

namespace graze::query {

/// Zachmann 3.5, a Monte-Carlo method for closed bodies and the solid question: a point that is in both bodies shows
/// that they meet. First the vertices of both, in random order ("stochastic pre-conditioning"), then points drawn
/// inside both boxes. `contact` is certain, and `points` has the witness; if no point is found the answer is
/// `undecided`, as there is no bound on how small the common part can be.
///
/// SamplingOptions: the seed, the number of points, and whether to try the vertices. The same seed gives the same
/// answer everywhere; another seed, or the bodies swapped, may decide more or less.
///
/// Deviations: points are tested exactly, points on a surface count, and singular rays are decided where the thesis
/// dismisses the point (see point_in_body). Vertices outside the other body's box are not tried.
struct Sampling {
  static constexpr MethodTraits traits{
      .name = "sampling",
      .summary = "random points in both bodies (Zachmann 3.5): contact, or undecided; closed bodies, solid",
      .free_certain = false,
      .witness = false,
      .all_pairs = false,
      .solid_only = true,
      .surface = false};
  static std::optional<ErrorDetail> refuses(const CollideQuery& query);
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::query
