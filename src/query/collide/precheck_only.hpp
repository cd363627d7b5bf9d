// SPDX-License-Identifier: MIT
#pragma once

#include "query/collide/method.hpp"

namespace graze::query {

/// Zachmann 3.2.1, "returning after pre-checks": the pre-checks of `brute` and nothing after them. If no edge's box
/// meets a face's box the surfaces are apart, for certain; as soon as one pair is left, the answer is `undecided` (the
/// thesis says "collision" and may be wrong).
///
/// The pre-checks are those of BruteOptions; switching one off can only turn `free` into `undecided`. With `solid`,
/// bodies whose surfaces are proved apart are looked at for containment as for every method, so that `contact` can only
/// mean that one is inside the other.
///
/// Deviation: boxes are widened by the placement's error, which is what makes `free` certain.
struct PrecheckOnly {
  static constexpr MethodTraits traits{
      .name = "precheck_only",
      .summary = "the certain pre-checks of brute alone (Zachmann 3.2.1): free, or undecided",
      .contact_certain = false,
      .witness = false,
      .all_pairs = false};
  static std::optional<ErrorDetail> refuses(const CollideQuery&) { return std::nullopt; }
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::query
