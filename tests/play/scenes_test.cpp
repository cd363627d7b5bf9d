// SPDX-License-Identifier: MIT
#include "scenes.hpp"

#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>

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
