// SPDX-License-Identifier: MIT
// Batches of Python always have a token. With one, boxes, shapes and batches took other ways than without: up to a
// fifth more time for each row where bodies are near. Now a limit of time or a token changes neither the answer nor the
// work.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include <graze/graze.hpp>

namespace graze {
namespace {

using namespace std::chrono_literals;

std::vector<Pose> limit_poses(std::size_t count) {
  std::mt19937_64 engine(11);
  const auto draw = [&] { return 4 * std::ldexp(static_cast<double>(engine() >> 11), -53) - 2; };
  std::vector<Pose> out;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = draw(), y = draw(), z = draw(), a = draw(), b = draw(), c = draw();
    out.push_back(Pose({x, y, z}, {1, a, b, c}));
  }
  return out;
}

std::vector<Body> limit_bodies() {
  return {Body(make::box()),
          Body(make::torus_knot({.triangles = 960})),
          Body(shape::Box{{1, 1, 1}}),
          Body(shape::Sphere{0.5}),
          Body(shape::Capsule{0.3, 1}),
          Body(shape::Cylinder{0.4, 1})};
}

TEST(LimitsAtOnce, ATokenThatIsNotCancelledChangesNeitherTheAnswerNorTheWork) {
  const CancelSource source;
  const std::vector<Pose> poses = limit_poses(60);
  const std::vector<Body> bodies = limit_bodies();
  for (const Body& a : bodies)
    for (const Body& b : bodies)
      for (const Pose& pose : poses) {
        const CollideResult x = collide(a, Pose(), b, pose),
                            y = collide(a, Pose(), b, pose, {.cancel = source.token()}),
                            z = collide(a, Pose(), b, pose, {.budget = 1h});
        for (const CollideResult* other : {&y, &z}) {
          ASSERT_EQ(x.status, other->status);
          EXPECT_EQ(x.kind, other->kind);
          EXPECT_EQ(x.pairs, other->pairs);
          EXPECT_EQ(x.features, other->features);
          EXPECT_EQ(x.points, other->points);
          EXPECT_EQ(x.normal, other->normal);
          EXPECT_EQ(x.counters.node_pairs, other->counters.node_pairs);
          EXPECT_EQ(x.counters.triangle_tests, other->counters.triangle_tests);
        }
        // With a limit of work, the steps are those of the trees; the answer is the same.
        EXPECT_EQ(x.status, collide(a, Pose(), b, pose, {.work = 1'000'000}).status);
        const DistanceResult d = distance(a, Pose(), b, pose),
                             e = distance(a, Pose(), b, pose, {.cancel = source.token()});
        EXPECT_EQ(d.status, e.status);
        EXPECT_EQ(d.distance, e.distance);
        EXPECT_EQ(d.points, e.points);
        const WithinResult f = within(0.25, a, Pose(), b, pose),
                           g = within(0.25, a, Pose(), b, pose, {.cancel = source.token()});
        EXPECT_EQ(f.status, g.status);
        EXPECT_EQ(f.counters.node_pairs, g.counters.node_pairs);
      }
}

TEST(LimitsAtOnce, WhatHasRunOutBeforeIsUndecidedEvenIfTheAnswerTakesNoTime) {
  CancelSource source;
  source.cancel();
  for (const Body& a : limit_bodies())
    for (const Body& b : limit_bodies())
      for (const Pose& pose : {Pose(), Pose({9, 0, 0})}) {
        EXPECT_EQ(collide(a, Pose(), b, pose, {.cancel = source.token()}).status, Status::undecided);
        EXPECT_EQ(collide(a, Pose(), b, pose, {.budget = 0ns}).status, Status::undecided);
        EXPECT_EQ(distance(a, Pose(), b, pose, {.cancel = source.token()}).status, Status::undecided);
        EXPECT_EQ(distance(a, Pose(), b, pose, {.budget = 0ns}).status, Status::undecided);
        EXPECT_EQ(within(0.25, a, Pose(), b, pose, {.cancel = source.token()}).status, Status::undecided);
        EXPECT_EQ(within(0.25, a, Pose(), b, pose, {.budget = -1ns}).status, Status::undecided);
      }
}

}  // namespace
}  // namespace graze
