// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <graze/mesh/mesh.hpp>
#include <graze/motion/link_pose.hpp>
#include <graze/robot/robot.hpp>

namespace graze::bench {

/// A robot among bodies at rest as a peer takes it: meshes, and the pairs that may not touch.
struct PeerArm {
  struct Part {
    Mesh mesh;  ///< in the link's frame
    std::uint32_t link;
  };
  std::vector<Part> parts;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< of parts
  std::vector<Mesh> obstacles;                                 ///< in the world
};
/// That of a `Robot`. Throws `Error` if a body has no mesh.
PeerArm peer_arm(const Robot& robot, std::span<const Obstacle> obstacles);

/// Does the robot touch anything with its links at these poses?
using PeerTouches = std::function<bool(std::span<const LinkPose>)>;

PeerTouches fcl_touches(const PeerArm& arm);

}  // namespace graze::bench
