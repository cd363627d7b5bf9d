// SPDX-License-Identifier: MIT
#include "output/progress.hpp"

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "system.hpp"

namespace graze::app {

Progress::Progress(std::size_t total, const char* unit)
    : total_(total), unit_(unit), terminal_(messages_are_on_terminal()), shares_screen_(output_is_terminal()) {}

void Progress::reach(std::size_t done) {
  done_ = done;
  if (!terminal_ || done_ == 0) return;
  const auto now = Clock::now();
  const bool due = now - drawn_ >= std::chrono::milliseconds(100) || done_ == total_;
  // If the answers go to the same terminal, the bar was erased for the line just printed and must be drawn again.
  if (!due && !(shares_screen_ && !visible_)) return;
  drawn_ = now;
  draw(std::chrono::duration<double>(now - start_).count());
}

void Progress::draw(double seconds) {
  constexpr std::size_t width = 32;
  const std::size_t filled = done_ * width / total_;
  const double left = seconds / static_cast<double>(done_) * static_cast<double>(total_ - done_);
  std::fflush(stdout);
  fmt::print(stderr, "\r\033[K[{}{}] {:3}%  {}/{} {}, {:.1f} s left", std::string(filled, '#'),
             std::string(width - filled, '.'), done_ * 100 / total_, done_, total_, unit_, left);
  std::fflush(stderr);
  visible_ = true;
}

void Progress::wipe() {
  if (!visible_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace graze::app
