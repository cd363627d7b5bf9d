// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <graze/core/export.hpp>
#include <graze/robot/model.hpp>

namespace graze {

/// The files of a robot.
struct RobotFiles {
  std::filesystem::path urdf;
  std::filesystem::path srdf = {};  ///< empty: none
  /// Where packages are: `package://NAME/...` is looked for in the folder of NAME. Relative addresses are relative to
  /// the folder of the URDF.
  std::map<std::string, std::filesystem::path> packages = {};
};

/// Reads a robot from URDF and SRDF (component graze::robot, built with GRAZE_WITH_ROBOT).
///
/// From the URDF: links, joints with limits and mimics, and collision elements: boxes, cylinders and spheres as shapes,
/// meshes with their scale. Visual elements are not looked at. Meshes are OBJ, STL, PLY and OFF; if it was also built
/// with GRAZE_WITH_ASSIMP, whatever assimp reads, DAE for example. Equal vertices of STL files are merged. Joints have
/// the order of the file: the model's links are the root, and then the child of each joint. From the SRDF: disabled
/// pairs, groups, states and passive joints; virtual joints are not used.
///
/// Throws `Error` with file, line and element: file_not_found, bad_file, and what meshes throw.
GRAZE_API RobotModel load_robot(const RobotFiles& files);

}  // namespace graze
