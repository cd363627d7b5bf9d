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
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "input/robot_file.hpp"
#include "scene/scene_file.hpp"
#include "scene/scene_frames.hpp"
#include "scene/world_print.hpp"
#include "view/shape_picture.hpp"

namespace graze::app {
namespace {

/// The values of an option or an argument; empty: it was not given.
std::vector<std::string> values(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option && option->count() > 0 ? option->results() : std::vector<std::string>();
}

std::string value(const CLI::App& command, const std::string& name) {
  const std::vector<std::string> all = values(command, name);
  return all.empty() ? std::string() : all.front();
}

InputOptions input_of(const CLI::App& command) {
  InputOptions input;
  const std::string format = CLI::detail::to_lower(value(command, "--format"));
  for (const MeshFormat known : {MeshFormat::obj, MeshFormat::off, MeshFormat::ply, MeshFormat::stl})
    if (format == name(known)) input.format = known;
  const CLI::Option* weld = command.get_option_no_throw("--weld");
  input.weld = weld && weld->count() > 0;
  return input;
}

std::string short_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

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

void add_pair(ViewDocument& view, const CLI::App& command) {
  const InputOptions input = input_of(command);
  const std::string a = value(command, "A"), b = value(command, "B");
  const std::string pose = value(command, "--pose");
  const BodyPair bodies = load_bodies(a, b.empty() ? a : b, input);
  add_body(view, short_name(a), bodies.a, pose.empty() ? Pose() : parse_pose(pose, "--pose"));
  if (!b.empty()) add_body(view, short_name(b), bodies.b);
  place_bodies(view);
}

void add_chain_subject(ViewDocument& view, const CLI::App& command) {
  RobotWay way;
  way.environment = value(command, "--environment");
  if (!view.answers.empty()) {
    JsonReader answer = JsonReader::parse("the answer", view.answers.front().dump());
    if (answer.has("from")) way.from = answer.numbers("from");
    if (answer.has("to")) way.to = answer.numbers("to");
    if (answer.has("environment_pose")) way.environment_pose = answer.pose("environment_pose");
    const Json& time = view.answers.front()["time"];
    for (const Json& t : time)
      if (t.is_number() && std::isfinite(t.get<double>())) way.moments.push_back(t.get<double>());
  }
  add_robot(view, value(command, "ROBOT.json"), way);
}

}  // namespace

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

void add_subjects(ViewDocument& view, const CLI::App& command) {
  const std::string name = command.get_name();
  if (name == "chain") return add_chain_subject(view, command);
  if (name == "deform") return add_frames(view, values(command, "frames"));
  if (name == "world") {
    const std::string frames = value(command, "--frames");
    return add_scene(view, value(command, "SCENE"),
                     frames.empty() ? std::nullopt : std::optional<std::uint64_t>(std::stoull(frames)));
  }
  if (command.get_option_no_throw("A")) return add_pair(view, command);
  ErrorDetail detail;
  detail.code = ErrorCode::unsupported;
  detail.element = "command " + name;
  detail.message =
      "has no picture; show collide, distance, penetration, manifold, ray, first-contact, chain, deform, world, or "
      "files";
  throw Error(detail);
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
