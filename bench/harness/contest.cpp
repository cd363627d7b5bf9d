// SPDX-License-Identifier: MIT
#include "harness/contest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "harness/clock.hpp"

namespace graze::bench {
namespace {

/// Keeps the optimiser from removing the computation of unused answers.
void keep(double answer) { asm volatile("" : : "g"(answer) : "memory"); }

double time_block(const Contestant& contestant, std::size_t first, std::size_t last, bool wall_clock) {
  const double start = wall_clock ? wall_seconds() : thread_seconds();
  for (std::size_t i = first; i < last; ++i) keep(contestant.ask(i));
  return (wall_clock ? wall_seconds() : thread_seconds()) - start;
}

}  // namespace

Timing summarise(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return seconds[std::min(seconds.size() - 1, static_cast<std::size_t>(share * static_cast<double>(seconds.size())))];
  };
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return {sum / static_cast<double>(seconds.size()), at(0.5), at(0.99)};
}

std::vector<std::vector<double>> best_seconds(const std::vector<Contestant>& contestants, const ContestPlan& plan,
                                              Progress& progress) {
  const std::size_t blocks = (plan.queries + plan.block - 1) / plan.block;
  std::vector<std::vector<double>> best(contestants.size(),
                                        std::vector<double>(blocks, std::numeric_limits<double>::infinity()));
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(1);
  for (int pass = 0; pass < plan.passes; ++pass) {
    for (std::size_t k = 0; k < blocks; ++k) {
      progress.show((static_cast<double>(k) / static_cast<double>(blocks) + pass) / plan.passes);
      const std::size_t first = k * plan.block, last = std::min(first + plan.block, plan.queries);
      // A new order each time. A contestant finds warm caches if it follows another method on the same tree; with a
      // fixed order it would always be the same one.
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t c : order) {
        if (contestants[c].prepare) contestants[c].prepare(first);
        const double seconds =
            time_block(contestants[c], first, last, plan.wall_clock) / static_cast<double>(last - first);
        best[c][k] = std::min(best[c][k], seconds);
      }
    }
  }
  return best;
}

std::vector<Timing> time_interleaved(const std::vector<Contestant>& contestants, const ContestPlan& plan,
                                     Progress& progress) {
  std::vector<Timing> timings;
  for (auto& seconds : best_seconds(contestants, plan, progress)) timings.push_back(summarise(std::move(seconds)));
  return timings;
}

}  // namespace graze::bench
