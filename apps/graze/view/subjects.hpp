// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <graze/clash/clash.hpp>

#include "view/view_document.hpp"

namespace graze::app {

/// A file's name without its folder.
std::string short_name(const std::string& file);

/// A body and its picture. Bodies with the same picture may share a mesh: `mesh` is the number of one that is in the
/// view.
void add_body(ViewDocument& view, const std::string& name, const Body& body, const Pose& pose = {});

/// Puts the first two bodies where the only answer says that they are and how they move.
void place_bodies(ViewDocument& view);

/// The bodies that a command was asked about, and where its answers put them. `command` was parsed, but not run; `view`
/// has the answers. Throws `Error` (unsupported) for a command that has no picture.
void add_subjects(ViewDocument& view, const CLI::App& command);

/// Files that are shown as they are: meshes and shapes, frames of a deforming mesh, a scene, a robot (with a table: on
/// this path), what a command printed, tables. Throws `Error`.
void add_files(ViewDocument& view, std::span<const std::string> files);

/// A scene of `graze world`, frame by frame. None: as many frames as it says.
void add_scene(ViewDocument& view, const std::string& file, std::optional<std::uint64_t> frames);

/// A recording of a world (`World::record`), check by check, with its events.
void add_recording(ViewDocument& view, const std::string& file);

/// A robot on its way from one state to another; none: those of its file, or standing at zero.
struct RobotWay {
  std::optional<std::vector<double>> from, to;
  std::string environment;
  Pose environment_pose;
  std::vector<double> moments;  ///< times that must be among the frames
};
void add_robot(ViewDocument& view, const std::string& file, const RobotWay& way);

/// The robot of `graze robot` as it was asked about: on its path, on its edges one after another, or in a state. A body
/// of the view is a part of the robot (`Robot::part`) with the same number.
void add_robot_question(ViewDocument& view, const CLI::App& command);
/// A URDF, all joints at zero.
void add_urdf(ViewDocument& view, const std::string& file);
/// A URDF or a robot file on the path of a table, as `graze robot --path` reads it.
void add_robot_path(ViewDocument& view, const std::string& file, const std::string& path);

/// The parts of a clash check, one body each: those in memory, or those that its report names.
void add_parts(ViewDocument& view, const clash::Assembly& assembly);
void add_reported_parts(ViewDocument& view, const std::string& file, const Json& report);

/// Frames of a deforming mesh, each a file or several joined by '+'.
void add_frames(ViewDocument& view, std::span<const std::string> files);

}  // namespace graze::app
