// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <graze/motion/trajectory.hpp>

#include "motion/chain_assembly.hpp"

namespace graze::motion {

/// From one waypoint, or knot, to the next; the courses are functions of the share of this time.
struct TrajectorySegment {
  double start, end;
  std::vector<double> from, to;  ///< the states at both ends; those of splines are rounded
  std::vector<Polynomial> courses;
  std::vector<std::string> statements;  ///< of the courses, in the format of certificates

  Way way() const { return {from, to, courses, statements}; }
};

struct TrajectoryData {
  std::size_t coordinates = 0;
  std::vector<TrajectorySegment> segments;
};

/// The same motion as a segment, in `parts` segments, which have no statements. A power of two.
Trajectory in_parts(const TrajectorySegment& segment, std::size_t parts);

}  // namespace graze::motion
