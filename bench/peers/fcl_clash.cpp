// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "harness/clock.hpp"
#include "peers/clash.hpp"
#include "peers/fcl_common.hpp"
#include "peers/fcl_model.hpp"
// FCL's headers must come after the check above.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/collision.h>

namespace graze::bench {
namespace {

using Object = fcl::CollisionObject<double>;
using ClashPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// FCL calls this for every pair of overlapping boxes.
bool ask_pair(Object* a, Object* b, void* data) {
  const fcl::CollisionRequest<double> request(1);
  fcl::CollisionResult<double> result;
  if (fcl::collide(a, b, request, result) == 0) return false;
  const auto number = [](const Object* object) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
  };
  static_cast<ClashPairs*>(data)->push_back(std::minmax(number(a), number(b)));
  return false;
}

ClashRun run_fcl(const KnownAssembly& assembly) {
  ClashRun run;
  const double start = thread_seconds();
  std::vector<std::shared_ptr<fcl::BVHModel<fcl::OBBRSS<double>>>> models;
  for (const Mesh& mesh : assembly.meshes) models.push_back(fcl_model<fcl::OBBRSS<double>>(mesh));
  std::vector<std::unique_ptr<Object>> objects;
  std::vector<Object*> all;
  for (std::size_t i = 0; i < assembly.parts.size(); ++i) {
    objects.push_back(std::make_unique<Object>(models[assembly.parts[i].mesh], fcl_pose(assembly.parts[i].pose)));
    objects[i]->setUserData(reinterpret_cast<void*>(i));
    all.push_back(objects[i].get());
  }
  fcl::DynamicAABBTreeCollisionManager<double> manager;
  manager.registerObjects(all);
  manager.setup();
  manager.collide(&run.clashes, ask_pair);
  std::sort(run.clashes.begin(), run.clashes.end());
  run.seconds = thread_seconds() - start;
  return run;
}

}  // namespace

ClashRunner fcl_clash() { return run_fcl; }

}  // namespace graze::bench
