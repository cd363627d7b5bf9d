// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::classic::zachmann {

/// Zachmann 3.6: simultaneous traversal of two box-trees, boxes compared by clipping the edges of each against the
/// other, with line parameters reused from level to level; at leaves the edges of one against the polygons of the
/// other. docs/methods/box_tree.md lists the deviations from the thesis and their reasons.
///
/// First found: the first crossing pair in the order of the traversal (A is cut before B, left before right; at leaves
/// edges of A, then edges of B), otherwise the first touching one.
///
/// Threads (6.3.1): one thread traverses and collects pairs of leaves, all of them test these, and what they find is
/// taken in the order of the traversal: the answer and the witness are the same for any number, the counters for any
/// number above one. (Each part places its leaves again and remembers its own tested pairs.)
struct BoxTree {
  static constexpr MethodTraits traits{
      .name = "box_tree", .summary = "two trees of boxes cut by planes, line parameters re-used (Zachmann 3.6)"};
  static std::optional<ErrorDetail> refuses(const engine::collide::CollideQuery& query);
  static void run(const engine::collide::CollideQuery& query, CollideResult& result);
};

}  // namespace graze::classic::zachmann
