// SPDX-License-Identifier: MIT
// What a command was asked about.
#include <algorithm>
#include <cmath>

#include <graze/core/error.hpp>

#include "clash/kept_assembly.hpp"
#include "input/body_motion.hpp"
#include "input/option_values.hpp"
#include "input/pose_path.hpp"
#include "input/pose_text.hpp"
#include "input/query_options.hpp"
#include "view/subjects.hpp"

namespace graze::app {
namespace {

/// Where the options of `first-contact` put the bodies, if its answer does not say: of a path the segment that was
/// asked last, in which the answer's time is.
void place_by_options(ViewDocument& view, const CLI::App& command) {
  if (command.get_name() != "first-contact" || view.answers.size() != 1 || view.answers[0].contains("a_from")) return;
  const std::string kind = value_of(command, "--motion"), path = value_of(command, "--a-path");
  for (std::size_t i = 0; i < std::min<std::size_t>(2, view.bodies.size()); ++i) {
    const std::string body = i == 0 ? "a" : "b", option = "--" + body + "-";
    BodyMotion motion =
        parse_body_motion({value_of(command, option + "from"), value_of(command, option + "to"),
                           value_of(command, option + "velocity"), value_of(command, option + "reference")},
                          body);
    if (i == 0 && !path.empty()) {
      const std::string order = value_of(command, "--quaternion");
      const std::vector<Pose> poses = read_pose_path(path, order.empty() ? "wxyz" : order);
      const auto segment = view.answers[0].value("segment", std::size_t{0});
      motion = {poses.at(segment), poses.at(segment + 1), {}, {}};
    }
    view.bodies[i].pose = motion.from;
    view.bodies[i].motion.reset();
    if (!kind.empty()) view.bodies[i].motion_kind = parse_motion_kind(kind);
    if (motion.moves()) view.bodies[i].motion = motion;
  }
}

void add_pair(ViewDocument& view, const CLI::App& command) {
  const InputOptions input = input_of(command);
  const std::string a = value_of(command, "A"), b = value_of(command, "B");
  const std::string pose = value_of(command, "--pose");
  const BodyPair bodies = load_bodies(a, b.empty() ? a : b, input);
  add_body(view, short_name(a), bodies.a, pose.empty() ? Pose() : parse_pose(pose, "--pose"));
  if (!b.empty()) add_body(view, short_name(b), bodies.b);
  place_bodies(view);
  place_by_options(view, command);
}

void add_chain_subject(ViewDocument& view, const CLI::App& command) {
  RobotWay way;
  way.environment = value_of(command, "--environment");
  if (!view.answers.empty()) {
    JsonReader answer = JsonReader::parse("the answer", view.answers.front().dump());
    if (answer.has("from")) way.from = answer.numbers("from");
    if (answer.has("to")) way.to = answer.numbers("to");
    if (answer.has("environment_pose")) way.environment_pose = answer.pose("environment_pose");
    const Json& time = view.answers.front()["time"];
    for (const Json& t : time)
      if (t.is_number() && std::isfinite(t.get<double>())) way.moments.push_back(t.get<double>());
  }
  add_robot(view, value_of(command, "ROBOT.json"), way);
}

}  // namespace

void add_subjects(ViewDocument& view, const CLI::App& command) {
  const std::string name = command.get_name();
  if (name == "chain") return add_chain_subject(view, command);
  if (name == "robot") return add_robot_question(view, command);
  if (name == "clash") return add_parts(view, kept_assembly().value());
  if (name == "deform") {
    const std::vector<std::string> frames = values_of(command, "frames");
    if (frames.size() == 1 && frames[0].ends_with(".json")) return add_scene(view, frames[0], std::nullopt);
    return add_frames(view, frames);
  }
  if (name == "world") {
    const std::string frames = value_of(command, "--frames");
    return add_scene(view, value_of(command, "SCENE"),
                     frames.empty() ? std::nullopt : std::optional<std::uint64_t>(std::stoull(frames)));
  }
  if (command.get_option_no_throw("A")) return add_pair(view, command);
  ErrorDetail detail;
  detail.code = ErrorCode::unsupported;
  detail.element = "command " + name;
  detail.message =
      "has no picture; show collide, distance, penetration, manifold, clash, ray, first-contact, chain, robot, deform, "
      "world, or files";
  throw Error(detail);
}

}  // namespace graze::app
