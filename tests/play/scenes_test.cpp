// SPDX-License-Identifier: MIT
#include "scenes.hpp"

#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>

#include "../random_budget.hpp"

namespace graze::play {
namespace {

TEST(Scenes, RandomHandsNeverGetBodiesIntoEachOther) {
  for (const SceneInfo& info : scenes()) {
    Scene scene = info.make(0.05);
    Hand hand(scene, 7);
    for (int frame = 0; frame < 60; ++frame) {
      const StageReport report = play_frame(scene, &hand, 1.0 / 60);
      ASSERT_FALSE(report.overlap) << info.name << ", frame " << frame;
      for (std::size_t i = 0; i < scene.stage.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const Actor &a = scene.stage.actor(j), &b = scene.stage.actor(i);
          if (a.fixed && b.fixed) continue;
          ASSERT_EQ(collide(a.body, a.pose, b.body, b.pose).status, Status::free) << info.name << ", frame " << frame;
        }
    }
  }
}

TEST(Scenes, TenMinutesOfDraggingLeaveTheBunniesApart) {
  Scene scene = scenes()[0].make(0.02);
  Hand hand(scene, 11);
  const int frames = testing::RandomBudget::is_whole() ? 10 * 60 * 60 : 1800;
  int touched = 0;
  for (int frame = 0; frame < frames; ++frame) {
    touched += !play_frame(scene, &hand, 1.0 / 60).contacts.empty();
    const Actor &a = scene.stage.actor(0), &b = scene.stage.actor(1);
    ASSERT_EQ(collide(a.body, a.pose, b.body, b.pose).status, Status::free) << "frame " << frame;
  }
  EXPECT_GT(touched, frames / 4);
}

TEST(Scenes, TheEngineStartsInsideTheCarAndCanBeTakenOutPastTheDoor) {
  Scene scene = scenes()[3].make(0.3);
  Stage& stage = scene.stage;
  const std::size_t engine = *scene.held;
  const Box3 &car = stage.actor(0).body.box(), &own = stage.actor(engine).body.box();
  const Vec3 at = stage.pose(engine).translation();
  EXPECT_TRUE(car.contains(at + own.lo) && car.contains(at + own.hi));
  // Down, to the door's side, past the door, and up behind it.
  for (const Vec3& goal : {Vec3{1.2, 0, -0.8}, Vec3{1, -1.9, -0.8}, Vec3{1, -2.6, 0.5}, Vec3{0, -2.6, 0.5}})
    for (int frame = 0; frame < 90; ++frame) {
      stage.wish(engine, stage.towards(engine, Pose(goal), 0.3));
      ASSERT_FALSE(stage.step(1.0 / 60).overlap);
    }
  EXPECT_LT(length(stage.pose(engine).translation() - Vec3{0, -2.6, 0.5}), 0.05);
}

TEST(Scenes, TheSameSeedGivesTheSameFrames) {
  const auto last = [] {
    Scene scene = scenes()[0].make(0.05);
    Hand hand(scene, 3);
    for (int frame = 0; frame < 40; ++frame) play_frame(scene, &hand, 1.0 / 60);
    return scene.stage.pose(0);
  };
  EXPECT_EQ(last(), last());
}

}  // namespace
}  // namespace graze::play
