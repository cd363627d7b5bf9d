// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::engine::collide {

/// Zachmann 3.2, the oracle: every edge of one body against every face of the other and vice versa, with all of the
/// thesis's conservative pre-checks: edges against the other body's box, the collect phase for faces, each edge's box
/// against each face's box. Each can be switched off; none changes the answer.
///
/// Deviations: boxes are compared in A's frame and widened by the placement's error, edges are those of the
/// triangulation, and the test itself is exact. The witness is the first in this order: edges of A by id against faces
/// of B by id, then edges of B.
struct Brute {
  static constexpr MethodTraits traits{
      .name = "brute", .summary = "every edge against every face, with certain pre-checks (Zachmann 3.2); the oracle"};
  static std::optional<ErrorDetail> refuses(const CollideQuery&) { return std::nullopt; }
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::engine::collide
