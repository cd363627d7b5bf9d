// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/ask/deform_filter.hpp>
#include <graze/body/body.hpp>
#include <graze/motion/chain.hpp>
#include <graze/world/world.hpp>

namespace graze::app {

/// The entry of a track for a frame. After the last entry the track stays there or restarts.
std::size_t track_entry(std::size_t entries, bool loop, std::uint64_t frame);

/// The motion of an object from frame to frame: along a track, or by a constant step.
struct SceneMotion {
  std::vector<Pose> track;  ///< the pose in frame 0, 1, ...
  bool loop = false;
  Vec3 velocity;  ///< without a track: added to the translation in every frame
  Quat turn;      ///< and multiplied to the rotation from the left
  bool moves() const { return !track.empty() || !(velocity == Vec3{}) || !(turn == Quat{}); }
  /// The pose in the next frame.
  Pose next(const Pose& now, std::uint64_t frame) const;
};

/// The same for the joints of a chain.
struct SceneJointMotion {
  std::vector<std::vector<double>> track;  ///< all coordinates in frame 0, 1, ...
  bool loop = false;
  std::vector<double> velocity;  ///< without a track: added in every frame; empty: no motion
  bool moves() const { return !track.empty() || !velocity.empty(); }
  std::vector<double> next(const std::vector<double>& now, std::uint64_t frame) const;
};

struct SceneFrame {
  std::string name;
  std::optional<std::size_t> parent;  ///< must be an earlier one
  Pose pose;
  SceneMotion motion;
};

/// One piece of a body that breaks.
struct ScenePiece {
  std::string name;
  Body body;
  SceneMotion motion;
};

struct SceneBody {
  Body body;
  BodySettings settings;
  std::optional<std::size_t> frame;
  Pose pose;
  SceneMotion motion;
  std::vector<Mesh> shapes;  ///< in frame 0, 1, ...; empty: it does not deform
  bool shapes_loop = false;
  DeformBody rules;                  ///< for `graze deform`, of a body that deforms
  std::vector<std::uint32_t> fixed;  ///< the same: vertices
  std::uint64_t breaks_in = 0;       ///< frame, numbered from 1; 0: never
  std::vector<ScenePiece> pieces;
};

struct SceneArticulated {
  Chain chain;
  std::vector<LinkBody> links;
  std::vector<std::array<std::size_t, 2>> ignored;  ///< pairs in `links` of no interest
  std::vector<double> coordinates;
  SceneJointMotion motion;
  Pose base;
  SceneMotion base_motion;
  BodySettings settings;
  std::optional<std::size_t> frame = {};  ///< that the base is relative to
};

/// a and b number the bodies: the scene's own bodies first, then those of the links, body by body and link by link.
struct ScenePair {
  std::size_t a, b;
  PairSettings settings;
};

/// A ray that is asked in every frame.
struct SceneRay {
  std::string name;
  Vec3 from, to;
  WorldRayOptions options;
};

/// A body that is cast from one pose to another in every frame. It does not belong to the scene.
struct SceneCast {
  std::string name;
  Body body;
  Pose from, to;
};

/// The contents of a scene file (docs/world.md).
struct Scene {
  WorldOptions options;
  bool weld = false;  ///< for all meshes, unless an entry overrides it
  std::string mode = "serial";
  bool sweep = false;
  ContactDetails details;
  std::uint64_t frames = 1;
  std::vector<SceneFrame> frame_list;
  std::vector<SceneBody> bodies;
  std::vector<SceneArticulated> articulated;
  std::vector<ScenePair> pairs;
  std::vector<SceneRay> rays;
  std::vector<SceneCast> casts;
};

/// The same polygons, loose edges and points: only vertices have moved.
bool same_parts(const Mesh& a, const Mesh& b);

/// Throws `Error` with the file, the path inside it and what was expected there.
Scene load_scene(const std::string& file);

}  // namespace graze::app
