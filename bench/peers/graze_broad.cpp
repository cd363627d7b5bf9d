// SPDX-License-Identifier: MIT
#include "peers/broad.hpp"

namespace graze::bench {
namespace {

class GrazeBroad : public BroadRunner {
 public:
  GrazeBroad(const BoxFlight& flight, const BroadOptions& options, bool only_moved)
      : flight_(flight), name_(options.method), phase_(options), only_moved_(only_moved) {
    for (std::size_t i = 0; i < flight.start.size(); ++i)
      phase_.insert(static_cast<std::uint32_t>(i), flight.box(i, flight.start[i]));
    phase_.pairs(pairs_);
  }
  std::string name() const override {
    return name_ == "automatic" ? "graze automatic (" + std::string(phase_.method()) + ")" : "graze " + name_;
  }
  std::size_t frame(std::size_t f) override {
    const std::vector<Vec3>& middles = flight_.frames[f];
    for (std::size_t i = 0; i < middles.size(); ++i)
      phase_.update(static_cast<std::uint32_t>(i), flight_.box(i, middles[i]));
    if (only_moved_)
      phase_.moved_pairs(pairs_);
    else
      phase_.pairs(pairs_);
    return pairs_.size();
  }
  std::vector<BoxPair> found() override { return pairs_; }
  std::size_t bytes() const override { return phase_.bytes(); }

 private:
  const BoxFlight& flight_;
  std::string name_;
  BroadPhase phase_;
  bool only_moved_;
  std::vector<BoxPair> pairs_;
};

}  // namespace

std::unique_ptr<BroadRunner> graze_broad(const BoxFlight& flight, const BroadOptions& options, bool only_moved) {
  return std::make_unique<GrazeBroad>(flight, options, only_moved);
}

#ifndef GRAZE_BENCH_BULLET
std::unique_ptr<BroadRunner> bullet_broad(const BoxFlight&) { return {}; }
#endif
#ifndef GRAZE_BENCH_FCL
std::unique_ptr<BroadRunner> fcl_broad(const BoxFlight&) { return {}; }
#endif

}  // namespace graze::bench
