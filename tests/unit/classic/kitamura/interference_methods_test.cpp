// SPDX-License-Identifier: MIT
// Every method of `interference`, with every switch, gives the same pairs as brute force, and brute force the same as
// exact rational arithmetic.
#include <gtest/gtest.h>

#include <cfenv>

#include <graze/ask/interference.hpp>
#include <graze/classic/kitamura.hpp>
#include <graze/mesh/make.hpp>

#include "random_budget.hpp"
#include "soups.hpp"
#include "unit/classic/kitamura/interference_help.hpp"

namespace graze {
namespace {

using classic::kitamura::Options;
using testing::all_variants;
using testing::RandomBudget;
using testing::Variant;

/// All methods agree with brute force; returns its answer.
InterferenceResult agree(const std::vector<InterferenceBody>& bodies, bool self, const std::string& what) {
  InterferenceOptions options;
  options.self = self;
  options.method = "brute";
  const InterferenceResult expected = interference(bodies, options);
  EXPECT_NE(expected.status, Status::invalid_request) << expected.error->text();
  for (const Variant& variant : all_variants()) {
    options = variant.options;
    options.self = self;
    const InterferenceResult r = interference(bodies, options);
    EXPECT_EQ(r.status, expected.status) << variant.name << ": " << what;
    EXPECT_EQ(r.pairs, expected.pairs) << variant.name << ": " << what;
    EXPECT_EQ(r.method, options.method);
  }
  return expected;
}

TEST(Interference, BruteAgreesWithRationals) {
  const std::uint64_t seed = RandomBudget::seed(401);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(25); budget.more();) {
    const bool grid = random() % 2;
    const Mesh a = testing::soup(random, 4, grid), b = testing::soup(random, 4, grid);
    const Pose pa = oracle::random_pose(random), pb = random() % 2 ? pa : oracle::random_pose(random);
    const testing::Truth truth = testing::truth(a, pa, b, pb);
    const auto r = agree({{.mesh = a, .pose = pa}, {.mesh = b, .pose = pb}}, false, "two placed soups");
    std::vector<TrianglePair> pairs;
    bool crossing = false;
    for (const InterferingPair& p : r.pairs) {
      pairs.push_back({p.a.triangle, p.b.triangle});
      crossing = crossing || p.kind == ContactKind::crossing;
    }
    EXPECT_EQ(pairs, truth.pairs);
    EXPECT_EQ(crossing, truth.crossing);
  }
}

TEST(Interference, ManyBodiesOfEveryKind) {
  const std::uint64_t seed = RandomBudget::seed(402);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(12); budget.more();) {
    const testing::RandomBodies scene(random);
    agree(scene.bodies, random() % 4 == 0, scene.what);
  }
}

TEST(Interference, TriangleFamiliesAtEveryScale) {
  const std::uint64_t seed = RandomBudget::seed(403);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  const std::vector<Triangle> one{{0, 1, 2}};
  for (RandomBudget budget(1); budget.more();)
    for (int f = 0; f < oracle::pair_family_count; ++f) {
      const auto family = static_cast<oracle::PairFamily>(f);
      const oracle::CornersPair pair = oracle::random_pair(random, family);
      const Mesh a({pair.a.begin(), pair.a.end()}, one), b({pair.b.begin(), pair.b.end()}, one);
      const std::optional<Pose> pose = random() % 2 ? std::optional(oracle::random_pose(random)) : std::nullopt;
      agree({{.mesh = a, .pose = pose}, {.mesh = b, .pose = pose}}, false, name(family));
    }
}

TEST(Interference, StackedBoxesTouchOnCellWalls) {
  // The walls of the boxes are walls of cells at every level.
  std::vector<InterferenceBody> bodies;
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y)
      bodies.push_back(
          {.mesh = make::box({.size = {1, 1, 1}, .divisions = 2}), .pose = Pose({double(x), double(y), 0})});
  const auto r = agree(bodies, false, "boxes side by side");
  EXPECT_EQ(r.status, Status::contact);
  for (const InterferingPair& p : r.pairs) EXPECT_EQ(p.kind, ContactKind::touching);
  bodies[3].pose = Pose({1 + 0x1p-52, 1 + 0x1p-52, 0});
  agree(bodies, false, "one box moved by the least possible");
}

TEST(Interference, SelfPairsAreThoseOfSelfCollide) {
  const Mesh cloth = make::cloth_sheet({.triangles = 200});
  std::vector<Vec3> folded(cloth.positions().begin(), cloth.positions().end());
  for (Vec3& p : folded) p = {std::fabs(p.x), p.y, p.x < 0 ? 0.1 + 0.5 * p.x : 0};
  const auto expected = self_collide(Body(Mesh(folded, cloth.triangles())), {.all = true});
  const auto r = agree({{.mesh = cloth, .positions = folded}}, true, "folded cloth");
  ASSERT_EQ(r.pairs.size(), expected.pairs.size());
  ASSERT_FALSE(r.pairs.empty());
  for (std::size_t i = 0; i < r.pairs.size(); ++i) {
    EXPECT_EQ(r.pairs[i].a.triangle, expected.pairs[i].a);
    EXPECT_EQ(r.pairs[i].b.triangle, expected.pairs[i].b);
  }
  EXPECT_TRUE(interference(std::vector<InterferenceBody>{{.mesh = cloth, .positions = folded}}).pairs.empty());
}

TEST(Interference, PolygonsDeformOutOfTheirPlane) {
  // A needle through the middle of a square's diagonal crosses it while the square is planar; bent along the diagonal,
  // the diagonal is an edge, which the needle touches.
  PolygonList square, needle;
  square.add(std::array<std::uint32_t, 4>{0, 1, 2, 3});
  needle.add(std::array<std::uint32_t, 3>{0, 1, 2});
  const Mesh sheet({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}, square);
  const Mesh pin({{1, 1, -1}, {1, 1, 1}, {1, 1, 3}}, needle);
  for (const bool bent : {false, true}) {
    std::vector<Vec3> now(sheet.positions().begin(), sheet.positions().end());
    if (bent) now[1].z = now[3].z = 1;
    const auto r = agree({{.mesh = sheet, .positions = now}, {.mesh = pin}}, false, "sheet and pin");
    ASSERT_FALSE(r.pairs.empty());
    EXPECT_EQ(r.pairs[0].a.polygon, PolygonId{0});
    const bool diagonal_02 = sheet.triangles()[0] != Triangle{0, 1, 3};
    if (diagonal_02) {
      EXPECT_EQ(r.pairs[0].kind, bent ? ContactKind::touching : ContactKind::crossing);
    }
  }
}

TEST(Interference, TheSameBitsForAnyNumberOfThreads) {
  const testing::Spheres spheres(528, 0.35);
  for (Variant variant : all_variants()) {
    variant.options.threads = 1;
    const InterferenceResult one = interference(spheres.bodies, variant.options);
    EXPECT_EQ(one.status, Status::contact);
    for (const int threads : {2, 5}) {
      variant.options.threads = threads;
      const InterferenceResult r = interference(spheres.bodies, variant.options);
      EXPECT_EQ(r.pairs, one.pairs) << variant.name;
      for_each_counter(one.counters, [&](const char* name, const char*, std::uint64_t expected) {
        for_each_counter(r.counters, [&](const char* other, const char*, std::uint64_t value) {
          if (std::string_view(name) == other) {
            EXPECT_EQ(value, expected) << variant.name << " " << name;
          }
        });
      });
    }
  }
}

TEST(Interference, CoherenceChangesNothingButTheCost) {
  for (const char* method : {"tree", "octree_update"}) {
    InterferenceCoherence coherence;
    InterferenceOptions options;
    options.method = method;
    testing::Spheres spheres(168, 0.6);
    options.coherence = &coherence;
    std::uint64_t built = 0;
    for (int step = 0; step < 4; ++step) {
      spheres.bodies[1].pose = Pose({0.5 + 0.02 * step, 0.1, 0.2}, {1, 0.1 * step, 0, 0});
      const InterferenceResult warm = interference(spheres.bodies, options);
      built += warm.counters.nodes_rebuilt;
      if (step == 0) {
        EXPECT_GT(built, 0U);
      }
      options.coherence = nullptr;
      EXPECT_EQ(warm.pairs, interference(spheres.bodies, options).pairs) << method;
      options.coherence = &coherence;
    }
    EXPECT_GT(coherence.bytes(), 0U);
    const InterferenceResult again = interference(spheres.bodies, options);
    EXPECT_EQ(again.counters.nodes_rebuilt, 0U) << method;
    // Another mesh in the same place, and one that deforms, are noticed.
    spheres.bodies[0].mesh = make::box();
    const InterferenceResult other = interference(spheres.bodies, options);
    EXPECT_GT(other.counters.nodes_rebuilt, 0U);
    std::vector<Vec3> stretched(spheres.bodies[0].mesh.positions().begin(), spheres.bodies[0].mesh.positions().end());
    for (Vec3& p : stretched) p = p * 1.5;
    spheres.bodies[0].positions = stretched;
    const InterferenceResult deformed = interference(spheres.bodies, options);
    options = {.method = "brute"};
    EXPECT_EQ(deformed.pairs, interference(spheres.bodies, options).pairs) << method;
  }
}

TEST(Interference, BadRequestsAreNamed) {
  const Mesh box = make::box();
  std::vector<Vec3> few(3), bad(box.positions().begin(), box.positions().end());
  bad[5].y = std::numeric_limits<double>::quiet_NaN();
  const auto error = [](std::vector<InterferenceBody> bodies, InterferenceOptions options = {}) {
    const InterferenceResult r = interference(bodies, options);
    EXPECT_EQ(r.status, Status::invalid_request);
    return r.error ? r.error->text() : std::string();
  };
  EXPECT_NE(error({{.mesh = box}, {.mesh = box, .positions = few}}).find("body 1"), std::string::npos);
  EXPECT_NE(error({{.mesh = box, .positions = bad}}).find("body 0, vertex 5"), std::string::npos);
  EXPECT_NE(error({{.mesh = box}}, {.method = "magic"}).find("kitamura"), std::string::npos);
  EXPECT_NE(error({{.mesh = box}}, {.threads = 0}).find("threads"), std::string::npos);
  EXPECT_NE(error({{.mesh = box}}, {.kitamura = Options{.octree = {.level = 13}}}).find("level"), std::string::npos);
  EXPECT_NE(error({{.mesh = box}}, {.kitamura = Options{.octree_update = {.body_level = 9}}}).find("level"),
            std::string::npos);
  EXPECT_EQ(interference(std::vector<InterferenceBody>{}).status, Status::free);
}

TEST(Interference, TheCallersRoundingIsKept) {
  const testing::Spheres spheres(168, 0.6);
  const auto expected = interference(spheres.bodies);
  std::fesetround(FE_UPWARD);
  const auto r = interference(spheres.bodies);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(r.pairs, expected.pairs);
}

}  // namespace
}  // namespace graze
