// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/motion_free.hpp>

namespace graze::ask {

/// The answers of the questions that `motion_free` asks, kept so that their buffers are used again.
struct MotionFreeRoom {
  CollideResult probe;
  FirstContactResult search;
};

/// `motion_free` with buffers of the caller.
void motion_free_with(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                      const FirstContactOptions& options, MotionFreeRoom& room, MotionFreeResult& result);

}  // namespace graze::ask
