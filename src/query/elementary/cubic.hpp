// SPDX-License-Identifier: MIT
#pragma once

#include "query/elementary/method.hpp"

namespace graze::query {

/// ICCD III.B: the features' points are in one plane at the zeros of a cubic; solve it in doubles, and look there
/// whether they meet. As usual, and NOT certified: rounding moves zeros, multiple zeros vanish, and points that stay in
/// one plane have no cubic. Here for comparison. Meeting is: within the tolerance at the zero, or at t = 0 or 1. A
/// vertex and an edge: zeros of one component of their cross product; two vertices: their nearest time. Refuses a
/// minimum separation.
struct ElementaryCubic {
  static constexpr ElementaryTraits traits{.name = "cubic",
                                           .summary = "zeros of the coplanarity cubic in doubles (ICCD); not certified",
                                           .certified = false};
  static void run(const Elementary& e, ElementaryResult& result);
};

}  // namespace graze::query
