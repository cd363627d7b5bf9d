// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace graze::testing {

/// How long a random test runs: `cases` in the normal run. With GRAZE_FEW_CASES a quarter of them: in quick runs, and
/// under sanitizers, which check how code runs and not its answers, and take ten times as long. With
/// GRAZE_RANDOM_SECONDS (the nightly run) that many seconds, from another seed.
class RandomBudget {
 public:
  explicit RandomBudget(int cases) : cases_(cases) {
    if (!is_whole()) cases_ = (cases + 3) / 4;
    if (const char* s = std::getenv("GRAZE_RANDOM_SECONDS")) seconds_ = std::atof(s);
  }
  /// False if fewer cases run: then fewer cases of each kind occur, too.
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
