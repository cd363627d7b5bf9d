// SPDX-License-Identifier: MIT
// A pair that a sweep refuses has no time of contact. Its hash in a recording was made from that time, which is NaN,
// and the sweep of a world that records answered with the error about NaN instead.
#include <gtest/gtest.h>

#include <vector>

#include <graze/graze.hpp>

namespace graze {
namespace {

TEST(RecordedRefusal, IsTheAnswerOfAWorldThatDoesNotRecord) {
  const std::string file = ::testing::TempDir() + "graze_recorded_refusal.rec";
  std::vector<SweepResult> answers;
  for (const bool records : {false, true}) {
    World world;
    if (records) world.record(file);
    const Body clay(make::box());
    const BodyId a = world.add(clay);
    const BodyId floor = world.add(Body(shape::HalfSpace{}), Pose({0, 0, -2}));
    world.sweep();
    std::vector<Vec3> moved(clay.mesh().positions().begin(), clay.mesh().positions().end());
    for (Vec3& p : moved) p.x += 2;
    world.deform(a, moved);
    world.move(floor, Pose({0, 0, -2}, {1, 0.5, 0, 0}));  // a turning half-space against a deforming body is refused
    answers.push_back(world.sweep({.advance = true}));
    EXPECT_EQ(answers.back().status, Status::invalid_request);
    ASSERT_TRUE(answers.back().error);
    EXPECT_EQ(answers.back().error->message, answers.front().error->message);
    EXPECT_EQ(answers.back().contacts.size(), answers.front().contacts.size());
  }
  EXPECT_TRUE(replay_world(file).different.empty());
}

}  // namespace
}  // namespace graze
