// SPDX-License-Identifier: MIT
#include <graze/body/tree_nodes.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>
#include <graze/shape/shape.hpp>

namespace graze {
namespace {

TEST(TreeNodes, EveryLevelHasAllTrianglesInItsBoxes) {
  for (const double scale : {1.0, 0x1p-300, 0x1p300}) {
    const Mesh knot = make::torus_knot({.triangles = 2880});
    std::vector<Vec3> positions;
    for (const Vec3& p : knot.positions()) positions.push_back(p * scale);
    const Body body(Mesh(positions, knot.polygons()));
    std::size_t before = 0;
    for (int level = 0; level < 6; ++level) {
      const std::vector<TreeNode> nodes = tree_nodes(body, level);
      EXPECT_GE(nodes.size(), before);
      before = nodes.size();
      std::size_t triangles = 0;
      for (const TreeNode& node : nodes) triangles += node.triangles;
      EXPECT_EQ(triangles, 2880u) << level;
      for (const Triangle& t : body.mesh().triangles()) {
        bool inside = false;
        for (const TreeNode& node : nodes)
          inside = inside || (node.box.contains(positions[t[0]]) && node.box.contains(positions[t[1]]) &&
                              node.box.contains(positions[t[2]]));
        ASSERT_TRUE(inside) << level;
      }
    }
    EXPECT_GT(before, 300u);
  }
}

TEST(TreeNodes, AFlatSheetHasOneNormalAndASphereAllOfThem) {
  const Body sheet(make::cloth_sheet({.triangles = 200}));
  for (const TreeNode& node : tree_nodes(sheet, 1)) {
    EXPECT_NEAR(node.normal_cosine, 1, 1e-12);
    EXPECT_NEAR(std::fabs(node.normal_axis.z) + std::fabs(node.normal_axis.y), 1, 1e-12);
  }
  const Body ball(make::sphere({.triangles = 960}));
  EXPECT_LT(tree_nodes(ball, 0)[0].normal_cosine, 0);
  for (const TreeNode& node : tree_nodes(ball, 9)) EXPECT_GT(node.normal_cosine, 0.5);
}

TEST(TreeNodes, WhatHasNoNormalHasAllDirections) {
  const Body flat(Mesh({{1, 1, 1}, {1, 1, 1}, {2, 2, 2}}, std::vector<Triangle>{{0, 1, 2}}));
  ASSERT_EQ(tree_nodes(flat, 3).size(), 1u);
  EXPECT_EQ(tree_nodes(flat, 3)[0].normal_cosine, -1);
}

TEST(TreeNodes, BodiesWithoutAMeshAreRefused) {
  EXPECT_THROW(tree_nodes(Body(shape::Shape(shape::Sphere{1})), 0), Error);
  EXPECT_THROW(tree_nodes(Body(make::box()), -1), Error);
}

}  // namespace
}  // namespace graze
