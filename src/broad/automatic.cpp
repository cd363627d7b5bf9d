// SPDX-License-Identifier: MIT
#include "broad/automatic.hpp"

#include <algorithm>
#include <vector>

namespace graze::broad {
namespace {

// The crossover points of the methods in measurements (scripts/bench world --rows choice).
constexpr std::size_t kFew = 20;                  // below: all pairs
constexpr std::size_t kMany = 4000;               // above: queries for single bodies cause cache misses
constexpr double kBusy = 0.16, kBusyMany = 0.07;  // share of moving bodies above which everything is sorted again
constexpr double kCalm = 0.6;                     // times the thresholds above: below, switch back
constexpr double kLarge = 8, kMixed = 0.04;       // size ratio to the median, and the share of such larger bodies
constexpr std::size_t kExamineAgain = 256;        // calls, and moves per body, after which sizes may have changed
constexpr std::size_t kMovesEach = 8;

}  // namespace

void Automatic::examine_sizes(const Bodies& bodies) {
  examined_size_ = bodies.size();
  calls_since_examined_ = moves_since_examined_ = 0;
  std::vector<double> sizes;
  const std::uint32_t step = std::max(1u, bodies.limit() / 256);
  for (std::uint32_t id = 0; id < bodies.limit(); id += step) {
    if (!bodies.contains(id)) continue;
    const Box3& box = bodies.box(id);
    double size = 0;
    for (int k = 0; k < 3; ++k) size = std::max(size, 0.5 * box.hi[k] - 0.5 * box.lo[k]);
    sizes.push_back(size);
  }
  if (sizes.empty()) return;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double most = *middle;
  const auto large = std::count_if(sizes.begin(), sizes.end(), [&](double s) { return s / kLarge > most; });
  mixed_ = static_cast<double>(large) > kMixed * static_cast<double>(sizes.size());
}

std::string_view Automatic::choose(const Bodies& bodies, bool only_moved, std::string_view running) {
  const std::size_t n = bodies.size();
  if (n < kFew || (running == "all_pairs" && n < 2 * kFew)) return "all_pairs";
  const double moved = static_cast<double>(std::min(bodies.moved().size(), n)) / static_cast<double>(n);
  share_ = 0.7 * share_ + 0.3 * (only_moved ? moved : 1);
  ++calls_since_examined_;
  moves_since_examined_ += bodies.moved().size();
  // A body's size changes only when it moves: with few moving bodies the sizes have seldom changed, and sampling them
  // would cost more than the query itself.
  const bool may_differ = calls_since_examined_ > kExamineAgain && moves_since_examined_ > kMovesEach * n;
  if (n > 2 * examined_size_ || 2 * n < examined_size_ || may_differ) examine_sizes(bodies);
  const double busy = n < kMany ? kBusy : kBusyMany;
  if (share_ > (running == "strips" ? kCalm * busy : busy)) return "strips";
  return mixed_ ? "tree" : "grid";
}

}  // namespace graze::broad
