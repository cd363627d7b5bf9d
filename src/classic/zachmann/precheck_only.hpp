// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::classic::zachmann {

/// Zachmann 3.2.1, "returning after pre-checks": the pre-checks of `brute` and nothing after them. If no edge's box
/// meets a face's box the surfaces are certainly apart; as soon as one pair passes, the answer is `undecided` (the
/// thesis reports "collision" and may be wrong).
///
/// The pre-checks are those of BruteOptions; switching one off can only turn `free` into `undecided`. With `solid`,
/// bodies whose surfaces are proved apart are tested for containment as with every method, so `contact` can only mean
/// that one is inside the other.
///
/// Deviation: boxes are widened by the placement's error, which is what makes `free` certain.
struct PrecheckOnly {
  static constexpr MethodTraits traits{
      .name = "precheck_only",
      .summary = "the certain pre-checks of brute alone (Zachmann 3.2.1): free, or undecided",
      .contact_certain = false,
      .witness = false,
      .all_pairs = false};
  static std::optional<ErrorDetail> refuses(const engine::collide::CollideQuery&) { return std::nullopt; }
  static void run(const engine::collide::CollideQuery& query, CollideResult& result);
};

}  // namespace graze::classic::zachmann
