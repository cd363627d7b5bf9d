// SPDX-License-Identifier: MIT
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>
#include <memory>

#include "peers/placement.hpp"
#include "peers/shapes.hpp"

namespace graze::bench {
namespace {

btScalar s(double x) { return static_cast<btScalar>(x); }

btTransform transform_of(const Pose& pose) {
  const Placement p = placement(pose);
  return btTransform(btMatrix3x3(s(p.rotation[0][0]), s(p.rotation[0][1]), s(p.rotation[0][2]), s(p.rotation[1][0]),
                                 s(p.rotation[1][1]), s(p.rotation[1][2]), s(p.rotation[2][0]), s(p.rotation[2][1]),
                                 s(p.rotation[2][2])),
                     btVector3(s(p.translation.x), s(p.translation.y), s(p.translation.z)));
}

/// Without the margin that Bullet adds to the size of a cone.
std::shared_ptr<btConvexShape> convex_of(const Body& body) {
  if (!body.shape()) return nullptr;
  using namespace shape;
  const Kind& k = body.shape()->kind;
  if (const auto* x = std::get_if<Sphere>(&k)) return std::make_shared<btSphereShape>(s(x->radius));
  if (const auto* x = std::get_if<Capsule>(&k)) return std::make_shared<btCapsuleShapeZ>(s(x->radius), s(x->length));
  if (const auto* x = std::get_if<Box>(&k))
    return std::make_shared<btBoxShape>(btVector3(s(x->sides.x / 2), s(x->sides.y / 2), s(x->sides.z / 2)));
  if (const auto* x = std::get_if<Cylinder>(&k))
    return std::make_shared<btCylinderShapeZ>(btVector3(s(x->radius), s(x->radius), s(x->height / 2)));
  if (const auto* x = std::get_if<Hull>(&k)) {
    auto hull = std::make_shared<btConvexHullShape>();
    for (const Vec3& p : x->points) hull->addPoint(btVector3(s(p.x), s(p.y), s(p.z)), false);
    hull->recalcLocalAabb();
    return hull;
  }
  return nullptr;  // a cone grows by its margin; there is no ellipsoid
}

struct Shapes {
  explicit Shapes(const ShapeScene& scene) : a(convex_of(scene.a)), b(convex_of(scene.b)) {
    // Corners are not to be rounded by a margin. (Of spheres and capsules it is the radius.)
    for (const auto& shape : {a, b})
      if (shape && (shape->getShapeType() == BOX_SHAPE_PROXYTYPE || shape->getShapeType() == CYLINDER_SHAPE_PROXYTYPE ||
                    shape->getShapeType() == CONVEX_HULL_SHAPE_PROXYTYPE))
        shape->setMargin(0);
    for (const PosePair& p : scene.poses) poses.emplace_back(transform_of(p.a), transform_of(p.b));
  }
  std::shared_ptr<btConvexShape> a, b;
  std::vector<std::pair<btTransform, btTransform>> poses;
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver epa;

  /// Negative if they overlap.
  double gap(std::size_t i) {
    btGjkPairDetector detector(a.get(), b.get(), &simplex, &epa);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = poses[i].first;
    input.m_transformB = poses[i].second;
    btPointCollector out;
    detector.getClosestPoints(input, out, nullptr);
    return out.m_hasResult ? static_cast<double>(out.m_distance) : 1e30;
  }
};

}  // namespace

std::vector<Contestant> enter_bullet_shapes(ShapeQuestion question, const ShapeScene& scene) {
  const auto shapes = std::make_shared<Shapes>(scene);
  if (!shapes->a || !shapes->b) return {};
  const char* name = sizeof(btScalar) == 4 ? "Bullet (float)" : "Bullet";
  switch (question) {
    case ShapeQuestion::yes_no: return {{name, [shapes](std::size_t i) { return shapes->gap(i) <= 0; }}};
    case ShapeQuestion::distance: return {{name, [shapes](std::size_t i) { return std::max(0.0, shapes->gap(i)); }}};
    case ShapeQuestion::depth: return {{name, [shapes](std::size_t i) { return std::max(0.0, -shapes->gap(i)); }}};
  }
  return {};
}

}  // namespace graze::bench
