// SPDX-License-Identifier: MIT
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <cmath>
#include <limits>

#include "peers/broad.hpp"

namespace graze::bench {
namespace {

struct FloatBox {
  btVector3 lo, hi;
};

/// Rounded outward, so that Bullet misses no pair.
FloatBox float_box(const Box3& box) {
  const auto outward = [](double x, double toward) {
    return std::nextafter(static_cast<btScalar>(x), static_cast<btScalar>(toward));
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {btVector3(outward(box.lo.x, -infinity), outward(box.lo.y, -infinity), outward(box.lo.z, -infinity)),
          btVector3(outward(box.hi.x, infinity), outward(box.hi.y, infinity), outward(box.hi.z, infinity))};
}

class BulletBroad : public BroadRunner {
 public:
  explicit BulletBroad(const BoxFlight& flight) {
    for (std::size_t i = 0; i < flight.start.size(); ++i) {
      const FloatBox box = float_box(flight.box(i, flight.start[i]));
      proxies_.push_back(phase_.createProxy(box.lo, box.hi, 0, reinterpret_cast<void*>(i), 1, -1, nullptr));
    }
    phase_.calculateOverlappingPairs(nullptr);
    for (const auto& middles : flight.frames) {
      frames_.emplace_back();
      for (std::size_t i = 0; i < middles.size(); ++i) frames_.back().push_back(float_box(flight.box(i, middles[i])));
    }
  }
  ~BulletBroad() override {
    for (btBroadphaseProxy* proxy : proxies_) phase_.destroyProxy(proxy, nullptr);
  }
  std::string name() const override { return "Bullet btDbvtBroadphase (float)"; }
  bool reports_more() const override { return true; }
  std::size_t frame(std::size_t f) override {
    const std::vector<FloatBox>& boxes = frames_[f];
    for (std::size_t i = 0; i < boxes.size(); ++i) phase_.setAabb(proxies_[i], boxes[i].lo, boxes[i].hi, nullptr);
    phase_.calculateOverlappingPairs(nullptr);
    return static_cast<std::size_t>(phase_.getOverlappingPairCache()->getNumOverlappingPairs());
  }
  std::vector<BoxPair> found() override {
    std::vector<BoxPair> pairs;
    const btBroadphasePairArray& all = phase_.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < all.size(); ++i) {
      const auto a = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(all[i].m_pProxy0->m_clientObject));
      const auto b = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(all[i].m_pProxy1->m_clientObject));
      pairs.push_back({std::min(a, b), std::max(a, b)});
    }
    return pairs;
  }

 private:
  btDbvtBroadphase phase_;
  std::vector<btBroadphaseProxy*> proxies_;
  std::vector<std::vector<FloatBox>> frames_;
};

}  // namespace

std::unique_ptr<BroadRunner> bullet_broad(const BoxFlight& flight) { return std::make_unique<BulletBroad>(flight); }

}  // namespace graze::bench
