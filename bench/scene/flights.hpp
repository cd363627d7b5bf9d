// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/motion/motion.hpp>
#include <graze/query/body.hpp>

#include "scene/poses.hpp"

namespace graze::bench {

/// One question: A goes from one pose to another while B rests.
struct Flight {
  Pose from, to, rest;
  Motion a, b;
};

/// The origin of A goes straight, A turns about a fixed axis at constant speed (FAST 4.1).
Flight fly(const Pose& from, const Pose& to, const Pose& rest);
/// A screws from one pose to the other (CONTACT 3.1).
Flight screw(const Pose& from, const Pose& to, const Pose& rest);

/// Where a motion is at t, rounded.
Pose pose_at(const Motion& motion, double t);

/// What the flight of a scene depends on.
struct FlightPlan {
  std::size_t count = 100;
  double tolerance = 1e-4;
  bool turning = false;  ///< pi/3 about X, then pi/3 about Y, on the way; else translation only
  std::uint64_t seed = 1;
};

/// A body flies 4 past or into another from a random side, each turned at random; every other flight hits. (Who says
/// so does not matter for choosing flights; answers are checked later.)
std::vector<Flight> crossing_flights(const Body& a, const Body& b, const FlightPlan& plan, const Report& report);
/// A body flies 10 past or through a board of side 3, starting five body sizes away from its centre at any side; every
/// other flight hits.
std::vector<Flight> board_flights(const Body& a, const Body& board, const FlightPlan& plan, const Report& report);

/// FAST's first scenario: one motion, five body sizes long; the board lies across it, below the start at first and
/// moved on towards the end from flight to flight.
std::vector<Flight> board_moved_along(const FlightPlan& plan);

/// FAST's Figure 6: A passes above the board at heights from 0.1 down to 0.005 and never comes near.
std::vector<Flight> hovering_flights(const Body& a, const FlightPlan& plan);

/// FAST's last two scenarios: a body falls on another with spin, bounces, and falls again, a 60th of a second a step.
/// Steps that would bring it nearer than 0.002 end 0.03 deeper, which is inside; it then bounces from where it was.
std::vector<Flight> recorded_fall(const Body& a, const Body& b, const FlightPlan& plan, const Report& report);

/// CONTACT's third application: a door is steered to its place in a car's shell by hand: slowly, with small turns,
/// often in touch, each frame starting where the last one had to stop. Screws.
std::vector<Flight> door_placement(const Body& door, const Body& car, const FlightPlan& plan, const Report& report);

}  // namespace graze::bench
