// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <graze/ask/first_contact.hpp>

#include "robot/reach.hpp"

namespace graze::robot {

/// A pair that is not certified for the whole motion by its boxes.
struct OpenMotion {
  Pair pair;
  bool searched;  ///< `first_contact` has found nothing
};

/// A span of time in which an open pair is not certified.
struct OpenSpan {
  double t0, t1;
  std::uint32_t pair;  ///< its number in the list of open pairs
};

/// Buffers of `Robot::motion_free`.
struct MotionMemory {
  Reach reach;
  std::vector<double> state, away, ways;
  std::vector<OpenMotion> open;
  std::vector<OpenSpan> current, next;
  FirstContactResult found;
};

}  // namespace graze::robot
