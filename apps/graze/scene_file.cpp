// SPDX-License-Identifier: MIT
#include "scene_file.hpp"

#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <graze/broad/broad_phase.hpp>
#include <graze/core/error.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/mesh/make.hpp>

#include "json_reader.hpp"

namespace graze::app {
namespace {

using Names = std::map<std::string, std::size_t>;

std::size_t find(JsonReader& reader, const std::string& key, const Names& names, const char* what) {
  const std::string name = reader.text(key);
  const auto at = names.find(name);
  if (at == names.end()) reader.refuse(key, fmt::format("there is no {} '{}' before this", what, name));
  return at->second;
}

void enter(JsonReader& reader, Names& names, const std::string& name, std::size_t number) {
  if (!names.emplace(name, number).second) reader.refuse("name", fmt::format("the name '{}' is used twice", name));
}

std::uint32_t bits(JsonReader& reader, const std::string& key, std::uint32_t otherwise) {
  const std::uint64_t x = reader.whole_number(key, otherwise);
  if (x > 0xFFFFFFFFu) reader.refuse(key, "must be a whole number below 2^32, of which each bit is a group");
  return static_cast<std::uint32_t>(x);
}

SceneMotion read_motion(JsonReader& parent) {
  SceneMotion motion;
  if (!parent.has("motion")) return motion;
  JsonReader reader = parent.object("motion");
  if (reader.has("track")) {
    for (JsonReader& entry : reader.objects("track")) {
      motion.track.push_back(entry.pose("pose"));
      entry.finish();
    }
    if (motion.track.empty()) reader.refuse("track", "must hold at least one pose");
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

Mesh read_mesh(JsonReader& reader, const std::filesystem::path& folder) {
  if (reader.has("mesh") == reader.has("make"))
    reader.refuse("mesh", "give either \"mesh\", a file, or \"make\", a shape of `graze make --list`");
  if (reader.has("mesh")) return load_mesh((folder / reader.text("mesh")).string());
  const std::string name = reader.text("make");
  const std::uint64_t triangles = reader.whole_number("triangles", 0);
  for (const make::Shape& shape : make::shapes())
    if (shape.name == name) return shape.make(static_cast<std::size_t>(triangles));
  reader.refuse("make", fmt::format("unknown shape '{}'; `graze make --list` shows them", name));
}

/// The same file or shape is one body, however often it stands in the scene.
class Bodies {
 public:
  explicit Bodies(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Body read(JsonReader& reader) {
    const double scale = reader.number("scale", 1);
    if (!(scale > 0) || !std::isfinite(scale)) reader.refuse("scale", "must be a positive number");
    const std::string key = reader.has("mesh") ? "file " + reader.text("mesh")
                            : reader.has("make")
                                ? fmt::format("shape {} {}", reader.text("make"), reader.whole_number("triangles", 0))
                                : "";
    const auto known = known_.find(key + fmt::format(" {}", scale));
    if (known != known_.end()) return known->second;
    Mesh mesh = read_mesh(reader, folder_);
    if (scale != 1) {
      std::vector<Vec3> positions(mesh.positions().begin(), mesh.positions().end());
      for (Vec3& p : positions) p = p * scale;
      mesh = Mesh(std::move(positions), mesh.polygons());
    }
    return known_.emplace(key + fmt::format(" {}", scale), Body(mesh)).first->second;
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, Body> known_;
};

void read_options(JsonReader& reader, Scene& scene) {
  scene.options.broad = reader.text("broad", "automatic");
  std::string names;
  bool known = false;
  for (const BroadTraits& t : broad_phases()) {
    names += (names.empty() ? "" : ", ") + std::string(t.name);
    known = known || t.name == scene.options.broad;
  }
  if (!known)
    reader.refuse("broad", fmt::format("unknown broad phase '{}'; choose one of {}", scene.options.broad, names));
  const std::uint64_t threads = reader.whole_number("threads", 1);
  if (threads < 1 || threads > 1024) reader.refuse("threads", "must be between 1 and 1024");
  scene.options.threads = static_cast<int>(threads);
  scene.options.solid = reader.flag("solid", false);
  scene.mode = reader.text("mode", "serial");
  if (scene.mode != "serial" && scene.mode != "parallel" && scene.mode != "concurrent")
    reader.refuse("mode", "must be serial, parallel or concurrent");
  scene.sweep = reader.flag("sweep", false);
  if (scene.sweep && scene.mode == "concurrent") reader.refuse("sweep", "is not for the mode concurrent");
  scene.frames = reader.whole_number("frames_to_run", 1);
}

void read_frames(JsonReader& reader, Scene& scene, Names& names) {
  if (!reader.has("frames")) return;
  for (JsonReader& entry : reader.objects("frames")) {
    SceneFrame frame;
    frame.name = entry.text("name");
    if (entry.has("parent")) frame.parent = find(entry, "parent", names, "frame");
    if (entry.has("pose")) frame.pose = entry.pose("pose");
    frame.motion = read_motion(entry);
    if (!frame.motion.track.empty()) frame.pose = frame.motion.track[0];
    entry.finish();
    enter(entry, names, frame.name, scene.frame_list.size());
    scene.frame_list.push_back(std::move(frame));
  }
}

void read_bodies(JsonReader& reader, Scene& scene, const Names& frames, Names& names, Bodies& bodies) {
  for (JsonReader& entry : reader.objects("bodies")) {
    SceneBody body{bodies.read(entry), {}, {}, {}, {}};
    body.settings.name = entry.text("name");
    if (entry.has("frame")) body.frame = find(entry, "frame", frames, "frame");
    if (entry.has("pose")) body.pose = entry.pose("pose");
    body.settings.interest = entry.flag("interest", true);
    body.settings.group = bits(entry, "group", 1);
    body.settings.mask = bits(entry, "mask", 0xFFFFFFFFu);
    body.motion = read_motion(entry);
    if (!body.motion.track.empty()) body.pose = body.motion.track[0];
    entry.finish();
    enter(entry, names, body.settings.name, scene.bodies.size());
    scene.bodies.push_back(std::move(body));
  }
  if (scene.bodies.empty()) reader.refuse("bodies", "must hold at least one body");
}

void read_pairs(JsonReader& reader, Scene& scene, const Names& names) {
  if (!reader.has("pairs")) return;
  for (JsonReader& entry : reader.objects("pairs")) {
    ScenePair pair{find(entry, "a", names, "body"), find(entry, "b", names, "body"), {}};
    if (pair.a == pair.b) entry.refuse("b", "a pair needs two different bodies");
    if (entry.has("interest")) pair.settings.interest = entry.flag("interest", true);
    pair.settings.method = entry.text("method", "automatic");
    if (entry.has("tolerance")) pair.settings.tolerance = entry.number("tolerance", 0);
    entry.finish();
    scene.pairs.push_back(std::move(pair));
  }
}

}  // namespace

Pose SceneMotion::next(const Pose& now, std::uint64_t frame) const {
  if (!track.empty()) {
    const std::uint64_t n = track.size(), i = loop ? (frame + 1) % n : std::min(frame + 1, n - 1);
    return track[static_cast<std::size_t>(i)];
  }
  const Quat &a = turn, &b = now.rotation();
  const Quat q{a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  // To length one, without which a long run would leave the range of doubles.
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return Pose(now.translation() + velocity, turn == Quat{} ? b : Quat{q.w / norm, q.x / norm, q.y / norm, q.z / norm});
}

Scene load_scene(const std::string& file) {
  JsonReader reader = JsonReader::open(file);
  reader.check_version();
  Scene scene;
  if (reader.has("options")) {
    JsonReader options = reader.object("options");
    read_options(options, scene);
    options.finish();
  }
  Names frames, names;
  Bodies bodies(std::filesystem::path(file).parent_path());
  read_frames(reader, scene, frames);
  read_bodies(reader, scene, frames, names, bodies);
  read_pairs(reader, scene, names);
  reader.finish();
  return scene;
}

}  // namespace graze::app
