// SPDX-License-Identifier: MIT
// Pairs of rigid bodies: nearly touching large triangles, needles, near misses.
#include <fmt/core.h>

#include <cmath>
#include <memory>

#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/mesh/make.hpp>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

/// A question of `first_contact` whose answer is known.
struct Flight {
  Body a, b;
  Motion motion_a, motion_b;
  FirstContactOptions options;
  Status expected;
  FirstContactResult result{};

  std::string ask() {
    first_contact(a, motion_a, b, motion_b, options, result);
    return result.status == expected ? "" : fmt::format("{} instead of {}", name(result.status), name(expected));
  }
};
std::function<std::string()> asking(Flight flight) {
  const auto shared = std::make_shared<Flight>(std::move(flight));
  return [shared] { return shared->ask(); };
}

/// A crate of half a metre, turned a little about the vertical, above a floor of 40 metres.
struct CrateOnFloor {
  Body crate{make::box({.size = {.5, .5, .5}})}, floor{make::box({.size = {40, 40, 1}})};
  Quat turned{1, 0, 0, 0.1};
  Pose floor_pose{Vec3{0, 0, -.5}};

  Pose above(double gap) const { return Pose({1, 2, .25 + gap}, turned); }
  /// It slides by 3 centimetres and falls by `fall`.
  std::function<std::string()> moving(double gap, double fall, Status expected) const {
    const Velocity motion(above(gap), Pose({1.03, 2, .25 + gap - fall}, turned));
    return asking({crate, floor, motion, Still{floor_pose}, {}, expected});
  }
  std::function<std::string()> distance(double gap, double relative_error) const {
    return [*this, gap, relative_error] {
      const DistanceResult d =
          graze::distance(crate, above(gap), floor, floor_pose, {.relative_error = relative_error});
      // The gap itself is a rounded sum.
      const double off = std::fabs(d.distance - gap);
      return off <= relative_error * gap + 1e-15 ? std::string() : fmt::format("{} instead of {}", d.distance, gap);
    };
  }
};

/// A tetrahedron with one corner far out.
Body needle(double length) {
  const std::vector<Vec3> corners{{length, 0.5, 0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return Body(Mesh(corners, std::span<const Triangle>(triangles)));
}
std::function<std::string()> turning_needle(double length, double turn, double height, double seconds,
                                            Status expected) {
  FirstContactOptions options;
  options.budget = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  const Velocity motion(Pose({0, 0, height}), Pose({0.3, 0.2, height}, {std::cos(turn / 2), 0, 0, std::sin(turn / 2)}));
  const Velocity box_motion(Pose(), Pose({0, 0.1, 0}, {1, 0.1, 0.2, 0}));
  return asking({needle(length), Body(make::box()), motion, box_motion, options, expected});
}

/// A wheel that turns once beside a wall.
std::function<std::string()> wheel(double gap, double seconds) {
  const Body disc(make::cylinder({.radius = 1, .height = 0.2, .triangles = 512}));
  FirstContactOptions options{.method = "interval", .tolerance = 1e-6};
  options.budget = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  const Velocity spin = Velocity::from_speeds(Pose(), {}, {0, 0, 6});
  return asking(
      {disc, Body(make::box({.size = {1, 8, 8}})), spin, Still{Pose({1.5 + gap, 0, 0})}, options, Status::free});
}

}  // namespace

void row_cliff_resting(Context& context) {
  const CrateOnFloor scene;
  const auto ordinary = scene.moving(1e-2, 0.027, Status::contact);
  std::vector<Cliff> cliffs;
  const auto add = [&](const char* motion, double gap, double fall, Status expected) {
    cliffs.push_back({fmt::format("{} {:g} above the floor", motion, gap), 3, scene.moving(gap, fall, expected),
                      ordinary, "falls from 0.01 above it"});
  };
  for (const double gap : {1e-4, 1e-6, 1e-8, 1e-10}) add("slides", gap, 0, Status::free);
  for (const double gap : {1e-4, 1e-6, 1e-8, 1e-10}) add("falls from", gap, 0.0027, Status::contact);
  compare_cliffs(context, "resting", cliffs);
}

void row_cliff_near(Context& context) {
  const CrateOnFloor scene;
  std::vector<Cliff> cliffs;
  for (const double error : {1e-9, 0.25})
    for (const double gap : {1e-4, 1e-6, 1e-8, 1e-10})
      cliffs.push_back({fmt::format("{:g} above the floor, relative error {:g}", gap, error), 3,
                        scene.distance(gap, error), scene.distance(0.1, error), "0.1 above it"});
  compare_cliffs(context, "near", cliffs);
}

void row_cliff_needles(Context& context) {
  const double seconds = context.quick ? 0.2 : 10;
  const auto ordinary = turning_needle(1, 0.3, 1.2, seconds, Status::contact);
  std::vector<Cliff> cliffs;
  for (const double length : {1e3, 1e5})
    for (const double height : {1.25, 1.2})
      cliffs.push_back({fmt::format("{:g} long, turns by 1.5, {:g} above the box", length, height),
                        length > 1e4 ? 30.0 : 10.0,
                        turning_needle(length, 1.5, height, seconds, height > 1.22 ? Status::free : Status::contact),
                        ordinary, "1 long, touches"});
  compare_cliffs(context, "needles", cliffs);
}

void row_cliff_interval(Context& context) {
  const double seconds = context.quick ? 0.5 : 10;
  std::vector<Cliff> cliffs;
  cliffs.push_back({"a wheel turns at twice the tolerance from a wall", 10, wheel(2e-6, seconds), wheel(0.1, seconds),
                    "at a tenth of its radius"});
  compare_cliffs(context, "interval", cliffs);
}

}  // namespace graze::bench
