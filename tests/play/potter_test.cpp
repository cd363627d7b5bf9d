// SPDX-License-Identifier: MIT
#include "potter.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

namespace graze::play {
namespace {

TEST(Potter, APushMakesADentAndUndoTakesItBack) {
  const Mesh ball = make::sphere({.radius = 1, .triangles = 4000});
  Potter potter(ball);
  const double volume = potter.volume();
  const PressReport report = potter.press(finger_tip(2), Pose({0, 0, 1.2}), Pose({0, 0, 0.9}));
  EXPECT_GT(report.touched, 0u);
  EXPECT_GT(report.moved, 10u);
  EXPECT_LT(potter.volume(), volume);
  ASSERT_TRUE(potter.undo());
  EXPECT_FALSE(potter.undo());
  for (std::size_t i = 0; i < ball.vertex_count(); ++i) EXPECT_EQ(potter.positions()[i], ball.positions()[i]);
  EXPECT_EQ(potter.volume(), volume);
}

TEST(Potter, AHandThatTouchesNothingChangesNothing) {
  Potter potter(make::sphere({.radius = 1, .triangles = 1000}));
  const PressReport report = potter.press(whole_hand(1), Pose({0, 0, 5}), Pose({0, 0, 4}));
  EXPECT_EQ(report.touched, 0u);
  EXPECT_EQ(report.moved, 0u);
  EXPECT_EQ(potter.undo_steps(), 0u);
}

TEST(Potter, TheSurfaceGoesWithTheHand) {
  Potter potter(make::sphere({.radius = 1, .triangles = 4000}));
  // From inside outwards: the surface bulges.
  const double volume = potter.volume();
  potter.press(finger_tip(4), Pose({0.85, 0, 0}), Pose({1.15, 0, 0}));
  EXPECT_GT(potter.volume(), volume);
}

TEST(Potter, RandomSculptingGrowsNoSpikes) {
  std::mt19937 dice(2);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const PushMode mode : {PushMode::along, PushMode::inward}) {
    Potter potter(make::sphere({.radius = 1, .triangles = 2000}), {.mode = mode});
    const auto hand = whole_hand(1);
    Pose at({1.5, 0, 0});
    for (int frame = 0; frame < 150; ++frame) {
      const Vec3 way{0.15 * any(dice), 0.15 * any(dice), 0.15 * any(dice)};
      Vec3 place = at.translation() + way;
      if (length(place) > 1.6) place = place * (1.6 / length(place));
      const Pose next(place, {1, any(dice), any(dice), any(dice)});
      potter.press(hand, at, Pose(place, at.rotation()));
      at = frame % 20 == 0 ? next : Pose(place, at.rotation());
      ASSERT_LE(potter.roughest(), 2 * potter.options().roughness) << frame;
      ASSERT_TRUE(std::isfinite(potter.volume()));
    }
  }
}

TEST(Potter, BadInputIsRefused) {
  EXPECT_THROW(Potter(make::cloth_sheet({.triangles = 8})), Error);
  EXPECT_THROW(Potter(make::sphere({}), {.vicinity = 0}), Error);
  EXPECT_THROW(Potter(make::sphere({}), {.roughness = NAN}), Error);
  Potter potter(make::sphere({}));
  const Tool bad{{}, {}, NAN};
  EXPECT_THROW(potter.press({&bad, 1}, Pose(), Pose()), Error);
}

}  // namespace
}  // namespace graze::play
