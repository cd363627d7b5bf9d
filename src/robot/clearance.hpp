// SPDX-License-Identifier: MIT
#pragma once

#include "robot/route.hpp"

namespace graze::robot {

/// The least distance of any pair along a route, to within `tolerance`; none if there are no pairs. With `segment` of
/// the route.
std::optional<RobotClearance> least_clearance(const State& state, const Route& route, double tolerance, Memory& memory,
                                              Counters& counters);

}  // namespace graze::robot
