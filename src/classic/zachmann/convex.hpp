// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::classic::zachmann {

/// Zachmann 3.4.1, the modified Cyrus-Beck algorithm, for two convex bodies and the solid query: each edge of one body
/// is clipped by the half spaces behind the other's faces, and vice versa; only the interval of the line parameter is
/// kept. The intersection of both bodies has an extreme point, and such a point lies on an edge of one of them: so they
/// meet if and only if some edge is not clipped away entirely.
///
/// Pre-checks (ConvexOptions): edges against the other body's box; the collect phase, which clips only by faces that
/// reach the other body's box.
///
/// Deviations, each because the thesis's statement does not hold (docs/methods/convex.md and the tests have
/// counter-examples):
/// * It ignores half spaces that are parallel to the edge. An edge above and parallel to a face then remains, and
///   separate bodies "collide". Here a parallel edge is outside if its ends are outside; in the plane it touches, and
///   is kept.
/// * It concludes from an edge that remains after clipping by the collected faces that this edge meets the body, and
///   from no collected face at all that the body is "outside". The first is false if the body misses the other's box
///   altogether, the second if one body is inside the other. If the body meets the box the statement is true. So the
///   first remaining edge is clipped by the other faces too: if something remains the bodies meet, and later edges
///   need no such check; if nothing remains the body misses the box, and the bodies are apart.
/// * "Entering" restricts the interval from below (the text has it from above, the pseudo-code is right).
/// * Exact: signs by exact predicates, parameters as intervals of doubles with error bounds; where these overlap, by
///   big integers.
///
/// Threads (6.3.1): parts of the edges are clipped concurrently, and what they find is taken in the order of the edges:
/// the answer, the witness and the counters are the same for any number.
///
/// If the surfaces meet, the witness is the first crossing (otherwise touching) pair, found among the faces that bound
/// the interval.
struct Convex {
  static constexpr MethodTraits traits{
      .name = "convex",
      .summary = "clips edges by half spaces (modified Cyrus-Beck, Zachmann 3.4.1); convex bodies, solid",
      .all_pairs = false,
      .solid_only = true,
      .surface = false};
  static std::optional<ErrorDetail> refuses(const engine::collide::CollideQuery& query);
  static void run(const engine::collide::CollideQuery& query, CollideResult& result);
};

}  // namespace graze::classic::zachmann
