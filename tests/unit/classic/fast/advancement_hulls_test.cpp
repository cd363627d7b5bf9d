// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <graze/mesh/make.hpp>

#include "classic/fast/hull_tree.hpp"
#include "oracle/generators.hpp"
#include "soups.hpp"

namespace {

using namespace graze;
using classic::fast::HullTree;

/// The vertices of all triangles below a node.
std::set<std::uint32_t> vertices_below(const Mesh& mesh, const HullTree& tree, std::uint32_t i) {
  if (tree[i].leaf) {
    const Triangle& t = mesh.triangles()[tree[i].first];
    return {t.begin(), t.end()};
  }
  std::set<std::uint32_t> all = vertices_below(mesh, tree, tree[i].first);
  all.merge(vertices_below(mesh, tree, tree[i].first + 1));
  return all;
}

/// Every triangle is one leaf; every node's corners reach as far as all its vertices; the balls hold them.
void check(const Mesh& mesh, const HullTree& tree, bool whole = false) {
  oracle::Random random(17);
  std::vector<int> times(mesh.triangle_count(), 0);
  for (const HullTree::Node& n : tree.nodes())
    if (n.leaf) ++times[n.first];
  for (const int k : times) ASSERT_EQ(k, 1);
  for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
    const HullTree::Node& n = tree[i];
    ASSERT_GT(n.count, 0U);
    for (std::uint32_t k = 0; k < n.count; ++k) ASSERT_EQ(tree.corners(n)[k], mesh.positions()[tree.vertices(n)[k]]);
    const std::set<std::uint32_t> all = vertices_below(mesh, tree, i);
    std::vector<Vec3> points;
    for (const std::uint32_t v : all) {
      points.push_back(mesh.positions()[v]);
      ASSERT_LE(length(points.back() - n.centre), n.radius * (1 + 1e-15));
    }
    // Along any direction the corners reach as far as all vertices do: exactly where coordinates are small whole
    // numbers, else up to the rounding of the products.
    for (int k = 0; k < 60; ++k) {
      const Vec3 d = oracle::grid_point(random, 9);
      double most = -1e300, kept = -1e300, size = 0;
      for (const Vec3& x : points) {
        most = std::max(most, dot(d, x));
        size = std::max(size, length(x) * length(d));
      }
      for (const Vec3& x : tree.corners(n)) kept = std::max(kept, dot(d, x));
      ASSERT_LE(most - kept, whole ? 0 : 4e-16 * size) << "node " << i;
    }
  }
}

TEST(HullTree, HullsHoldEveryVertex) {
  for (const char* shape : {"box", "torus", "chair", "tetra_flake", "cloth_sheet", "sphere"}) {
    SCOPED_TRACE(shape);
    const auto shapes = make::shapes();
    const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const auto& s) { return s.name == shape; });
    ASSERT_NE(found, shapes.end());
    const Mesh mesh = found->make(300);
    check(mesh, HullTree(mesh));
  }
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Random random(seed);
    const Mesh mesh = graze::testing::soup(random, 20, seed % 2 == 0);
    check(mesh, HullTree(mesh), seed % 2 == 0);
  }
}

TEST(HullTree, PiecesAreNodes) {
  const Mesh mesh = make::torus({.triangles = 600});
  const HullTree tree(mesh);
  std::size_t triangles = 0;
  for (const std::uint32_t p : tree.pieces()) {
    EXPECT_TRUE(tree[p].whole);
    std::vector<std::uint32_t> stack{p};
    while (!stack.empty()) {
      const HullTree::Node& n = tree[stack.back()];
      stack.pop_back();
      EXPECT_TRUE(n.whole);
      if (n.leaf) {
        ++triangles;
      } else {
        stack.push_back(n.first);
        stack.push_back(n.first + 1);
      }
    }
  }
  EXPECT_EQ(triangles, mesh.triangle_count());
  EXPECT_FALSE(tree[0].whole);
}

/// Climbing, from wherever, finds what scanning finds, up to the slack that it states.
TEST(HullTree, SupportIsTheTop) {
  oracle::Random random(11);
  for (const Mesh& mesh :
       {make::sphere({.triangles = 4000}), make::torus({.triangles = 1000}), make::cylinder({.triangles = 800}),
        make::cloth_sheet({.triangles = 200}), make::box({.triangles = 1000})}) {
    const HullTree tree(mesh);
    AllCounters table, plain;
    for (std::uint32_t i = 0; i < tree.nodes().size(); i += 1 + i / 8) {
      const HullTree::Node& n = tree[i];
      for (int k = 0; k < 20; ++k) {
        Vec3 d = k < 12 ? oracle::real_point(random) : Vec3{};
        if (k >= 12) d[k % 3] = k % 2 ? 1 : -1;
        double top = -1e300;
        for (const Vec3& x : tree.corners(n)) top = std::max(top, dot(d, x));
        const auto hint = static_cast<std::uint32_t>(oracle::whole(random, 0, static_cast<int>(n.count) - 1));
        for (const bool with_table : {true, false}) {
          const HullTree::Support s = tree.support(n, d, hint, with_table, with_table ? table : plain);
          ASSERT_LE(s.slack, 1e-10);
          ASSERT_LE(top - dot(d, tree.corners(n)[s.corner]), length(d) * (s.slack + 1e-15));
        }
      }
    }
    if (tree[0].climb != HullTree::none) {
      EXPECT_GT(plain.hill_climb_steps, table.hill_climb_steps);
    }
  }
}

TEST(HullTree, AnyHintIsRight) {
  const Mesh mesh = make::sphere({.triangles = 1000});
  const HullTree tree(mesh);
  AllCounters counters;
  const auto a = tree.support(tree[0], {1, 2, 3}, 0, false, counters);
  const auto b = tree.support(tree[0], {1, 2, 3}, 0xffffffff, false, counters);
  EXPECT_EQ(a.corner, b.corner);
}

}  // namespace
