// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/mesh/make.hpp>

#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

std::vector<TrianglePair> truth(const Mesh& mesh) {
  std::vector<TrianglePair> pairs;
  for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i)
    for (std::uint32_t j = i + 1; j < mesh.triangle_count(); ++j)
      if (oracle::shares_more_than(testing::placed_triangle(mesh, Pose(), i), mesh.triangles()[i],
                                   testing::placed_triangle(mesh, Pose(), j), mesh.triangles()[j]))
        pairs.push_back({TriangleId{i}, TriangleId{j}});
  return pairs;
}

TEST(SelfCollide, FindsWhatRationalsFind) {
  oracle::Random random(RandomBudget::seed(41));
  for (RandomBudget budget(60); budget.more();) {
    const Mesh mesh = testing::soup(random, 12, random() % 3 != 0);
    const std::vector<TrianglePair> expected = truth(mesh);
    for (const char* method : {"tree", "brute"}) {
      const SelfCollideResult r = self_collide(Body(mesh), {.method = method, .all = true});
      std::vector<TrianglePair> got;
      for (const SelfPair& p : r.pairs) got.push_back({p.a, p.b});
      EXPECT_EQ(got, expected) << method;
      EXPECT_EQ(r.status, expected.empty() ? Status::free : Status::contact);
      EXPECT_EQ(r.count[0] + r.count[1] + r.count[2] + r.count[3], expected.size());
    }
    const SelfCollideResult first = self_collide(Body(mesh)), two = self_collide(Body(mesh), {.threads = 2});
    EXPECT_EQ(first.status, expected.empty() ? Status::free : Status::contact);
    EXPECT_EQ(first.pairs, two.pairs);
    EXPECT_EQ(first.kind, two.kind);
  }
}

TEST(SelfCollide, NeighboursOfACleanMeshDoNotCount) {
  EXPECT_EQ(self_collide(Body(testing::box({0, 0, 0}, {1, 1, 1})), {.all = true}).status, Status::free);
}

TEST(SelfCollide, ClassesAreCountedApart) {
  // 0, 1: the same three vertices. 2: folded back onto 0 over a shared edge. 3: through 0 from a shared vertex. 4:
  // through 0, sharing nothing.
  const std::vector<Vec3> p{{0, 0, 0},  {4, 0, 0},  {0, 4, 0}, {3, 3, 0}, {1, 2, 1},
                            {2, 1, -1}, {1, 1, -1}, {1, 1, 1}, {9, 9, 0}};
  const Mesh mesh(p, std::vector<Triangle>{{0, 1, 2}, {2, 0, 1}, {0, 1, 3}, {0, 4, 5}, {6, 7, 8}});
  const SelfCollideResult r = self_collide(Body(mesh), {.all = true});
  EXPECT_EQ(r.count[static_cast<std::size_t>(Neighbourhood::same_face)], 1u);
  EXPECT_EQ(r.count[static_cast<std::size_t>(Neighbourhood::shared_edge)], 2u);
  EXPECT_EQ(r.kind, ContactKind::crossing);
  EXPECT_EQ(r.pairs.size(), truth(mesh).size());
}

TEST(SelfCollide, TheWitnessIsBeyondWhatNeighboursShare) {
  // An edge from a shared vertex through the other triangle's far edge.
  const Mesh over(std::vector<Vec3>{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {4, 4, 0}, {0, 0, 3}},
                  std::vector<Triangle>{{0, 1, 2}, {0, 3, 4}});
  const SelfCollideResult r = self_collide(Body(over));
  ASSERT_EQ(r.status, Status::contact);
  ASSERT_EQ(r.features.size(), 1u);
  EXPECT_EQ(r.features[0], (Feature{FeatureKind::edge_edge,
                                    {FeatureRef::Type::edge, false, {1, 2}},
                                    {FeatureRef::Type::edge, false, {0, 3}}}));
  ASSERT_TRUE(r.point);
  EXPECT_EQ(*r.point, (Vec3{2, 2, 0}));
  // Folded back onto itself over an edge: a vertex in a face.
  const Mesh fold(std::vector<Vec3>{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}},
                  std::vector<Triangle>{{0, 1, 2}, {1, 0, 3}});
  const SelfCollideResult folded = self_collide(Body(fold));
  ASSERT_EQ(folded.features.size(), 1u);
  EXPECT_EQ(folded.features[0], (Feature{FeatureKind::face_vertex,
                                         {FeatureRef::Type::face, false, {0, 0}},
                                         {FeatureRef::Type::vertex, false, {3, 3}}}));
  EXPECT_EQ(*folded.point, (Vec3{1, 1, 0}));
}

// Fans of 150 triangles around one vertex: on a small grid, where many lie on each other, and in any direction.
TEST(SelfCollide, FansLikeEveryPair) {
  const std::uint64_t seed = RandomBudget::seed(91);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(20); budget.more();) {
    const bool grid = random() % 2 == 0, flat = random() % 2 == 0;
    std::vector<Vec3> p{{0.25, 0.5, 0.125}};
    for (int i = 0; i < 160; ++i) {
      p.push_back(grid ? oracle::grid_point(random, 6) : oracle::real_point(random));
      if (flat) p.back().z = p[0].z;
    }
    std::vector<Triangle> t;
    for (std::uint32_t i = 1; i + 10 < p.size(); ++i)
      t.push_back({i, 0, i + 1 + static_cast<std::uint32_t>(random() % 2)});
    const Body body(Mesh(p, t));
    const SelfCollideResult tree = self_collide(body, {.all = true}),
                            brute = self_collide(body, {.method = "brute", .all = true});
    EXPECT_EQ(tree.pairs, brute.pairs);
    EXPECT_EQ(tree.kind, brute.kind);
    EXPECT_EQ(tree.count, brute.count);
  }
}

// The tip of a cone has all its triangles: every pair was tested, two million for a cone of 4,000.
TEST(SelfCollide, TheTipOfAConeIsNotQuadratic) {
  const Body cone(make::cone({.triangles = 4000}));
  const SelfCollideResult r = self_collide(cone);
  EXPECT_EQ(r.status, Status::free);
  EXPECT_LT(r.counters.triangle_tests, 100u * 4000u);
}

}  // namespace
}  // namespace graze
