// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>

#include <graze/robot/urdf.hpp>

#include "robot/urdf/xml.hpp"

namespace graze::robot {

/// The meshes that a URDF names, each read once.
class MeshFiles {
 public:
  MeshFiles(const RobotFiles& files, const XmlFile& urdf) : files_(files), urdf_(urdf) {}

  /// `at`: the element that names it, for messages.
  Body body(const std::string& address, const Vec3& scale, const Element& at);

 private:
  std::filesystem::path find(const std::string& address, const Element& at) const;
  Mesh read(const std::filesystem::path& file, const Vec3& scale, const Element& at) const;

  const RobotFiles& files_;
  const XmlFile& urdf_;
  std::map<std::pair<std::string, std::array<double, 3>>, Body> read_;  ///< by address and scale
};

}  // namespace graze::robot
