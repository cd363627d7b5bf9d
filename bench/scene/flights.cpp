// SPDX-License-Identifier: MIT
#include "scene/flights.hpp"

#include <cmath>
#include <numbers>

#include <graze/ask/first_contact.hpp>

namespace graze::bench {
namespace {

constexpr double kThird = std::numbers::pi / 3;
constexpr double kHalfPath = 2, kHalfBoardPath = 5;

/// The rotation after the flight.
Quat turned(const Quat& start, bool turning) {
  return turning ? product(turn({0, 1, 0}, kThird), product(turn({1, 0, 0}, kThird), start)) : start;
}

Vec3 across(const Vec3& direction, Random& random) {
  for (;;) {
    const Vec3 side = cross(direction, random.direction());
    if (length(side) > 0.1) return side * (1 / length(side));
  }
}

/// Generates flights such that every second one hits.
template <class Draw>
std::vector<Flight> alternating(const Body& a, const Body& b, const FlightPlan& plan, const Report& report,
                                Draw&& draw) {
  FirstContactOptions options;
  options.tolerance = plan.tolerance;
  std::vector<Flight> flights;
  while (flights.size() < plan.count) {
    report(static_cast<double>(flights.size()) / static_cast<double>(plan.count));
    const Flight flight = draw();
    const bool hits = first_contact(a, flight.a, b, flight.b, options).status == Status::contact;
    if (hits == (flights.size() % 2 == 0)) flights.push_back(flight);
  }
  return flights;
}

}  // namespace

Flight fly(const Pose& from, const Pose& to, const Pose& rest) {
  return {from, to, rest, Velocity(from, to), Still{rest}};
}

Flight screw(const Pose& from, const Pose& to, const Pose& rest) {
  return {from, to, rest, Screw(from, to), Still{rest}};
}

Pose pose_at(const Motion& motion, double t) {
  const auto place = motion.at(t);
  const auto& r = place.r;
  return Pose::from_matrix(
      {r[0], r[1], r[2], place.t.x, r[3], r[4], r[5], place.t.y, r[6], r[7], r[8], place.t.z, 0, 0, 0, 1});
}

std::vector<Flight> crossing_flights(const Body& a, const Body& b, const FlightPlan& plan, const Report& report) {
  Random random(plan.seed);
  return alternating(a, b, plan, report, [&] {
    const Quat start = random.rotation(), rest = random.rotation();
    const Vec3 direction = random.direction(), aside = across(direction, random) * random.uniform(0, 1);
    return fly(Pose(aside - direction * kHalfPath, start),
               Pose(aside + direction * kHalfPath, turned(start, plan.turning)), Pose({}, rest));
  });
}

std::vector<Flight> board_flights(const Body& a, const Body& board, const FlightPlan& plan, const Report& report) {
  Random random(plan.seed);
  return alternating(a, board, plan, report, [&] {
    const Quat start = random.rotation();
    const Pose rest({}, random.rotation());
    const Vec3 from = random.direction() * kHalfBoardPath;
    const Vec3 goal = rest.apply({random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5), 0});
    const Vec3 direction = (goal - from) * (1 / length(goal - from));
    return fly(Pose(from, start), Pose(from + direction * (2 * kHalfBoardPath), turned(start, plan.turning)), rest);
  });
}

std::vector<Flight> board_moved_along(const FlightPlan& plan) {
  const Pose from({0, 0, 0}), to({0, 0, -kHalfBoardPath}, turned({}, plan.turning));
  std::vector<Flight> flights;
  for (std::size_t i = 0; i < plan.count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(plan.count);
    flights.push_back(fly(from, to, Pose({0, 0, -1 - (kHalfBoardPath - 1) * share})));
  }
  return flights;
}

std::vector<Flight> hovering_flights(const Body& a, const FlightPlan& plan) {
  constexpr double highest = 0.1, lowest = 0.005, top = 0.005;  // the board is 0.01 thick
  const double below = -a.mesh().box().lo.z;
  std::vector<Flight> flights;
  for (std::size_t i = 0; i < plan.count; ++i) {
    const double share = plan.count > 1 ? static_cast<double>(i) / static_cast<double>(plan.count - 1) : 0;
    const double height = highest * std::pow(lowest / highest, share) + top + below;
    flights.push_back(fly(Pose({-1, 0, height}), Pose({1, 0, height}), Pose()));
  }
  return flights;
}

}  // namespace graze::bench
