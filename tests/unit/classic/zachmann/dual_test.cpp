// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include <graze/graze.hpp>

namespace graze {
namespace {

/// Whoever wins, the answer is the tree's.
TEST(Dual, AnswersAsTheTreeWhicheverMethodWins) {
  std::mt19937_64 random(21);
  const auto number = [&] { return 2.4 * static_cast<double>(random() >> 11) * 0x1p-53 - 1.2; };
  const Body knot(make::torus_knot({.triangles = 2880})), ball(make::sphere({.radius = 0.5, .triangles = 528}));
  int free = 0, contact = 0;
  for (int i = 0; i < 60; ++i) {
    const Pose pose({number(), number(), number()}, {number(), number(), number(), 1});
    const CollideResult expected = collide(knot, Pose(), ball, pose, {.method = "tree"});
    (expected.status == Status::free ? free : contact) += 1;
    CollideCoherence memory;
    for (const int threads : {1, 2, 4}) {
      const CollideResult r =
          collide(knot, Pose(), ball, pose, {.method = "dual", .threads = threads, .coherence = &memory});
      ASSERT_EQ(r.status, expected.status);
      ASSERT_EQ(r.pairs, expected.pairs);
      ASSERT_EQ(r.features, expected.features);
      ASSERT_EQ(r.points, expected.points);
    }
  }
  EXPECT_GT(free, 0);
  EXPECT_GT(contact, 0);
}

TEST(Dual, ThePlaneOfTheLastFrameSavesTheTree) {
  const Body ball(make::sphere({.radius = 0.5, .triangles = 528}));
  CollideCoherence memory;
  const Pose near({0.8, 0.8, 0});
  collide(ball, Pose(), ball, near, {.method = "dual", .coherence = &memory});
  MethodCounters own;
  const CollideResult again =
      collide(ball, Pose(), ball, near, {.method = "dual", .coherence = &memory, .method_counters = &own});
  EXPECT_EQ(again.status, Status::free);
  EXPECT_EQ(own.plane_reused, 1u);
  EXPECT_EQ(again.counters.node_pairs, 0u);
}

}  // namespace
}  // namespace graze
