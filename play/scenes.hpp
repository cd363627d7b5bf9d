// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "stage.hpp"

namespace graze::play {

/// Bodies on a stage, and which of them a hand holds.
struct Scene {
  Stage stage;
  std::optional<std::size_t> held;  ///< none: the scene moves by itself
  double speed = 1;                 ///< of a quick hand, per second
  Vec3 goal = {};                   ///< a hand wants to be about here, often inside another body
  double range = 1;                 ///< and at most this far from it, in each coordinate
};

/// What CONTACT (7) showed, with bodies of our own of the same sizes.
struct SceneInfo {
  std::string_view name, summary;
  Scene (*make)(double detail);  ///< detail 1: all triangles; 0.1: a tenth of them
};
std::span<const SceneInfo> scenes();

/// A hand that wants to be somewhere else all the time: targets follow each other at random, many of them inside other
/// bodies. The same seed gives the same hand.
class Hand {
 public:
  Hand(const Scene& scene, std::uint32_t seed);
  /// The velocity that it wishes for its body now.
  Twist wish(const Stage& stage, double time);

 private:
  double any();

  std::size_t held_;
  double speed_, range_;
  Vec3 goal_;
  Pose target_;
  double patience_ = 0;
  std::uint32_t state_;
};

/// One frame of a scene.
StageReport play_frame(Scene& scene, Hand* hand, double time);

}  // namespace graze::play
