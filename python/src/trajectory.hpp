// SPDX-License-Identifier: MIT
#pragma once

#include "convert.hpp"

#include <variant>

#include <graze/motion/trajectory.hpp>

#include "enums.hpp"

GRAZE_PYTHON_ENUM(graze::Interpolation)

namespace graze_python {

/// A trajectory, and what it was made from: that is what is pickled.
struct Trajectory {
  struct Waypoints {
    std::vector<graze::TrajectoryPoint> points;
    std::vector<graze::Interpolation> each;
  };
  struct Spline {
    std::vector<double> control;
    std::size_t coordinates = 0;
    std::vector<double> knots;  ///< none: evenly from start to end
    double start = 0, end = 0;
  };
  std::variant<Waypoints, Spline> source;
  graze::Trajectory trajectory;

  explicit Trajectory(std::variant<Waypoints, Spline> from);
};

}  // namespace graze_python
