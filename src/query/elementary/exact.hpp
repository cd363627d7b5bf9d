// SPDX-License-Identifier: MIT
#pragma once

#include "query/elementary/method.hpp"

namespace graze::query {

/// Exact arithmetic throughout (prim/exact_moving): contact if and only if the features share a point at some time, and
/// the first such time enclosed to 2^-52. Slow, decides everything; the oracle of the other methods. Knows neither
/// tolerance nor work; refuses a minimum separation.
struct ElementaryExact {
  static constexpr ElementaryTraits traits{
      .name = "exact", .summary = "polynomials with integer coefficients; yes and no are exact", .certified = true};
  static void run(const Elementary& e, ElementaryResult& result);
};

}  // namespace graze::query
