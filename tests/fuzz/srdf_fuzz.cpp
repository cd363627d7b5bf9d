// SPDX-License-Identifier: MIT
#include "robot_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace graze;
  static const std::filesystem::path urdf = fuzz::file_of(R"(<robot name="r">
<link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="0.25"/></geometry></collision></link>
<link name="c"><collision><geometry><cylinder radius="0.25" length="1"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>
<joint name="k" type="planar"><parent link="a"/><child link="c"/></joint></robot>)",
                                                          "robot.urdf");
  RobotFiles files{urdf, fuzz::file_of(fuzz::text_of(data, size), "robot.srdf"), {}};
  return fuzz::read_robot(files);
}
