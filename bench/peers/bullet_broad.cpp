// SPDX-License-Identifier: MIT
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include "peers/broad.hpp"

namespace graze::bench {
namespace {

struct FloatBox {
  btVector3 lo, hi;
};

/// Enlarged by more than the error of rounding to float in a cage of this size, so that Bullet misses no pair.
FloatBox float_box(const Box3& box) {
  constexpr btScalar wider = 1e-5f;
  const auto s = [](double value) { return static_cast<btScalar>(value); };
  return {btVector3(s(box.lo.x) - wider, s(box.lo.y) - wider, s(box.lo.z) - wider),
          btVector3(s(box.hi.x) + wider, s(box.hi.y) + wider, s(box.hi.z) + wider)};
}

class BulletBroad : public BroadRunner {
 public:
  explicit BulletBroad(const BoxFlight& flight) : flight_(flight) {
    for (std::size_t i = 0; i < flight.start.size(); ++i) {
      const FloatBox box = float_box(flight.box(i, flight.start[i]));
      proxies_.push_back(phase_.createProxy(box.lo, box.hi, 0, reinterpret_cast<void*>(i), 1, -1, nullptr));
    }
    phase_.calculateOverlappingPairs(nullptr);
  }
  ~BulletBroad() override {
    for (btBroadphaseProxy* proxy : proxies_) phase_.destroyProxy(proxy, nullptr);
  }
  std::string name() const override { return "Bullet btDbvtBroadphase (float)"; }
  bool reports_more() const override { return true; }
  std::size_t frame(std::size_t f) override {
    const std::vector<Vec3>& middles = flight_.frames[f];
    for (std::size_t i = 0; i < middles.size(); ++i) {
      const FloatBox box = float_box(flight_.box(i, middles[i]));
      phase_.setAabb(proxies_[i], box.lo, box.hi, nullptr);
    }
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
  const BoxFlight& flight_;
  btDbvtBroadphase phase_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<BroadRunner> bullet_broad(const BoxFlight& flight) { return std::make_unique<BulletBroad>(flight); }

}  // namespace graze::bench
