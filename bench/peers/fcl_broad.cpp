// SPDX-License-Identifier: MIT
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/geometry/shape/box.h>

#include "peers/broad.hpp"
#include "peers/fcl_common.hpp"

namespace graze::bench {
namespace {

/// FCL calls this for every pair of overlapping boxes.
bool note_pair(fcl::CollisionObject<double>* a, fcl::CollisionObject<double>* b, void* data) {
  const auto id = [](const fcl::CollisionObject<double>* object) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
  };
  static_cast<std::vector<BoxPair>*>(data)->push_back({std::min(id(a), id(b)), std::max(id(a), id(b))});
  return false;
}

class FclBroad : public BroadRunner {
 public:
  explicit FclBroad(const BoxFlight& flight) : flight_(flight) {
    std::vector<fcl::CollisionObject<double>*> all;
    for (std::size_t i = 0; i < flight.start.size(); ++i) {
      const double side = 2 * flight.half[i];
      auto geometry = std::make_shared<fcl::Box<double>>(side, side, side);
      objects_.push_back(std::make_unique<fcl::CollisionObject<double>>(geometry));
      objects_[i]->setUserData(reinterpret_cast<void*>(i));
      place(i, flight.start[i]);
      all.push_back(objects_[i].get());
    }
    manager_.registerObjects(all);
    manager_.setup();
    for (std::size_t i = 0; i < flight.movers; ++i) movers_.push_back(objects_[i].get());
  }
  std::string name() const override { return "FCL DynamicAABBTree_Array"; }
  std::size_t frame(std::size_t f) override {
    for (std::size_t i = 0; i < movers_.size(); ++i) place(i, flight_.frames[f][i]);
    if (movers_.size() == objects_.size())
      manager_.update();
    else
      manager_.update(movers_);
    pairs_.clear();
    manager_.collide(&pairs_, note_pair);
    return pairs_.size();
  }
  std::vector<BoxPair> found() override { return pairs_; }

 private:
  void place(std::size_t i, const Vec3& at) {
    objects_[i]->setTranslation(fcl::Vector3<double>(at.x, at.y, at.z));
    objects_[i]->computeAABB();
  }

  const BoxFlight& flight_;
  fcl::DynamicAABBTreeCollisionManager_Array<double> manager_;
  std::vector<std::unique_ptr<fcl::CollisionObject<double>>> objects_;
  std::vector<fcl::CollisionObject<double>*> movers_;
  std::vector<BoxPair> pairs_;
};

}  // namespace

std::unique_ptr<BroadRunner> fcl_broad(const BoxFlight& flight) { return std::make_unique<FclBroad>(flight); }

}  // namespace graze::bench
