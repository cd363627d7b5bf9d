// SPDX-License-Identifier: MIT
#pragma once

#include "robot/route.hpp"

namespace graze::robot {

/// `Robot::check_motion` along a route, without its time.
void check_route(const State& state, const Route& route, const RobotMotionOptions& options, RobotMotionResult& result);

}  // namespace graze::robot
