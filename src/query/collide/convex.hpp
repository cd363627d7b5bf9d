// SPDX-License-Identifier: MIT
#pragma once

#include "query/collide/method.hpp"

namespace graze::query {

/// Zachmann 3.4.1, the modified Cyrus-Beck algorithm, for two convex bodies and the solid question: each edge of one
/// body is clipped by the half spaces behind the other's faces, and the other way round; only the interval of the line
/// parameter is kept. What both bodies share has an extreme point, and such a point lies on an edge of one of them: so
/// they meet if and only if an edge is not clipped away.
///
/// Pre-checks (ConvexOptions): edges against the other body's box; the collect phase, which clips by faces that reach
/// the other body's box only.
///
/// Deviations, each because the thesis's statement does not hold (docs/methods/convex.md has the counter-examples, the
/// tests too):
/// * It ignores half spaces that are parallel to the edge. An edge above and parallel to a face then stays, and
/// separate bodies "collide".
///   Here a parallel edge is outside if its ends are outside; in the plane it touches, and is kept.
/// * It takes an edge that the collected faces leave over for an edge that meets the body, and no collected face at all
/// for "outside". The
///   first is false if the body misses the other's box altogether, the second if one body is inside the other. If the
///   body meets the box the statement is true. So the first edge that is left over is clipped by the forgotten faces
///   too: if something stays the bodies meet, and later edges need no such check; if nothing stays the body misses the
///   box, and the bodies are apart.
/// * "Entering" restricts the interval from below (the text has it from above, the pseudo-code is right).
/// * Exact: signs by exact predicates, parameters as intervals of doubles with error bounds; where these overlap, by
/// big integers.
///
/// Where the surfaces meet, the witness is the first crossing (else touching) pair, found among the faces that bound
/// the interval.
struct Convex {
  static constexpr MethodTraits traits{
      .name = "convex",
      .summary = "clips edges by half spaces (modified Cyrus-Beck, Zachmann 3.4.1); convex bodies, solid",
      .all_pairs = false,
      .solid_only = true,
      .surface = false};
  static std::optional<ErrorDetail> refuses(const CollideQuery& query);
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::query
