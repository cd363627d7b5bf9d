// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "robot/urdf/xml.hpp"

namespace graze::robot {

/// What liburdfdom does not tell: the order of the file, and where in it things are.
struct UrdfOutline {
  std::string root;
  struct JointElement {
    std::string name, child;
    const Element* element;
  };
  std::vector<JointElement> joints;                               ///< in the order of the file
  std::map<std::string, std::vector<const Element*>> collisions;  ///< by link
  std::map<std::string, std::string> child_of;                    ///< by joint
};

/// Checks all that is read of a URDF, so that every mistake is told with its line.
UrdfOutline check_urdf(const XmlFile& file);

}  // namespace graze::robot
