// SPDX-License-Identifier: MIT
// The robot of `graze robot`, on its path, on its edges or in a state.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "input/batch.hpp"
#include "input/option_values.hpp"
#include "input/pose_text.hpp"
#include "input/robot_model.hpp"
#include "input/robot_rows.hpp"
#include "output/robot_answer.hpp"
#include "view/subjects.hpp"

namespace graze::app {
namespace {

/// The robot in one frame of the view.
struct Moment {
  double time = 0;
  std::vector<double> state;
};

RobotScene robot_scene_of(const CLI::App& command) {
  RobotInput files{value_of(command, "ROBOT"), value_of(command, "--srdf"), values_of(command, "--package")};
  const InputOptions input = input_of(command);
  RobotScene scene{graze::Robot(read_robot_model(files, input)), {}};
  for (const std::string& text : values_of(command, "--attach")) scene.robot.attach(read_attached(text, input));
  if (const std::string file = value_of(command, "--environment"); !file.empty()) {
    const std::string pose = value_of(command, "--environment-pose");
    scene.obstacles.push_back(
        {load_body(file, input), pose.empty() ? Pose() : parse_pose(pose, "--environment-pose"), "environment"});
    scene.robot.surroundings(scene.obstacles);
  }
  return scene;
}

/// The shares of a segment that are drawn; those that an answer names must be among them.
std::vector<double> shares_of(std::size_t segment, std::size_t segments, std::span<const Json> answers) {
  constexpr std::size_t frames = 100;  // of the whole path, unless it has more segments
  const std::size_t steps = std::max<std::size_t>(1, (frames + segments - 1) / segments);
  std::vector<double> shares;
  for (std::size_t i = 0; i <= steps; ++i) shares.push_back(static_cast<double>(i) / static_cast<double>(steps));
  const auto add = [&](const Json& at, const Json& time) {
    if (at != segment || !time.is_number() || !std::isfinite(time.get<double>())) return;
    shares.push_back(std::clamp(time.get<double>(), 0.0, 1.0));
  };
  for (const Json& answer : answers) {
    if (!answer.contains("segment")) continue;
    for (const Json& time : answer["time"]) add(answer["segment"], time);
    if (answer["clearance"].is_object()) add(answer["clearance"]["segment"], answer["clearance"]["time"]);
  }
  std::sort(shares.begin(), shares.end());
  shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
  return shares;
}

std::vector<Moment> moments_of_path(const RobotScene& scene, const std::string& file, bool spline,
                                    std::span<const Json> answers) {
  const Trajectory path = read_path(scene.robot, file, spline);
  std::vector<Moment> out;
  for (std::size_t segment = 0; segment < path.segments(); ++segment)
    for (const double share : shares_of(segment, path.segments(), answers)) {
      if (segment > 0 && share == 0) continue;  // the end of the segment before
      out.push_back({path.time(segment, share), std::vector<double>(scene.robot.coordinates())});
      path.state(segment, share, out.back().state);
    }
  return out;
}

/// One edge after another: number i from time i to i + 1.
std::vector<Moment> moments_of_edges(const RobotScene& scene, const CLI::App& command, std::span<const Json> answers) {
  const std::size_t n = scene.robot.coordinates();
  const auto rows = read_table(value_of(command, "--edges"), RowForm{2 * n, "joint coordinates at the start and end"});
  std::vector<Moment> out;
  for (std::size_t edge = 0; edge < rows.size(); ++edge) {
    const std::span<const Json> own = answers.subspan(std::min(edge, answers.size()), edge < answers.size() ? 1 : 0);
    for (const double share : shares_of(0, rows.size(), own)) {
      Moment moment{static_cast<double>(edge) + share, {}};
      for (std::size_t k = 0; k < n; ++k)
        moment.state.push_back(rows[edge][k] + share * (rows[edge][n + k] - rows[edge][k]));
      out.push_back(std::move(moment));
    }
  }
  return out;
}

std::vector<Moment> moments_of(const RobotScene& scene, const CLI::App& command, std::span<const Json> answers) {
  if (was_given(command, "--list")) refuse_option("--list", "has no picture; ask about a state, a path or edges");
  if (const std::string path = value_of(command, "--path"); !path.empty())
    return moments_of_path(scene, path, was_given(command, "--spline"), answers);
  if (!value_of(command, "--edges").empty()) return moments_of_edges(scene, command, answers);
  const std::string state = value_of(command, "--state");
  if (state.empty()) return {{0, std::vector<double>(scene.robot.coordinates(), 0.0)}};
  return {{0, read_state(scene.robot, state, "--state")}};
}

/// One body for each part, in their order.
void add_parts_of(ViewDocument& view, const RobotScene& scene, const std::vector<Moment>& moments) {
  view.frames = moments.size();
  if (moments.size() > 1)
    for (const Moment& moment : moments) view.times.push_back(moment.time);
  const std::size_t first = view.bodies.size();
  const auto& pieces = scene.robot.model().pieces;
  const auto& attached = scene.robot.attached();
  for (std::uint32_t part = 0; part < scene.robot.parts(); ++part)
    add_body(
        view, scene.name(part), scene.body(part),
        part < pieces.size() + attached.size() ? Pose() : scene.obstacles[part - pieces.size() - attached.size()].pose);
  for (const Moment& moment : moments) {
    const std::vector<LinkPose> poses = scene.robot.chain().link_poses(moment.state);
    for (std::size_t part = 0; part < pieces.size() + attached.size(); ++part) {
      const std::string& link = part < pieces.size() ? pieces[part].link : attached[part - pieces.size()].link;
      const Pose& own = part < pieces.size() ? pieces[part].pose : attached[part - pieces.size()].pose;
      const Pose& at = poses[index(*scene.robot.chain().find(link))].pose;
      const Quat p = at.rotation(), q = own.rotation();
      view.bodies[first + part].track.emplace_back(
          Pose(at.apply(own.translation()),
               {p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w}));
    }
  }
}

}  // namespace

void add_robot_question(ViewDocument& view, const CLI::App& command) {
  const RobotScene scene = robot_scene_of(command);
  add_parts_of(view, scene, moments_of(scene, command, view.answers));
}

namespace {

RobotScene robot_in_file(const std::string& file) {
  RobotScene scene{graze::Robot(read_robot_model({file, "", {}}, {})), {}};
  if (scene.robot.parts() == 0)
    refuse_option("WHAT", file + " has no bodies (in a URDF: collision elements): there is nothing to see");
  return scene;
}

}  // namespace

void add_urdf(ViewDocument& view, const std::string& file) {
  const RobotScene scene = robot_in_file(file);
  add_parts_of(view, scene, {{0, std::vector<double>(scene.robot.coordinates(), 0.0)}});
}

void add_robot_path(ViewDocument& view, const std::string& file, const std::string& path) {
  const RobotScene scene = robot_in_file(file);
  add_parts_of(view, scene, moments_of_path(scene, path, false, {}));
}

}  // namespace graze::app
