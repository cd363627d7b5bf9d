// SPDX-License-Identifier: MIT
#include "scene/scene_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>

#include "input/batch.hpp"

namespace graze::app {
namespace {

std::vector<Pose> read_track(JsonReader& reader, const std::filesystem::path& folder) {
  std::vector<Pose> track;
  if (reader.is_text("track")) {
    constexpr std::array<std::string_view, 1> names{"the body"};
    const std::string file = reader.text("track");
    for (const std::vector<double>& row : read_table(scene_file(reader, "track", folder, file), pose_form(names))) try {
        track.push_back(to_poses(row, names)[0]);
      } catch (const Error& error) {
        reader.refuse("track", fmt::format("row {} of '{}': {}", track.size() + 1, file, error.what()));
      }
    return track;
  }
  for (JsonReader& entry : reader.objects("track")) {
    track.push_back(entry.pose("pose"));
    entry.finish();
  }
  if (track.empty()) reader.refuse("track", "must hold at least one pose");
  return track;
}

/// Scales the largest component to about 1, so that products neither underflow nor overflow.
Quat of_size_one(const Quat& q) {
  int exponent;
  std::frexp(std::max({std::fabs(q.w), std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)}), &exponent);
  return {std::ldexp(q.w, -exponent), std::ldexp(q.x, -exponent), std::ldexp(q.y, -exponent),
          std::ldexp(q.z, -exponent)};
}

}  // namespace

std::string scene_file(const JsonReader& reader, const std::string& key, const std::filesystem::path& folder,
                       const std::string& name) {
  std::error_code unknown;
  const std::filesystem::path path = folder / name;
  if (name.empty() || !std::filesystem::exists(path, unknown))
    reader.refuse(key, fmt::format("there is no file '{}'; names are relative to the scene's folder", path.string()));
  return path.string();
}

std::size_t track_entry(std::size_t entries, bool loop, std::uint64_t frame) {
  return static_cast<std::size_t>(loop ? frame % entries : std::min<std::uint64_t>(frame, entries - 1));
}

Pose SceneMotion::next(const Pose& now, std::uint64_t frame) const {
  if (!track.empty()) return track[track_entry(track.size(), loop, frame + 1)];
  const Quat a = of_size_one(turn), b = of_size_one(now.rotation());
  const Quat q{a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  // Normalise, because otherwise a long run would leave the range of doubles.
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return Pose(now.translation() + velocity,
              turn == Quat{} ? now.rotation() : Quat{q.w / norm, q.x / norm, q.y / norm, q.z / norm});
}

std::vector<double> SceneJointMotion::next(const std::vector<double>& now, std::uint64_t frame) const {
  if (!track.empty()) return track[track_entry(track.size(), loop, frame + 1)];
  std::vector<double> out = now;
  for (std::size_t i = 0; i < velocity.size(); ++i) out[i] += velocity[i];
  return out;
}

SceneMotion read_motion(JsonReader& parent, const std::string& key, const std::filesystem::path& folder) {
  SceneMotion motion;
  if (!parent.has(key)) return motion;
  JsonReader reader = parent.object(key);
  if (reader.has("track")) {
    motion.track = read_track(reader, folder);
    motion.loop = reader.flag("loop", false);
  } else {
    if (reader.has("velocity")) motion.velocity = reader.point("velocity");
    if (reader.has("turn")) {
      const std::vector<double> q = reader.numbers("turn", 4);
      motion.turn = {q[0], q[1], q[2], q[3]};
      if (motion.turn == Quat{0, 0, 0, 0}) reader.refuse("turn", "must be a quaternion w x y z that is not zero");
    }
  }
  reader.finish();
  return motion;
}

SceneJointMotion read_joint_motion(JsonReader& parent, std::size_t coordinates, const std::filesystem::path& folder) {
  SceneJointMotion motion;
  if (!parent.has("motion")) return motion;
  JsonReader reader = parent.object("motion");
  if (reader.is_text("track")) {
    motion.track =
        read_table(scene_file(reader, "track", folder, reader.text("track")), {coordinates, "the joints' coordinates"});
  } else if (reader.has("track")) {
    motion.track = reader.number_lists("track", coordinates);
    if (motion.track.empty()) reader.refuse("track", "must hold at least one list of coordinates");
  } else if (reader.has("velocity")) {
    motion.velocity = reader.numbers("velocity", coordinates);
  }
  if (!motion.track.empty()) motion.loop = reader.flag("loop", false);
  reader.finish();
  return motion;
}

}  // namespace graze::app
