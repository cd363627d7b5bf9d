// SPDX-License-Identifier: MIT
#include "robot_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace graze;
  RobotFiles files;
  files.urdf = fuzz::file_of(fuzz::text_of(data, size), "robot.urdf");
  files.packages["pkg"] = files.urdf.parent_path();
  return fuzz::read_robot(files);
}
