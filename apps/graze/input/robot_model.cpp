// SPDX-License-Identifier: MIT
#include "input/robot_model.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>
#ifdef GRAZE_CLI_HAS_ROBOT
#include <graze/robot/urdf.hpp>
#endif

#include "input/batch.hpp"
#include "input/pose_text.hpp"
#include "input/refuse_file.hpp"
#include "input/robot_file.hpp"

namespace graze::app {
namespace {

RobotModel read_json_model(const std::string& file, const InputOptions& input) {
  const Robot read = load_robot(file, input);
  RobotModel model;
  model.name = std::filesystem::path(file).stem().string();
  for (std::uint32_t i = 0; i < read.chain.size(); ++i) {
    const Link& link = read.chain.link(LinkId{i});
    model.links.push_back(link);
    if (read.bodies[i]) model.pieces.push_back({link.name, *read.bodies[i], {}, {}});
  }
  for (const auto& [a, b] : read.ignored)
    model.allowed.push_back({read.chain.link(a).name, read.chain.link(b).name, "ignored by the file"});
  return model;
}

std::map<std::string, std::filesystem::path> folders_of(const std::vector<std::string>& packages) {
  std::map<std::string, std::filesystem::path> folders;
  for (const std::string& package : packages) {
    const std::size_t equals = package.find('=');
    if (equals == 0 || equals == package.npos || equals + 1 == package.size())
      refuse_option("--package", fmt::format("'{}' is no NAME=DIR, such as panda_description=/opt/panda", package));
    if (!folders.emplace(package.substr(0, equals), package.substr(equals + 1)).second)
      refuse_option("--package", fmt::format("'{}' is given twice", package.substr(0, equals)));
  }
  return folders;
}

#ifdef GRAZE_CLI_HAS_ROBOT
RobotModel read_urdf_model(const RobotInput& files) {
  return graze::load_robot({files.robot, files.srdf, folders_of(files.packages)});
}
#else
RobotModel read_urdf_model(const RobotInput& files) {
  folders_of(files.packages);
  refuse_file(ErrorCode::unsupported, files.robot,
              "this graze was built without the component that reads URDF: install liburdfdom-dev and libtinyxml2-dev, "
              "and configure with -DGRAZE_WITH_ROBOT=ON; a robot file (.json, docs/motions.md) is read by every graze");
}
#endif

bool is_json(const std::string& file) { return file.size() > 5 && file.ends_with(".json"); }

}  // namespace

RobotModel read_robot_model(const RobotInput& files, const InputOptions& input) {
  if (!is_json(files.robot)) return read_urdf_model(files);
  if (!files.srdf.empty()) refuse_option("--srdf", "is about a URDF; a robot file has \"ignore\" instead");
  if (!files.packages.empty()) refuse_option("--package", "is about a URDF; names in a robot file are relative to it");
  return read_json_model(files.robot, input);
}

AttachedBody read_attached(const std::string& text, const InputOptions& input) {
  std::istringstream words(text);
  std::string link, body, word;
  if (!(words >> link >> body))
    refuse_option("--attach", fmt::format("'{}' is no \"LINK BODY\", such as \"hand box:0.1,0.1,0.2\"", text));
  std::string pose;
  std::vector<std::string> touched;
  bool touch = false;
  while (words >> word) {
    if (std::exchange(touch, touch || word == "touch")) {
      touched.push_back(word);
    } else if (word != "touch") {
      pose += word + ' ';
    }
  }
  if (touch && touched.empty()) refuse_option("--attach", "names no link after \"touch\"");
  return {body, link, load_body(body, input), pose.empty() ? Pose{} : parse_pose(pose, "--attach"), touched};
}

std::vector<double> read_state(const graze::Robot& robot, const std::string& text, const std::string& option) {
  std::vector<double> q(robot.coordinates(), 0.0);
  const auto& states = robot.model().states;
  if (std::any_of(states.begin(), states.end(), [&](const RobotState& s) { return s.name == text; })) {
    robot.set_named_state(text, q);
    return q;
  }
  const std::vector<std::string_view> fields = split_fields(text, ' ');
  if (fields.size() == 1 && !fields[0].empty() && !parse_number(fields[0]) && text.find(',') == text.npos) {
    std::string names;
    for (const RobotState& s : states) names += (names.empty() ? "" : ", ") + s.name;
    refuse_option(option, fmt::format("'{}' is neither numbers nor a state of the SRDF, which has {}", text,
                                      names.empty() ? "none" : names));
  }
  q = parse_numbers(text, option);
  if (q.size() != robot.coordinates())
    refuse_option(option, fmt::format("has {} numbers, but the robot has {} coordinates: {}", q.size(),
                                      robot.coordinates(), fmt::join(coordinate_names(robot), ", ")));
  return q;
}

Trajectory read_path(const graze::Robot& robot, const std::string& file, bool spline) {
  const std::size_t n = robot.coordinates();
  if (n == 0) refuse_option("--path", "the robot has no joint that moves");
  const std::string joints = fmt::format("{} joint coordinates", n);
  std::vector<RowForm> forms{{n, joints}, {n + 1, "a time and " + joints}};
  if (!spline) {
    forms.push_back({2 * n + 1, "the same and their velocities"});
    forms.push_back({3 * n + 1, "the same and their accelerations"});
  } else {
    forms.pop_back();
  }
  const Table table = read_table(file, forms);
  try {
    if (spline) {
      std::vector<double> control;
      for (const std::vector<double>& row : table.rows) control.insert(control.end(), row.begin(), row.end());
      return Trajectory::spline(control, n, 0, static_cast<double>(std::max<std::size_t>(table.rows.size(), 4) - 3));
    }
    std::vector<TrajectoryPoint> points;
    for (const std::vector<double>& row : table.rows) {
      TrajectoryPoint point;
      auto rest = std::span(row);
      point.time = table.form == 0 ? static_cast<double>(points.size()) : rest[0];
      rest = rest.subspan(table.form == 0 ? 0 : 1);
      for (std::vector<double>* const part : {&point.positions, &point.velocities, &point.accelerations}) {
        if (rest.empty()) break;
        part->assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(n));
        rest = rest.subspan(n);
      }
      points.push_back(std::move(point));
    }
    return Trajectory::through(points);
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.file = file;
    throw Error(detail);
  }
}

std::vector<std::string> coordinate_names(const graze::Robot& robot) {
  constexpr std::array planar{"x", "y", "angle"};
  constexpr std::array floating{"x", "y", "z", "qw", "qx", "qy", "qz"};
  std::vector<std::string> names;
  const Chain& chain = robot.chain();
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const Link& link = chain.link(LinkId{i});
    if (!chain.first_coordinate(LinkId{i})) continue;
    const std::string& name = link.joint.name.empty() ? link.name : link.joint.name;
    const std::size_t count = coordinates_of(link.joint.type);
    if (count == 1) names.push_back(name);
    for (std::size_t k = 0; count > 1 && k < count; ++k)
      names.push_back(name + "." + (count == 3 ? planar[k] : floating[k]));
  }
  return names;
}

}  // namespace graze::app
