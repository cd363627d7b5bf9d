// SPDX-License-Identifier: MIT
// Manifolds beside Bullet's: the same depth, and Bullet's points are not deeper than ours anywhere.
#include <gtest/gtest.h>

#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <graze/ask/distance.hpp>
#include <graze/ask/manifold.hpp>
#include <graze/ask/penetration.hpp>

namespace graze {
namespace {

struct BulletPoint {
  Vec3 a, b;
  double depth;
};

/// Two objects in a collision world of their own.
class BulletPair {
 public:
  std::vector<BulletPoint> points;

  void ask(btCollisionShape& a, const Pose& pose_a, btCollisionShape& b, const Pose& pose_b) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad;
    btCollisionWorld world(&dispatcher, &broad, &configuration);
    btCollisionObject object_a, object_b;
    object_a.setCollisionShape(&a);
    object_b.setCollisionShape(&b);
    object_a.setWorldTransform(transform(pose_a));
    object_b.setWorldTransform(transform(pose_b));
    world.addCollisionObject(&object_a);
    world.addCollisionObject(&object_b);
    world.performDiscreteCollisionDetection();
    const auto vec = [](const btVector3& v) { return Vec3{v.x(), v.y(), v.z()}; };
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      const btPersistentManifold& m = *dispatcher.getManifoldByIndexInternal(i);
      for (int k = 0; k < m.getNumContacts(); ++k) {
        const btManifoldPoint& p = m.getContactPoint(k);
        BulletPoint point{vec(p.getPositionWorldOnA()), vec(p.getPositionWorldOnB()), -p.getDistance()};
        if (m.getBody0() != &object_a) std::swap(point.a, point.b);
        points.push_back(point);
      }
    }
    world.removeCollisionObject(&object_a);
    world.removeCollisionObject(&object_b);
  }

 private:
  static btTransform transform(const Pose& p) {
    const Quat q = p.rotation();
    const double n = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const auto f = [](double x) { return static_cast<btScalar>(x); };
    return btTransform(btQuaternion(f(q.x * n), f(q.y * n), f(q.z * n), f(q.w * n)),
                       btVector3(f(p.translation().x), f(p.translation().y), f(p.translation().z)));
  }
};

struct Kind {
  std::string name;
  Body body;
  std::shared_ptr<btCollisionShape> bullet;
};

/// Without Bullet's margin, which rounds the edges of its boxes.
std::shared_ptr<btCollisionShape> sharp_box(const btVector3& half) {
  auto box = std::make_shared<btBoxShape>(half);
  box->setMargin(0);
  return box;
}

std::vector<Kind> kinds() {
  return {{"box", Body(shape::Box{{1, 0.8, 0.6}}), sharp_box(btVector3(0.5f, 0.4f, 0.3f))},
          {"sphere", Body(shape::Sphere{0.5}), std::make_shared<btSphereShape>(btScalar(0.5))},
          {"capsule", Body(shape::Capsule{0.25, 1}), std::make_shared<btCapsuleShapeZ>(btScalar(0.25), btScalar(1))}};
}

TEST(BulletManifold, HasTheSameDepthAndNothingDeeper) {
  std::mt19937_64 engine(3);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  const std::vector<Kind> all = kinds();
  int compared = 0, same_depth = 0, most_points = 0;
  for (int round = 0; round < 900; ++round) {
    const Kind &a = all[static_cast<std::size_t>(round % 3)], &b = all[static_cast<std::size_t>(round / 3 % 3)];
    const Pose pose_a({0, 0, 0}, {draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)});
    const Pose pose_b({draw(-0.7, 0.7), draw(-0.7, 0.7), draw(-0.7, 0.7)},
                      {draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)});
    const ManifoldResult ours = manifold(a.body, pose_a, b.body, pose_b);
    BulletPair bullet;
    bullet.ask(*a.bullet, pose_a, *b.bullet, pose_b);
    double deepest = -1;
    for (const BulletPoint& p : bullet.points) deepest = std::max(deepest, p.depth);
    if (ours.status != Status::contact) {
      EXPECT_LT(deepest, 1e-3) << a.name << ' ' << b.name;
      continue;
    }
    ASSERT_EQ(ours.patches.size(), 1u);
    // The depth is the least translation, so Bullet's, which may leave through another side, is not less. (Its boxes
    // and capsules are in single precision, and its depth of capsules and boxes comes from a search that may stop.)
    const double depth = ours.patches[0].depth;
    if (depth < 1e-3 || bullet.points.empty()) continue;
    ++compared;
    EXPECT_LT(depth, deepest + 2e-3) << a.name << ' ' << b.name << " in round " << round;
    same_depth += std::fabs(deepest - depth) < 2e-3;
    most_points = std::max(most_points, static_cast<int>(ours.patches[0].points.size()));
    for (const ManifoldPoint& p : ours.patches[0].points) {
      const Body point(shape::Sphere{0});
      EXPECT_LT(distance(a.body, pose_a, point, Pose(p.points[0])).distance, 1e-5) << a.name << ' ' << b.name;
      EXPECT_LT(distance(b.body, pose_b, point, Pose(p.points[1])).distance, 1e-5) << a.name << ' ' << b.name;
    }
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(same_depth, compared * 9 / 10);
  EXPECT_EQ(most_points, 4);
}

TEST(BulletManifold, OfARestingBoxHasTheSameCorners) {
  const Body floor(shape::Box{{4, 4, 1}}), box(shape::Box{{1, 0.8, 0.6}});
  btBoxShape bullet_floor(btVector3(2, 2, 0.5f)), bullet_box(btVector3(0.5f, 0.4f, 0.3f));
  for (int round = 0; round < 20; ++round) {
    const Pose pose({0.1 * round - 1, 0.3, 0.79}, {1, 0, 0, 0.1 * round});
    BulletPair bullet;
    bullet.ask(bullet_floor, Pose(), bullet_box, pose);
    const ManifoldResult ours = manifold(floor, Pose(), box, pose);
    ASSERT_EQ(ours.patches.size(), 1u);
    ASSERT_EQ(ours.patches[0].points.size(), 4u);
    ASSERT_EQ(bullet.points.size(), 4u);
    for (const ManifoldPoint& p : ours.patches[0].points) {
      double nearest = 1;
      for (const BulletPoint& q : bullet.points) nearest = std::min(nearest, length(p.points[1] - q.b));
      EXPECT_LT(nearest, 1e-3);
      EXPECT_NEAR(p.depth, 0.01, 1e-9);
    }
  }
}

}  // namespace
}  // namespace graze
