// SPDX-License-Identifier: MIT
// A robot in FCL: its meshes as OBB trees, which answer a yes or no fastest; boxes around the bodies are compared
// first, as FCL's collision managers do. Self-collision and obstacles, until the first contact.
#include "peers/fcl_common.hpp"
#include "peers/fcl_model.hpp"
#include "peers/robot.hpp"
// FCL's headers must come after the check above.
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>

namespace graze::bench {
namespace {

using Model = fcl::BVHModel<fcl::OBB<double>>;
using Object = fcl::CollisionObject<double>;

struct FclArm {
  std::vector<Object> parts, obstacles;
  std::vector<std::uint32_t> links;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  fcl::CollisionRequest<double> request;
  fcl::CollisionResult<double> result;

  explicit FclArm(const PeerArm& arm) : pairs(arm.pairs) {
    for (const PeerArm::Part& part : arm.parts) {
      parts.emplace_back(fcl_model<fcl::OBB<double>>(part.mesh));
      links.push_back(part.link);
    }
    for (const Mesh& mesh : arm.obstacles) {
      obstacles.emplace_back(fcl_model<fcl::OBB<double>>(mesh));
      obstacles.back().computeAABB();
    }
  }
  bool meet(const Object& a, const Object& b) {
    if (!a.getAABB().overlap(b.getAABB())) return false;
    result.clear();
    return fcl::collide(&a, &b, request, result) > 0;
  }
  bool touches(std::span<const LinkPose> poses) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].setTransform(fcl_pose(poses[links[i]].pose));
      parts[i].computeAABB();
    }
    for (const auto& [a, b] : pairs)
      if (meet(parts[a], parts[b])) return true;
    for (const Object& part : parts)
      for (const Object& obstacle : obstacles)
        if (meet(part, obstacle)) return true;
    return false;
  }
};

}  // namespace

PeerTouches fcl_touches(const PeerArm& arm) {
  const auto robot = std::make_shared<FclArm>(arm);
  return [robot](std::span<const LinkPose> poses) { return robot->touches(poses); };
}

}  // namespace graze::bench
