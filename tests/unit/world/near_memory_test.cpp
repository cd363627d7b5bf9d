// SPDX-License-Identifier: MIT
// `near` keeps its answers for pairs that did not change: the same answers as a world that keeps nothing.
#include <gtest/gtest.h>

#include "random_budget.hpp"
#include "unit/world/help.hpp"

namespace graze::testing {
namespace {

void expect_same(const NearResult& x, const NearResult& y) {
  ASSERT_EQ(x.status, y.status);
  ASSERT_EQ(x.pairs.size(), y.pairs.size());
  for (std::size_t i = 0; i < x.pairs.size(); ++i) {
    EXPECT_EQ(x.pairs[i].a, y.pairs[i].a);
    EXPECT_EQ(x.pairs[i].b, y.pairs[i].b);
    EXPECT_EQ(x.pairs[i].distance.status, y.pairs[i].distance.status);
    EXPECT_EQ(x.pairs[i].distance.distance, y.pairs[i].distance.distance);
    EXPECT_EQ(x.pairs[i].distance.points, y.pairs[i].distance.points);
    EXPECT_EQ(x.pairs[i].distance.pair, y.pairs[i].distance.pair);
  }
}

TEST(NearMemory, ChangesNoAnswer) {
  const std::uint64_t seed = RandomBudget::seed(21);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  RandomBudget budget(4);
  std::uint64_t kept = 0, asked = 0;
  while (budget.more()) {
    World keeps({.threads = 2}), asks({.coherent_pairs = 0});
    const auto both = [&](auto&& change) { change(keeps), change(asks); };
    std::vector<BodyId> ids;
    const FrameId frame = keeps.add_frame();
    asks.add_frame();
    for (int i = 0; i < 40; ++i) {
      const Pose p = random_pose(random, 9);
      const Body body = i % 5 == 0   ? Body(shape::Sphere{0.4})
                        : i % 5 == 1 ? Body(make::torus({.major = 0.5, .minor = 0.2, .triangles = 128}))
                                     : cube();
      BodySettings settings;
      if (i % 7 == 0) settings.frame = frame;
      both([&](World& w) { w.add(body, p, settings); });
      ids.push_back(BodyId{static_cast<std::uint32_t>(i), 0});
    }
    double d = 0.5;
    for (int frames = 0; frames < 12; ++frames) {
      for (int i = 0; i < 4; ++i) {
        const BodyId a = ids[random() % ids.size()], b = ids[random() % ids.size()];
        const Pose p = random_pose(random, 9);
        switch (random() % 10) {
          case 0: both([&](World& w) { w.interest(a, false); }); break;
          case 1: both([&](World& w) { w.interest(a, true); }); break;
          case 2:
            if (a != b) both([&](World& w) { w.interest(a, b, frames % 2 == 0); });
            break;
          case 3: both([&](World& w) { w.replace(a, Body(make::tetrahedron())); }); break;
          case 4: both([&](World& w) { w.move(frame, at(0.1 * frames)); }); break;
          case 5: {
            both([&](World& w) { w.remove(a); });
            BodyId added;
            both([&](World& w) { added = w.add(cube(), p); });
            *std::find(ids.begin(), ids.end(), a) = added;
            break;
          }
          case 6: both([&](World& w) { w.groups(a, 1u << (frames % 3), ~0u >> (frames % 3)); }); break;
          case 7: d = frames % 3 ? 0.5 : 0.25; break;
          default: both([&](World& w) { w.move(a, p); }); break;
        }
      }
      if (frames % 2) keeps.check();  // what it finds is used, too
      if (frames % 4 == 3) keeps.near(d, {.work = 1});
      if (frames % 5 == 4) keeps.near(d, {.budget = std::chrono::nanoseconds(0)});
      const NearResult x = keeps.near(d), y = asks.near(d);
      expect_same(x, y);
      EXPECT_EQ(y.counters.answers_kept, 0u);
      kept += x.counters.answers_kept;
      asked += x.counters.asked;
    }
  }
  EXPECT_GT(kept, 100u);
  EXPECT_GT(asked, 100u);
}

TEST(NearMemory, ContactsOfTheLastCheckAreNotAskedAgain) {
  World world;
  const BodyId a = world.add(cube());
  world.add(cube(), at(0.5, 0.2, 0.1));
  const std::uint64_t alone = world.near(0.1).counters.methods.box_tests;
  world.move(a, Pose());
  world.check();
  const NearResult r = world.near(0.1);
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_EQ(r.pairs[0].distance.distance, 0);
  EXPECT_LE(r.counters.methods.box_tests, alone);
}

}  // namespace
}  // namespace graze::testing
