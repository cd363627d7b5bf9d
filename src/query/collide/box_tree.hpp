// SPDX-License-Identifier: MIT
#pragma once

#include "query/collide/method.hpp"

namespace graze::query {

/// Zachmann 3.6: two box-trees walked together, boxes compared by clipping the edges of each at the other, with line
/// parameters taken over from level to level; at leaves the edges of one against the polygons of the other.
/// docs/methods/box_tree.md says where and why it differs from the thesis.
///
/// First found: the first crossing pair in the order of the traversal (A is cut before B, left before right; at leaves
/// edges of A, then edges of B), else the first touching one. One thread: leaves are placed when first needed and pairs
/// met lately are remembered for the whole walk, which parts of it could not share; `tree` is the method that uses
/// threads.
struct BoxTree {
  static constexpr MethodTraits traits{
      .name = "box_tree", .summary = "two trees of boxes cut by planes, line parameters re-used (Zachmann 3.6)"};
  static std::optional<ErrorDetail> refuses(const CollideQuery& query);
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::query
