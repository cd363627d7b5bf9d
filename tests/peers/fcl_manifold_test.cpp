// SPDX-License-Identifier: MIT
// Manifolds beside FCL's contacts: the same depth of boxes and balls.
#include <gtest/gtest.h>

// Debian's FCL is built without AVX: with a different alignment of Eigen types it crashes or misses contacts.
#define EIGEN_MAX_ALIGN_BYTES 16
#include <fcl/narrowphase/collision.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <graze/ask/manifold.hpp>

namespace graze {
namespace {

fcl::Transform3d fcl_transform(const Pose& p) {
  const Quat q = p.rotation();
  fcl::Transform3d t = fcl::Transform3d::Identity();
  t.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
  t.translation() = fcl::Vector3d(p.translation().x, p.translation().y, p.translation().z);
  return t;
}

struct FclKind {
  std::string name;
  Body body;
  std::shared_ptr<fcl::CollisionGeometryd> fcl;
};

TEST(FclManifold, HasTheSameDepth) {
  const std::vector<FclKind> kinds{{"box", Body(shape::Box{{1, 0.8, 0.6}}), std::make_shared<fcl::Boxd>(1, 0.8, 0.6)},
                                   {"sphere", Body(shape::Sphere{0.5}), std::make_shared<fcl::Sphered>(0.5)}};
  std::mt19937_64 engine(5);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  int compared = 0, same_depth = 0;
  for (int round = 0; round < 800; ++round) {
    const FclKind &a = kinds[static_cast<std::size_t>(round % 2)], &b = kinds[static_cast<std::size_t>(round / 2 % 2)];
    const Pose pose_a({0, 0, 0}, {draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)});
    const Pose pose_b({draw(-0.7, 0.7), draw(-0.7, 0.7), draw(-0.7, 0.7)},
                      {draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)});
    const ManifoldResult ours = manifold(a.body, pose_a, b.body, pose_b);
    const fcl::CollisionRequestd request(8, true);
    fcl::CollisionResultd result;
    const fcl::Transform3d placed_a = fcl_transform(pose_a), placed_b = fcl_transform(pose_b);
    fcl::collide(a.fcl.get(), placed_a, b.fcl.get(), placed_b, request, result);
    EXPECT_EQ(ours.status == Status::contact, result.isCollision()) << a.name << ' ' << b.name << ' ' << round;
    if (ours.patches.empty() || !result.isCollision()) continue;
    ++compared;
    double deepest = 0;
    for (std::size_t i = 0; i < result.numContacts(); ++i)
      deepest = std::max(deepest, result.getContact(i).penetration_depth);
    // Of all translations ours is the shortest.
    EXPECT_LT(ours.patches[0].depth, deepest + 1e-6) << a.name << ' ' << b.name << " in round " << round;
    same_depth += std::fabs(deepest - ours.patches[0].depth) < 1e-6;
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(same_depth, compared * 8 / 10) << compared;
}

}  // namespace
}  // namespace graze
