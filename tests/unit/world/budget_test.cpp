// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "random_budget.hpp"
#include "thread_time.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

using Texts = std::vector<std::string>;

/// Five cubes beside five others, each pair a little deeper in the other.
World row(int threads = 1) {
  World world({.threads = threads});
  for (int i = 0; i < 5; ++i) world.add(cube(), at(10 * i)), world.add(cube(), at(10 * i + 0.9 - 0.1 * i));
  return world;
}

TEST(WorldBudget, NearestFirstAndTheRestIsUndecided) {
  World world = row();
  const CheckResult first = world.check({.pairs = 2});
  EXPECT_EQ(texts(first.events), (Texts{"began 6 7", "began 8 9"}));
  EXPECT_EQ(first.asked, 2u);
  ASSERT_EQ(first.undecided.size(), 3u);
  EXPECT_EQ(first.undecided[0].a.slot, 4u);  // the nearest of those that are left
  EXPECT_EQ(first.undecided[2].a.slot, 0u);
  const CheckResult second = world.check({.pairs = 2});  // nothing moved, but something is still to be asked
  EXPECT_EQ(texts(second.events), (Texts{"began 2 3", "began 4 5"}));
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
  EXPECT_TRUE(world.check().undecided.empty());
}

TEST(WorldBudget, WorkIsReproducible) {
  std::vector<std::vector<std::string>> all;
  for (const int threads : {1, 2, 4}) {
    World world = row(threads);
    const CheckResult r = world.check({.work = 100});
    EXPECT_GT(r.undecided.size(), 0u);
    EXPECT_GT(r.events.size(), 0u);
    all.push_back(texts(r.events));
    for (const UndecidedPair& p : r.undecided) all.back().push_back(std::to_string(p.a.slot));
    all.back().push_back(std::to_string(r.counters.methods.box_tests));
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

TEST(WorldBudget, NoTimeAtAllDecidesNothingAndLosesNothing) {
  World world = row();
  world.check();
  for (const BodyId id : world.bodies()) world.move(id, Pose(world.pose(id).translation() + Vec3{0, 1, 0}));
  const CheckResult r = world.check({.budget = std::chrono::nanoseconds(0)});
  EXPECT_TRUE(r.events.empty());
  EXPECT_EQ(r.undecided.size(), 5u);
  EXPECT_TRUE(r.undecided[0].in_contact);
  EXPECT_EQ(world.touching().size(), 5u);
  EXPECT_EQ(world.check({.budget = std::chrono::seconds(100)}).events.size(), 5u);
}

/// Two copies of one body in the same place: every triangle touches its double and all around it, none crosses, so that
/// the whole traversal is necessary. Made so large that this takes at least so much processor time.
Body slow_body(double seconds) {
  for (std::size_t triangles = 4000;; triangles *= 2) {
    Body body(make::sphere({.radius = 1, .triangles = triangles}));
    const double start = thread_seconds();
    collide(body, Pose(), body, Pose());
    if (thread_seconds() - start >= seconds) return body;
  }
}

TEST(WorldBudget, OneHeavyPairIsLeftInTheMiddle) {
  using namespace std::chrono_literals;
  const double whole_seconds = RandomBudget::is_whole() ? 0.05 : 0.02;
  const Body body = slow_body(whole_seconds);
  World world;
  world.add(body), world.add(body);
  double best = 1;
  for (int attempt = 0; attempt < 20 && best > 0.003; ++attempt) {
    const double start = thread_seconds();
    const CheckResult r = world.check({.budget = 2ms});
    const double spent = thread_seconds() - start;
    ASSERT_TRUE(r.events.empty());
    ASSERT_EQ(r.undecided.size(), 1u);
    ASSERT_EQ(r.asked, 0u);
    // If another process had the processor for the whole budget, nothing was begun: that attempt shows nothing.
    if (r.counters.cut_short == 1 && r.counters.methods.node_pairs > 0) best = std::min(best, spent);
  }
  EXPECT_LT(best, RandomBudget::is_whole() ? 0.003 : 0.012);
  EXPECT_EQ(texts(world.check().events), Texts{"began 0 1"});
}

TEST(WorldBudget, WorkEndsInsideAPairReproducibly) {
  const Body body(make::sphere({.radius = 1, .triangles = 2000}));
  std::vector<std::vector<std::string>> all;
  for (const int threads : {1, 2, 4}) {
    World world({.threads = threads});
    for (int i = 0; i < 4; ++i) world.add(body, at(10 * i)), world.add(body, at(10 * i + 0.01 * i));
    std::vector<std::string>& said = all.emplace_back();
    for (const std::uint64_t work : {1u, 300u, 3000u, 30000u, 300000u, 0u}) {
      const CheckResult r = world.check({.work = work});
      for (const std::string& e : texts(r.events)) said.push_back(e);
      said.push_back("asked " + std::to_string(r.asked) + " cut " + std::to_string(r.counters.cut_short));
      said.push_back("tests " + std::to_string(r.counters.methods.box_tests + r.counters.methods.triangle_tests));
      const std::uint64_t most = r.counters.cut_short ? work + 100 : ~std::uint64_t{0};
      EXPECT_LT(r.counters.methods.box_tests + r.counters.methods.triangle_tests, most);
    }
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
  EXPECT_EQ(all[0][0], "asked 0 cut 1");
  EXPECT_EQ(all[0].back().substr(0, 5), "tests");
}

TEST(WorldCoherence, IsKeptWhileAPairIsNearAndNeverMoreThanAllowed) {
  World world({.coherent_pairs = 1});
  const Body ball(make::sphere({.radius = 0.5, .triangles = 528}));
  const BodyId a = world.add(ball), b = world.add(ball, at(0.8, 0.8)), c = world.add(ball, at(0.8, -0.8));
  world.set_pair(a, b, {.method = "separating_plane"});
  world.set_pair(a, c, {.method = "separating_plane"});
  EXPECT_EQ(world.check().counters.memories_refused, 1u);
  EXPECT_EQ(world.coherent_pairs(), 1u);
  world.move(b, at(0.81, 0.8));
  MethodCounters own;
  world.check({.method_counters = &own});
  EXPECT_EQ(own.plane_reused, 1u);
  world.move(b, at(9));
  world.move(c, at(-9));
  EXPECT_EQ(world.check().counters.memories_dropped, 1u);
  EXPECT_EQ(world.coherent_pairs(), 0u);
}

TEST(WorldCoherence, SweepsRememberToo) {
  World world;
  const Body torus(make::torus({.major = 0.5, .minor = 0.2, .triangles = 512}));
  world.add(torus);
  const BodyId b = world.add(torus, Pose({0.5, 0, 0}, {1, 1, 0, 0}));
  std::vector<Status> statuses;
  for (int i = 1; i <= 3; ++i) {
    world.move(b, Pose({0.5, 0.002 * i, 0}, {1, 1, 0, 0}));
    statuses.push_back(world.sweep({.method = "interval"}).status);
  }
  EXPECT_EQ(world.coherent_pairs(), 1u);
  EXPECT_EQ(statuses, (std::vector<Status>(3, Status::free)));
  std::vector<Vec3> same(torus.mesh().positions().begin(), torus.mesh().positions().end());
  world.replace(b, Body(Mesh(same, torus.mesh().polygons())));
  world.move(b, Pose({0.5, 0, 0}, {1, 1, 0, 0}));
  EXPECT_EQ(world.sweep({.method = "interval"}).status, Status::free);
}

}  // namespace
}  // namespace graze::testing
