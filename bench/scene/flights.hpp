// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/motion/motion.hpp>

#include "scene/poses.hpp"

namespace graze::bench {

/// One query: A moves from one pose to another while B is at rest.
struct Flight {
  Pose from, to, rest;
  Motion a, b;
};

/// The origin of A moves on a straight line; A rotates about a fixed axis at constant speed (FAST 4.1).
Flight fly(const Pose& from, const Pose& to, const Pose& rest);
/// A moves from one pose to the other by a screw motion (CONTACT 3.1).
Flight screw(const Pose& from, const Pose& to, const Pose& rest);

/// The pose of a motion at t, rounded.
Pose pose_at(const Motion& motion, double t);

/// The parameters of a scene's flights.
struct FlightPlan {
  std::size_t count = 100;
  double tolerance = 1e-4;
  bool turning = false;  ///< rotates by pi/3 about X, then pi/3 about Y during the flight; else translation only
  std::uint64_t seed = 1;
};

/// A body moves a distance of 4 past or into another one from a random direction, both with random rotations; every
/// second flight hits. (Which library decides that does not matter for choosing flights; answers are checked later.)
std::vector<Flight> crossing_flights(const Body& a, const Body& b, const FlightPlan& plan, const Report& report);
/// A body moves a distance of 10 past or through a board of side 3, starting five body sizes away from its centre on
/// any side; every second flight hits.
std::vector<Flight> board_flights(const Body& a, const Body& board, const FlightPlan& plan, const Report& report);

/// FAST's first scenario: one motion, five body sizes long. The board lies across the path; it is below the start in
/// the first flight and is moved towards the end from flight to flight.
std::vector<Flight> board_moved_along(const FlightPlan& plan);

/// FAST's Figure 6: A passes above the board at heights from 0.1 down to 0.005 and never touches it.
std::vector<Flight> hovering_flights(const Body& a, const FlightPlan& plan);

/// FAST's last two scenarios: a spinning body falls on another, bounces, and falls again, with steps of 1/60 s. Steps
/// that would bring it closer than 0.002 end 0.03 deeper, which is inside; it then bounces from its previous position.
std::vector<Flight> recorded_fall(const Body& a, const Body& b, const FlightPlan& plan, const Report& report);

/// CONTACT's third application: a door is moved by hand to its place in a car's shell: slowly, with small rotations,
/// often touching. Each frame starts where the last one had to stop. Screw motions.
std::vector<Flight> door_placement(const Body& door, const Body& car, const FlightPlan& plan, const Report& report);

}  // namespace graze::bench
