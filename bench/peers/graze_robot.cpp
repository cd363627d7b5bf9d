// SPDX-License-Identifier: MIT
#include "peers/robot.hpp"

namespace graze::bench {
namespace {

Mesh placed(const Mesh& mesh, const Pose& pose) {
  std::vector<Vec3> at;
  for (const Vec3& p : mesh.positions()) at.push_back(pose.apply(p));
  return Mesh(std::move(at), mesh.triangles());
}

}  // namespace

PeerArm peer_arm(const Robot& robot, std::span<const Obstacle> obstacles) {
  PeerArm out;
  const std::vector<RobotPiece>& pieces = robot.model().pieces;
  for (std::uint32_t a = 0; a < pieces.size(); ++a) {
    out.parts.push_back({placed(pieces[a].body.mesh(), pieces[a].pose), index(*robot.part(a).link)});
    for (std::uint32_t b = 0; b < a; ++b)
      if (!robot.allowed(pieces[b].link, pieces[a].link)) out.pairs.emplace_back(b, a);
  }
  for (const Obstacle& o : obstacles) out.obstacles.push_back(placed(o.body.mesh(), o.pose));
  return out;
}

}  // namespace graze::bench
