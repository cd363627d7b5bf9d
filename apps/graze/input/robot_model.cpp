// SPDX-License-Identifier: MIT
#include "input/robot_model.hpp"

#include <filesystem>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <graze/core/error.hpp>
#ifdef GRAZE_CLI_HAS_ROBOT
#include <graze/robot/urdf.hpp>
#endif

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
  model.groups = read.groups;
  model.states = read.states;
  model.passive = read.passive;
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

}  // namespace

bool is_robot_file(const std::string& file) { return file.size() > 5 && file.ends_with(".json"); }

RobotModel read_robot_model(const RobotInput& files, const InputOptions& input) {
  if (!is_robot_file(files.robot)) return read_urdf_model(files);
  if (!files.srdf.empty())
    refuse_option("--srdf", "is about a URDF; a robot file has \"ignore\", \"groups\" and \"states\" instead");
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

}  // namespace graze::app
