// SPDX-License-Identifier: MIT
#pragma once

#include "engine/elementary/method.hpp"

namespace graze::classic::cubic {

/// ICCD III.B: the features' points are coplanar at the zeros of a cubic; solves it in double precision and tests there
/// whether the features meet. This is the usual method, and it is NOT certified: rounding moves zeros, multiple zeros
/// vanish, and points that stay in one plane have no cubic. Provided for comparison. The features count as meeting if
/// they are within the tolerance at a zero, or at t = 0 or 1. For a vertex and an edge: zeros of one component of their
/// cross product; for two vertices: the time at which they are nearest. Rejects a minimum separation.
struct ElementaryCubic {
  static constexpr ElementaryTraits traits{.name = "cubic",
                                           .summary = "zeros of the coplanarity cubic in doubles (ICCD); not certified",
                                           .certified = false};
  static void run(const engine::elementary::Elementary& e, ElementaryResult& result);
};

}  // namespace graze::classic::cubic
