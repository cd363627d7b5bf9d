// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace graze::testing {

/// How long a random test runs: `cases` in the normal run; a quarter of them with GRAZE_FEW_CASES: in quick runs, and
/// under sanitizers, which look at how code runs and not at what it answers, and take ten times as long; with
/// GRAZE_RANDOM_SECONDS (the night's run) that many seconds, from another seed.
class RandomBudget {
 public:
  explicit RandomBudget(int cases) : cases_(cases) {
    if (!is_whole()) cases_ = (cases + 3) / 4;
    if (const char* s = std::getenv("GRAZE_RANDOM_SECONDS")) seconds_ = std::atof(s);
  }
  /// False where fewer cases run: then fewer of a kind are met, too.
  static bool is_whole() { return std::getenv("GRAZE_FEW_CASES") == nullptr; }
  bool more() {
    if (seconds_ <= 0) return done_++ < cases_;
    ++done_;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() < seconds_;
  }
  static std::uint64_t seed(std::uint64_t fallback) {
    const char* s = std::getenv("GRAZE_SEED");
    return s ? std::strtoull(s, nullptr, 10) * 1000003 + fallback : fallback;
  }

 private:
  int cases_;
  int done_ = 0;
  double seconds_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace graze::testing
