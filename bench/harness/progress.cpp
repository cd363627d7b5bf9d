// SPDX-License-Identifier: MIT
#include "harness/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <utility>

namespace graze::bench {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::begin(std::string task) {
  task_ = std::move(task);
  percent_ = -1;
  show(0);
}

void Progress::show(double share) {
  const int percent = static_cast<int>(share * 100);
  if (!terminal_ || percent == percent_) return;
  percent_ = percent;
  const std::string done(static_cast<std::size_t>(percent * 30 / 100), '#');
  fmt::print(stderr, "\r\033[K[{:<30}] {:3} % {}", done, percent, task_);
  std::fflush(stderr);
}

void Progress::clear() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace graze::bench
