// SPDX-License-Identifier: MIT
#include "view/subjects.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <graze/core/error.hpp>
#include <graze/world/replay.hpp>
#include <graze/world/world.hpp>

#include "deform/deform_bodies.hpp"
#include "deform/deform_frames.hpp"
#include "input/body_motion.hpp"
#include "input/query_options.hpp"
#include "input/robot_file.hpp"
#include "scene/scene_file.hpp"
#include "scene/scene_frames.hpp"
#include "scene/world_print.hpp"
#include "view/shape_picture.hpp"

namespace graze::app {
namespace {

/// Where the answer to a question about two bodies puts the first or the second.
void place_by_answer(ViewBody& body, const Json& answer, const std::string& letter) {
  JsonReader reader = JsonReader::parse("the answer", answer.dump());
  if (reader.has("pose_" + letter)) body.pose = reader.pose("pose_" + letter);
  if (!reader.has("motion")) return;
  body.motion_kind = parse_motion_kind(reader.text("motion"));
  body.motion = read_body_motion(reader, letter);
  body.pose = body.motion->from;
  if (!body.motion->moves()) body.motion.reset();
}

}  // namespace

std::string short_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

void place_bodies(ViewDocument& view) {
  if (view.answers.size() != 1) return;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, view.bodies.size()); ++i)
    place_by_answer(view.bodies[i], view.answers.front(), i == 0 ? "a" : "b");
}

void add_body(ViewDocument& view, const std::string& name, const Body& body, const Pose& pose) {
  ViewBody out;
  out.name = name;
  out.pose = pose;
  if (!picture_is_body(body)) {
    const shape::Shape* shape = body.shape();
    if (shape && !std::holds_alternative<shape::Hull>(shape->kind))
      out.shape = shape::to_text(*shape);
    else
      out.picture_only = true;
  }
  const Mesh mesh = picture_of(body);
  const auto same = std::find_if(view.meshes.begin(), view.meshes.end(), [&](const Mesh& known) {
    return known.positions().data() == mesh.positions().data();
  });
  out.mesh = static_cast<std::size_t>(same - view.meshes.begin());
  if (same == view.meshes.end()) view.meshes.push_back(mesh);
  view.bodies.push_back(std::move(out));
}

namespace {

/// Notes where the bodies of a world are, frame by frame.
class SeenWorld {
 public:
  explicit SeenWorld(ViewDocument& view) : view_(view) {}

  void see(const World& world, const std::function<std::string(BodyId)>& name_of) {
    const std::size_t frame = view_.frames++;
    for (ViewBody& body : view_.bodies) {
      body.track.resize(view_.frames);
      if (!body.frames.empty()) body.frames.push_back(body.frames.back());
    }
    for (const BodyId id : world.bodies()) {
      const Body body = world.body(id);
      if (numbers_.emplace(id, view_.bodies.size()).second) {
        add_body(view_, name_of(id), body, world.pose(id));
        view_.bodies.back().track.resize(view_.frames);
      }
      ViewBody& shown = view_.bodies[numbers_.at(id)];
      shown.track[frame] = world.pose(id);
      if (body.has_mesh()) deform(shown, body.mesh(), frame);
    }
  }

 private:
  /// Only what deforms has another mesh in a later frame. What breaks has other vertices then, and stays as it was.
  void deform(ViewBody& shown, const Mesh& now, std::size_t frame) {
    const Mesh& first = view_.meshes[shown.mesh];
    const auto positions = now.positions();
    if (positions.data() == first.positions().data() || positions.size() != first.positions().size()) return;
    if (shown.frames.empty()) shown.frames.assign(frame + 1, {first.positions().begin(), first.positions().end()});
    shown.frames[frame].assign(positions.begin(), positions.end());
  }

  ViewDocument& view_;
  std::map<BodyId, std::size_t> numbers_;  // of the bodies in the view
};

}  // namespace

void add_scene(ViewDocument& view, const std::string& file, std::optional<std::uint64_t> frames) {
  const Scene scene = load_scene(file);
  SeenWorld seen(view);
  for_each_frame(scene, frames.value_or(scene.frames),
                 [&](std::uint64_t, const World& world, const BodyName& name_of) { seen.see(world, name_of); });
}

void add_recording(ViewDocument& view, const std::string& file) {
  SeenWorld seen(view);
  replay_world(file, [&](const World& world, const CheckResult& result) {
    const auto name_of = [&](BodyId id) {
      const std::string name = world.name(id);
      return name.empty() ? fmt::format("body {}", id.slot) : name;
    };
    seen.see(world, name_of);
    Json answer = new_object();
    answer["frame"] = view.frames;
    answer["events"] = Json::array();
    for (const WorldEvent& event : result.events) {
      answer["events"].push_back(to_json(event));
      answer["events"].back()["a"] = name_of(event.a);
      answer["events"].back()["b"] = name_of(event.b);
    }
    view.answers.push_back(std::move(answer));
  });
}

void add_robot(ViewDocument& view, const std::string& file, const RobotWay& way) {
  const Robot robot = load_robot(file, {});
  const Chain& chain = robot.chain;
  const std::vector<double> zero(chain.coordinates(), 0.0);
  const std::vector<double> from = way.from ? *way.from : robot.from.value_or(zero);
  const std::vector<double> to = way.to ? *way.to : robot.to.value_or(from);
  if (from.size() != chain.coordinates() || to.size() != chain.coordinates())
    refuse_option("ROBOT.json", fmt::format("the robot has {} joint coordinates", chain.coordinates()));
  constexpr std::size_t steps = 100;
  for (std::size_t i = 0; i <= steps; ++i) view.times.push_back(static_cast<double>(i) / steps);
  view.times.insert(view.times.end(), way.moments.begin(), way.moments.end());
  std::sort(view.times.begin(), view.times.end());
  view.times.erase(std::unique(view.times.begin(), view.times.end()), view.times.end());
  view.frames = view.times.size();
  const std::size_t first = view.bodies.size();
  for (std::size_t i = 0; i < chain.size(); ++i)
    if (robot.bodies[i]) add_body(view, chain.link(LinkId(static_cast<std::uint32_t>(i))).name, *robot.bodies[i]);
  std::vector<double> q(from.size());
  for (const double t : view.times) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = from[k] + t * (to[k] - from[k]);
    const std::vector<LinkPose> poses = chain.link_poses(q);
    std::size_t body = first;
    for (std::size_t i = 0; i < chain.size(); ++i)
      if (robot.bodies[i]) view.bodies[body++].track.emplace_back(poses[i].pose);
  }
  if (!way.environment.empty()) add_body(view, "environment", load_body(way.environment, {}), way.environment_pose);
}

namespace {

/// Is the point in a box around the placed box, or as near as rounding and clearances may put it? A rough test, which
/// finds that a list was made of other meshes.
bool may_hold(const Box3& box, const Pose& pose, const Vec3& point) {
  Box3 placed;
  for (int corner = 0; corner < 8; ++corner)
    placed.add(pose.apply(
        {corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y, corner & 4 ? box.hi.z : box.lo.z}));
  const double size = std::hypot(placed.hi.x - placed.lo.x, placed.hi.y - placed.lo.y, placed.hi.z - placed.lo.z);
  const double slack = 1e-6 * size;
  return point.x >= placed.lo.x - slack && point.x <= placed.hi.x + slack && point.y >= placed.lo.y - slack &&
         point.y <= placed.hi.y + slack && point.z >= placed.lo.z - slack && point.z <= placed.hi.z + slack;
}

}  // namespace

void add_parts(ViewDocument& view, const clash::Assembly& assembly) {
  std::map<std::uint32_t, std::size_t> meshes;  // of the geometries
  for (const clash::Part& part : assembly.parts) {
    const auto [entry, is_new] = meshes.emplace(part.geometry, view.meshes.size());
    if (is_new) view.meshes.push_back(assembly.geometries[part.geometry].load());
    ViewBody body;
    body.name = part.name;
    body.mesh = entry->second;
    body.pose = part.pose;
    view.bodies.push_back(std::move(body));
  }
}

void add_reported_parts(ViewDocument& view, const std::string& file, const Json& report) {
  JsonReader reader = JsonReader::parse(file, report.dump());
  clash::Assembly assembly;
  std::map<std::string, std::uint64_t> geometry_of;  // by file
  std::map<std::uint64_t, std::uint32_t> known;
  for (JsonReader& entry : reader.objects("parts")) {
    clash::Part part;
    part.name = entry.text("name");
    part.file = entry.text("file", "");
    part.pose = entry.pose("pose");
    const std::uint64_t geometry = entry.whole_number("geometry", 0);
    if (part.file.empty())
      entry.refuse("file", "is not said, so the part cannot be drawn: `graze view clash PARTS...` asks again");
    if (geometry_of.emplace(part.file, geometry).first->second != geometry)
      entry.refuse("geometry",
                   "is a part of its file, which this list does not describe: `graze view clash PARTS...` asks again");
    const auto [number, is_new] = known.emplace(geometry, static_cast<std::uint32_t>(assembly.geometries.size()));
    if (is_new) assembly.geometries.push_back(clash::geometry(load(part.file, {})));
    part.geometry = number->second;
    assembly.parts.push_back(std::move(part));
  }
  for (JsonReader& clash : reader.objects("clashes"))
    for (const char* side : {"a", "b"}) {
      const std::uint64_t number = clash.whole_number(side, 0);
      if (number >= assembly.parts.size()) clash.refuse(side, "is no part of this list");
      const clash::Part& part = assembly.parts[static_cast<std::size_t>(number)];
      const std::string point = std::string("point_") + side;
      if (clash.has(point) && !may_hold(assembly.geometries[part.geometry].box, part.pose, clash.point(point)))
        clash.refuse(point,
                     fmt::format("is outside of {}: the part was scaled, or its file has changed; `graze view clash "
                                 "PARTS...` asks again",
                                 part.name));
    }
  add_parts(view, assembly);
}

void add_frames(ViewDocument& view, std::span<const std::string> files) {
  const Frame first = load_frame(files[0]);
  ViewBody body;
  body.name = short_name(files[0]);
  body.mesh = view.meshes.size();
  view.meshes.push_back(first.mesh);
  view.frames = files.size();
  for (const std::string& file : files) {
    const Mesh mesh = file == files[0] ? first.mesh : load_frame(file).mesh;
    check_same_frame(first.mesh, files[0], mesh, file);
    body.frames.emplace_back(mesh.positions().begin(), mesh.positions().end());
  }
  view.bodies.push_back(std::move(body));
}

}  // namespace graze::app
