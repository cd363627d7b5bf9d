// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <graze/motion/trajectory.hpp>

#include "robot/state.hpp"

namespace graze::robot {

/// What the coordinates do in one question, while t runs from 0 to 1: they change evenly from one state to another, or
/// follow a segment of a trajectory between them.
struct Route {
  std::span<const double> from, to;
  const Trajectory* trajectory = nullptr;  ///< none: evenly
  std::size_t segment = 0;

  /// The state at t, rounded.
  void state(double t, std::vector<double>& q) const;
  /// The state in the middle of a span of time, rounded, and how far each coordinate gets at most from its value there
  /// during the span.
  void middle(const State& s, double t0, double t1, std::vector<double>& q, std::vector<double>& away) const;
  /// Some coordinate follows a polynomial that bends.
  bool curved() const;
  /// Of a link in the world.
  Motion motion(const Chain& chain, LinkId link, const Pose& on_link = {}) const;
  /// Of two parts: see `motions_of` for two states.
  std::pair<Motion, Motion> motions_of(const State& state, const Pair& pair) const;
};

Route route_of(const Trajectory& trajectory, std::size_t segment);

}  // namespace graze::robot
