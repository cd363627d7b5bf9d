// SPDX-License-Identifier: MIT
// Sequences of consecutive flights: the steps of a fall, or the frames of placing a part.
#include <cmath>

#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>

#include "scene/flights.hpp"

namespace graze::bench {
namespace {

bool near(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, double reach) {
  return within(reach, a, pose_a, b, pose_b).status == Status::contact;
}

}  // namespace

std::vector<Flight> recorded_fall(const Body& a, const Body& b, const FlightPlan& plan, const Report& report) {
  constexpr double step = 1.0 / 60, gravity = 9.81, clear = 0.002, deeper = 0.03, bounce = 0.3, height = 1.6;
  Random random(plan.seed);
  const Quat rest_turn = random.rotation();
  const Pose rest({}, rest_turn);
  Vec3 place{0, 0, height}, speed{0, 0, 0};
  Quat turned = random.rotation();
  Vec3 axis = random.direction();
  double spin = 2;  // radians per second
  std::vector<Flight> flights;
  while (flights.size() < plan.count) {
    report(static_cast<double>(flights.size()) / static_cast<double>(plan.count));
    speed.z -= gravity * step;
    const Pose from(place, turned);
    const Vec3 next = place + speed * step;
    const Quat next_turn = product(turn(axis, spin * step), turned);
    if (!near(a, Pose(next, next_turn), b, rest, clear)) {
      flights.push_back(fly(from, Pose(next, next_turn), rest));
      place = next;
      turned = next_turn;
      continue;
    }
    const Vec3 down = speed * (1 / (length(speed) + 1e-9));
    flights.push_back(fly(from, Pose(next + down * deeper, next_turn), rest));
    // Bounces towards the axis, so that it does not fall off, and with a new spin.
    speed = {-place.x, -place.y, bounce * std::fabs(speed.z) + 0.2};
    axis = random.direction();
    spin = random.uniform(0.5, 3);
  }
  return flights;
}

std::vector<Flight> door_placement(const Body& door, const Body& car, const FlightPlan& plan, const Report& report) {
  // Under the roof, with the door upright along the car: moves from below up to the inside of the roof, then around
  // that place.
  constexpr double start_height = -0.4, goal_height = 0.05, wobble = 0.02, back_off = 0.9;
  const Pose rest;
  Random random(plan.seed);
  FirstContactOptions options;
  options.tolerance = plan.tolerance;
  Pose now({0, 0.03, start_height});
  std::vector<Flight> flights;
  while (flights.size() < plan.count) {
    const double share = static_cast<double>(flights.size() + 1) / static_cast<double>(plan.count);
    report(share);
    // The hand arrives after two thirds of the time; then it only makes small movements to fit the door.
    const double height = start_height + (goal_height - start_height) * std::min(1.0, 1.5 * share);
    const Vec3 hand = Vec3{0, 0.03, height} + random.direction() * wobble;
    const Quat tilt = turn(random.direction(), random.uniform(0, 0.1));
    const Flight flight = screw(now, Pose(hand, tilt), rest);
    flights.push_back(flight);
    const FirstContactResult found = first_contact(door, flight.a, car, flight.b, options);
    now = found.status == Status::free ? flight.to : pose_at(flight.a, back_off * found.time.safe);
  }
  return flights;
}

}  // namespace graze::bench
