// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/query/body.hpp>
#include <graze/world/world.hpp>

namespace graze::app {

/// How something moves from frame to frame: along a track, or by the same step again and again.
struct SceneMotion {
  std::vector<Pose> track;  ///< the pose in frame 0, 1, ...; after the last it stays there, or begins anew
  bool loop = false;
  Vec3 velocity;  ///< else: added to the translation in every frame
  Quat turn;      ///< and multiplied to the rotation, from the left
  bool moves() const { return !track.empty() || !(velocity == Vec3{}) || !(turn == Quat{}); }
  /// The pose in the frame after this one.
  Pose next(const Pose& now, std::uint64_t frame) const;
};

struct SceneFrame {
  std::string name;
  std::optional<std::size_t> parent;  ///< an earlier one
  Pose pose;
  SceneMotion motion;
};

struct SceneBody {
  Body body;
  BodySettings settings;
  std::optional<std::size_t> frame;
  Pose pose;
  SceneMotion motion;
};

struct ScenePair {
  std::size_t a, b;
  PairSettings settings;
};

/// What a scene file holds (docs/world.md).
struct Scene {
  WorldOptions options;
  std::string mode = "serial";
  bool sweep = false;
  std::uint64_t frames = 1;
  std::vector<SceneFrame> frame_list;
  std::vector<SceneBody> bodies;
  std::vector<ScenePair> pairs;
};

/// Throws `Error` with the file, the path inside it and what was expected there.
Scene load_scene(const std::string& file);

}  // namespace graze::app
