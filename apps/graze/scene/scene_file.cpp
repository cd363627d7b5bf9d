// SPDX-License-Identifier: MIT
#include "scene/scene_file.hpp"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <graze/ask/collide.hpp>
#include <graze/broad/broad_phase.hpp>

#include "input/json_reader.hpp"
#include "scene/scene_bodies.hpp"
#include "scene/scene_motion.hpp"

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

/// One of these names; otherwise an error that lists them.
std::string choice(JsonReader& reader, const std::string& key, const std::string& otherwise,
                   const std::vector<std::string>& names) {
  const std::string text = reader.text(key, otherwise);
  for (const std::string& name : names)
    if (name == text) return text;
  reader.refuse(key, fmt::format("unknown {} '{}'; choose one of {}", key, text, fmt::join(names, ", ")));
}

void read_details(JsonReader& reader, ContactDetails& details) {
  if (reader.has("details"))
    for (const std::string& wanted : reader.texts("details")) {
      if (wanted == "all_pairs")
        details.all_pairs = true;
      else if (wanted == "manifold")
        details.manifold = true;
      else if (wanted == "depth")
        details.depth = true;
      else
        reader.refuse("details", fmt::format("unknown detail '{}'; choose from all_pairs, manifold, depth", wanted));
    }
  details.margin = reader.number("margin", 0);
  if (!(details.margin >= 0)) reader.refuse("margin", "must be at least 0");
  if (reader.has("margin") && !details.manifold) reader.refuse("margin", "is for details with a manifold");
}

void read_options(JsonReader& reader, Scene& scene) {
  std::vector<std::string> broad;
  for (const BroadTraits& t : broad_phases()) broad.emplace_back(t.name);
  scene.options.broad = choice(reader, "broad", "automatic", broad);
  const std::string boxes = choice(reader, "boxes", "aligned", {"aligned", "tilted", "cubes"});
  for (const BroadBoxes b : {BroadBoxes::aligned, BroadBoxes::tilted, BroadBoxes::cubes})
    if (boxes == name(b)) scene.options.boxes = b;
  scene.mode = choice(reader, "mode", "serial", {"serial", "parallel", "concurrent"});
  const auto all = std::clamp(std::thread::hardware_concurrency(), 1u, 1024u);
  const std::uint64_t threads = reader.whole_number("threads", scene.mode == "parallel" ? all : 1);
  if (threads < 1 || threads > 1024) reader.refuse("threads", "must be between 1 and 1024");
  scene.options.threads = static_cast<int>(threads);
  scene.options.solid = reader.flag("solid", false);
  scene.weld = reader.flag("weld", false);
  scene.sweep = reader.flag("sweep", false);
  read_details(reader, scene.details);
  scene.frames = reader.whole_number("frames_to_run", 1);
}

void read_frames(JsonReader& reader, Scene& scene, Names& names, const SceneBodies& bodies) {
  if (!reader.has("frames")) return;
  for (JsonReader& entry : reader.objects("frames")) {
    SceneFrame frame;
    frame.name = entry.text("name");
    if (entry.has("parent")) frame.parent = find(entry, "parent", names, "frame");
    if (entry.has("pose")) frame.pose = entry.pose("pose");
    frame.motion = read_motion(entry, "motion", bodies.folder());
    if (!frame.motion.track.empty()) frame.pose = frame.motion.track[0];
    entry.finish();
    enter(entry, names, frame.name, scene.frame_list.size());
    scene.frame_list.push_back(std::move(frame));
  }
}

/// A piece may have the name of the broken body, but no other name in use.
void read_break(JsonReader& reader, SceneBody& body, const Names& names, Names& piece_names, SceneBodies& bodies) {
  if (!reader.has("break")) return;
  JsonReader entry = reader.object("break");
  body.breaks_in = entry.whole_number("frame", 0);
  if (body.breaks_in < 2) entry.refuse("frame", "must be a frame after the first, which is number 1");
  for (JsonReader& piece : entry.objects("pieces")) {
    body.pieces.push_back({piece.text("name"), bodies.read(piece), read_motion(piece, "motion", bodies.folder())});
    piece.finish();
    const std::string& name = body.pieces.back().name;
    if (names.contains(name)) piece.refuse("name", fmt::format("the name '{}' is used twice", name));
    enter(piece, piece_names, name, names.size());
  }
  entry.finish();
}

void read_bodies(JsonReader& reader, Scene& scene, const Names& frames, Names& names, SceneBodies& bodies) {
  if (!reader.has("bodies") && reader.has("articulated")) return;
  Names pieces;
  for (JsonReader& entry : reader.objects("bodies")) {
    SceneBody body{bodies.read(entry), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    body.settings.name = entry.text("name");
    if (entry.has("frame")) body.frame = find(entry, "frame", frames, "frame");
    if (entry.has("pose")) body.pose = entry.pose("pose");
    body.settings.interest = entry.flag("interest", true);
    body.settings.trigger = entry.flag("trigger", false);
    body.settings.margin = entry.number("margin", 0);
    if (!(body.settings.margin >= 0 && body.settings.margin <= 0x1p1022))
      entry.refuse("margin", "must be at least 0 and at most 2^1022");
    body.settings.group = entry.bits("group", 1);
    body.settings.mask = entry.bits("mask", 0xFFFFFFFFu);
    body.motion = read_motion(entry, "motion", bodies.folder());
    if (!body.motion.track.empty()) body.pose = body.motion.track[0];
    bodies.read_shapes(entry, body);
    read_break(entry, body, names, pieces, bodies);
    entry.finish();
    const auto piece = pieces.find(body.settings.name);
    if (piece != pieces.end() && piece->second != names.size())
      entry.refuse("name", fmt::format("a piece of another body is called '{}', too", body.settings.name));
    enter(entry, names, body.settings.name, scene.bodies.size());
    scene.bodies.push_back(std::move(body));
  }
  if (scene.bodies.empty() && !reader.has("articulated"))
    reader.refuse("bodies", "must hold at least one body, or \"articulated\" one");
}

void read_articulated(JsonReader& reader, Scene& scene, const Names& frames, Names& names, SceneBodies& bodies) {
  if (!reader.has("articulated")) return;
  std::size_t number = scene.bodies.size();
  for (JsonReader& entry : reader.objects("articulated")) {
    std::optional<std::size_t> frame;
    if (entry.has("frame")) frame = find(entry, "frame", frames, "frame");
    scene.articulated.push_back(read_articulated(entry, bodies));
    SceneArticulated& a = scene.articulated.back();
    a.frame = frame;
    for (const LinkBody& l : a.links) enter(entry, names, a.settings.name + "." + a.chain.link(l.link).name, number++);
  }
}

void read_pairs(JsonReader& reader, Scene& scene, const Names& names) {
  if (!reader.has("pairs")) return;
  std::vector<std::string> methods;
  for (const MethodTraits& t : collide_methods()) methods.emplace_back(t.name);
  for (JsonReader& entry : reader.objects("pairs")) {
    ScenePair pair{find(entry, "a", names, "body"), find(entry, "b", names, "body"), {}};
    if (pair.a == pair.b) entry.refuse("b", "a pair needs two different bodies");
    if (entry.has("interest")) pair.settings.interest = entry.flag("interest", true);
    pair.settings.method = choice(entry, "method", "tree", methods);
    if (entry.has("tolerance")) {
      pair.settings.tolerance = entry.number("tolerance", 0);
      if (!(*pair.settings.tolerance > 0)) entry.refuse("tolerance", "must be a positive number");
    }
    entry.finish();
    scene.pairs.push_back(std::move(pair));
  }
}

void read_rays(JsonReader& reader, Scene& scene) {
  if (!reader.has("rays")) return;
  for (JsonReader& entry : reader.objects("rays")) {
    SceneRay ray{entry.text("name"), entry.point("from"), entry.point("to"), {}};
    const std::string hits = choice(entry, "hits", "each_body", {"each_body", "first", "any", "all"});
    ray.options.hits = hits == "first" ? WorldRayHits::first
                       : hits == "any" ? WorldRayHits::any
                       : hits == "all" ? WorldRayHits::all
                                       : WorldRayHits::each_body;
    if (entry.has("mask")) ray.options.bodies.mask = entry.bits("mask", 0);
    entry.finish();
    scene.rays.push_back(std::move(ray));
  }
}

void read_casts(JsonReader& reader, Scene& scene, SceneBodies& bodies) {
  if (!reader.has("casts")) return;
  for (JsonReader& entry : reader.objects("casts")) {
    SceneCast cast{entry.text("name"), bodies.read(entry), entry.pose("from"), entry.pose("to")};
    entry.finish();
    scene.casts.push_back(std::move(cast));
  }
}

}  // namespace

bool same_parts(const Mesh& a, const Mesh& b) {
  if (a.vertex_count() != b.vertex_count() || a.polygon_count() != b.polygon_count() || !(a.loose() == b.loose()))
    return false;
  for (std::uint32_t p = 0; p < a.polygon_count(); ++p) {
    const auto x = a.polygon(PolygonId{p}), y = b.polygon(PolygonId{p});
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) return false;
  }
  return true;
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
  SceneBodies bodies(std::filesystem::path(file).parent_path(), scene.weld);
  read_frames(reader, scene, frames, bodies);
  read_bodies(reader, scene, frames, names, bodies);
  read_articulated(reader, scene, frames, names, bodies);
  read_pairs(reader, scene, names);
  read_rays(reader, scene);
  read_casts(reader, scene, bodies);
  reader.finish();
  return scene;
}

}  // namespace graze::app
