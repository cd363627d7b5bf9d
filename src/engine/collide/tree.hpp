// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::engine::collide {

/// The fast method: simultaneous traversal of two trees of eight-wide boxes. Of two nodes the larger is opened, and its
/// children are compared with the other's whole box, eight per instruction in single precision; triangles likewise, one
/// against eight; undecided pairs go to the exact kernel.
///
/// Certificates. Two boxes are apart if a face axis of either, or the direction of the slab of either, separates them
/// by more than the frame's error (TreeFrame). Two triangles are apart, or cross, if all signs that prove it exceed
/// their error bounds (walk_triangles-inl.hpp); all other pairs are decided exactly by prim::triangle_triangle. The
/// order is depth first, the child with the largest overlap first, computed by arithmetic that rounds identically on
/// every instruction set: so the first pair found depends only on the input.
struct Tree {
  static constexpr MethodTraits traits{
      .name = "tree", .summary = "two trees of boxes, eight at a time, exact where needed; the fast one"};
  static std::optional<ErrorDetail> refuses(const CollideQuery&) { return std::nullopt; }
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::engine::collide
