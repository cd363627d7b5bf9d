// SPDX-License-Identifier: MIT
#pragma once

#include "query/collide/method.hpp"

namespace graze::query {

/// The fast one: two trees of eight-wide boxes walked together, B's boxes turned into A's frame, eight box pairs and
/// eight triangle pairs an instruction in single precision; what that cannot decide goes to the exact kernel.
///
/// Certificates. Two boxes are apart if one of the six face axes separates them by more than the frame's error
/// (TreeFrame). Two triangles are apart, or cross, if all the signs that say so are larger than their error bounds
/// (tree_walk.cpp); all else is decided exactly by prim::triangle_triangle. The order is depth first, children by
/// index, so the first found depends on nothing but the input.
struct Tree {
  static constexpr MethodTraits traits{
      .name = "tree", .summary = "two trees of boxes, eight at a time, exact where needed; the fast one"};
  static std::optional<ErrorDetail> refuses(const CollideQuery&) { return std::nullopt; }
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::query
