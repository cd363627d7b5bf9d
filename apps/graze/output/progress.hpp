// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>

namespace graze::app {

/// A bar on standard error, drawn at most ten times a second, and only if standard error is a terminal.
class Progress {
 public:
  explicit Progress(std::size_t total, const char* unit = "rows");
  ~Progress() { wipe(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step() { reach(done_ + 1); }
  /// So many are done.
  void reach(std::size_t done);
  /// Call before printing an answer: if answers go to the same terminal, this erases the bar.
  void before_output() {
    if (shares_screen_) wipe();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double seconds);
  void wipe();

  std::size_t total_, done_ = 0;
  const char* unit_;
  bool terminal_, shares_screen_, visible_ = false;
  Clock::time_point start_ = Clock::now(), drawn_{};
};

}  // namespace graze::app
