// SPDX-License-Identifier: MIT
#pragma once

#include "query/collide/method.hpp"

namespace graze::query {

/// The fast one: two trees of eight-wide boxes walked together. Of two nodes the larger is opened, and its children are
/// compared with the other's whole box, eight an instruction in single precision; triangles likewise, one against
/// eight; what that cannot decide goes to the exact kernel.
///
/// Certificates. Two boxes are apart if a face axis of either, or the direction of the slab of either, separates them
/// by more than the frame's error (TreeFrame). Two triangles are apart, or cross, if all the signs that say so are
/// larger than their error bounds (walk_triangles-inl.hpp); all else is decided exactly by prim::triangle_triangle. The
/// order is depth first, the child that overlaps most first, by arithmetic that every instruction set rounds alike: so
/// the first found depends on nothing but the input.
struct Tree {
  static constexpr MethodTraits traits{
      .name = "tree", .summary = "two trees of boxes, eight at a time, exact where needed; the fast one"};
  static std::optional<ErrorDetail> refuses(const CollideQuery&) { return std::nullopt; }
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::query
