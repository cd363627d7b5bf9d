// SPDX-License-Identifier: MIT
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>

#include "peers/placement.hpp"
#include "peers/shapes.hpp"

namespace graze::bench {
namespace {

btScalar f(double x) { return static_cast<btScalar>(x); }

btTransform place_of(const Pose& pose) {
  const Quat q = pose.rotation();
  return btTransform(btQuaternion(f(q.x), f(q.y), f(q.z), f(q.w)).normalized(),
                     btVector3(f(pose.translation().x), f(pose.translation().y), f(pose.translation().z)));
}

std::unique_ptr<btCollisionShape> solid_of(const shape::Shape& shape) {
  using namespace graze::shape;
  const Kind& k = shape.kind;
  if (const auto* x = std::get_if<Sphere>(&k)) return std::make_unique<btSphereShape>(f(x->radius));
  if (const auto* x = std::get_if<Capsule>(&k)) return std::make_unique<btCapsuleShapeZ>(f(x->radius), f(x->length));
  if (const auto* x = std::get_if<Box>(&k))
    return std::make_unique<btBoxShape>(btVector3(f(x->sides.x / 2), f(x->sides.y / 2), f(x->sides.z / 2)));
  if (const auto* x = std::get_if<Cylinder>(&k))
    return std::make_unique<btCylinderShapeZ>(btVector3(f(x->radius), f(x->radius), f(x->height / 2)));
  return nullptr;
}

/// Bodies that do not move are static, as Bullet's manual asks; only boxes of moving bodies are updated.
class BulletWorld : public WorldRunner {
 public:
  explicit BulletWorld(const ShapeWorld& scene) : scene_(scene) {
    world_.setForceUpdateAllAabbs(false);
    for (const shape::Shape& s : scene.kinds) solids_.push_back(solid_of(s));
    for (std::size_t i = 0; i < scene.start.size(); ++i) {
      auto object = std::make_unique<btCollisionObject>();
      object->setCollisionShape(solids_[scene.kind_of[i]].get());
      object->setWorldTransform(place_of(scene.start[i]));
      const bool moves = i < scene.moving;
      if (!moves) {
        object->setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
        object->setActivationState(ISLAND_SLEEPING);
      } else {
        object->setActivationState(DISABLE_DEACTIVATION);
      }
      const int group = moves ? btBroadphaseProxy::DefaultFilter : btBroadphaseProxy::StaticFilter;
      world_.addCollisionObject(
          object.get(), group,
          moves ? btBroadphaseProxy::AllFilter : btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
      objects_.push_back(std::move(object));
    }
    world_.performDiscreteCollisionDetection();
  }
  ~BulletWorld() override {
    for (const auto& object : objects_) world_.removeCollisionObject(object.get());
  }
  std::string name() const override { return "Bullet collision world (float)"; }
  void frame(std::size_t k) override {
    for (std::size_t i = 0; i < scene_.moving; ++i) objects_[i]->setWorldTransform(place_of(scene_.frames[k][i]));
    world_.performDiscreteCollisionDetection();
  }
  std::size_t contacts() override {
    std::size_t sum = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* m = dispatcher_.getManifoldByIndexInternal(i);
      bool meet = false;
      for (int k = 0; k < m->getNumContacts(); ++k) meet |= m->getContactPoint(k).getDistance() <= 0;
      sum += meet;
    }
    return sum;
  }

 private:
  const ShapeWorld& scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase phase_;
  btCollisionWorld world_{&dispatcher_, &phase_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> solids_;
  std::vector<std::unique_ptr<btCollisionObject>> objects_;
};

}  // namespace

std::unique_ptr<WorldRunner> bullet_world(const ShapeWorld& scene) { return std::make_unique<BulletWorld>(scene); }

}  // namespace graze::bench
