// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "robot/state.hpp"

namespace graze::robot {

/// Whether the rotation of every floating joint is known from the two states: near half a turn, which way it turns is a
/// matter of rounding.
bool turns_are_known(const State& state, std::span<const double> from, std::span<const double> to);

/// The rotations of floating joints turn evenly from one state to the other, by the smaller angle, and are not what
/// other coordinates are: this puts the quaternions at time t into `q`. In the place of the first number of each,
/// `away` gets a bound of the angle by which the rotation is off from `q` at any time within `half` of t.
void set_turns(const State& state, std::span<const double> from, std::span<const double> to, double t, double half,
               std::vector<double>& q, std::vector<double>& away);

}  // namespace graze::robot
