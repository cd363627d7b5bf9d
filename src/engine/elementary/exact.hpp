// SPDX-License-Identifier: MIT
#pragma once

#include "engine/elementary/method.hpp"

namespace graze::engine::elementary {

/// Exact arithmetic throughout (prim/exact_moving): contact if and only if the features share a point at some time, and
/// the first such time enclosed to 2^-52. Slow, decides every query; the oracle of the other methods. Has neither a
/// tolerance nor a work budget; rejects a minimum separation.
struct ElementaryExact {
  static constexpr ElementaryTraits traits{
      .name = "exact", .summary = "polynomials with integer coefficients; yes and no are exact", .certified = true};
  static void run(const Elementary& e, ElementaryResult& result);
};

}  // namespace graze::engine::elementary
