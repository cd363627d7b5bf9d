// SPDX-License-Identifier: MIT
#include "body/slabs.hpp"

#include <gtest/gtest.h>

#include <graze/mesh/make.hpp>

#include "body/wide_tree.hpp"

namespace graze::body {
namespace {

/// All corners below a node lie in its slab, computed in doubles from the corners as they are stored.
void check(const WideTree& t, std::uint32_t node, std::uint32_t slab_of, const SlabView& view, std::uint32_t slot) {
  const bvh::WideNode& n = t.tree.nodes[node];
  if (!n.bottom) {
    for (std::uint32_t k = 0; k < n.count; ++k) check(t, n.first + k, slab_of, view, slot);
    return;
  }
  for (int corner = 0; corner < 3; ++corner)
    for (std::uint32_t i = 0; i < n.count; ++i) {
      double v = 0;
      for (int axis = 0; axis < 3; ++axis)
        v += double{view.m[static_cast<std::size_t>(axis)][slot]} *
             (double{n.origin[axis]} + double{t.row(n, corner, axis)[i]});
      ASSERT_GE(v, view.lo[slot]) << slab_of;
      ASSERT_LE(v, view.hi[slot]) << slab_of;
    }
}

TEST(Slabs, HoldEveryCornerBelowThem) {
  for (const Mesh& mesh :
       {make::torus_knot({.p = 2, .q = 3, .triangles = 2880}), make::sphere({.triangles = 500}), make::box()}) {
    const WideTree t(mesh, 1);
    for (std::uint32_t i = 0; i < t.tree.nodes.size(); ++i) {
      const bvh::WideNode& n = t.tree.nodes[i];
      if (n.bottom) continue;
      const SlabView view = t.slabs.of(n);
      for (std::uint32_t k = 0; k < n.count; ++k) {
        check(t, n.first + k, n.first + k, view, k);
        const SlabView own = t.slabs.of_node(t.tree.nodes[n.first + k], n.first + k);
        for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(own.m[axis], view.m[axis] + k);
        EXPECT_EQ(own.lo, view.lo + k);
        EXPECT_EQ(own.hi, view.hi + k);
      }
    }
  }
}

}  // namespace
}  // namespace graze::body
