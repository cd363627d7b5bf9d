// SPDX-License-Identifier: MIT
// Long searches of `best_first` called contacts free: triangles were tested with the distances of other nodes from the
// axis, and bodies that turn by about 2^-40 with none. Pinned: every such contact is found, at its time.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <graze/graze.hpp>

namespace graze {
namespace {

constexpr double wall_at = 1.005, tip_at = 1.01, turn = 20;

/// A sphere of radius 1 and one triangle that sticks out: its tip alone reaches the wall. Seen from the axis it starts
/// at the angle `phi`.
Mesh sphere_with_tip(double phi) {
  const Mesh sphere = make::sphere({.radius = 1, .triangles = 2000});
  std::vector<Vec3> points(sphere.positions().begin(), sphere.positions().end());
  PolygonList polygons;
  for (const Triangle& t : sphere.triangles()) polygons.add(t);
  const auto n = static_cast<std::uint32_t>(points.size());
  const double size = 0.02, low = tip_at - size, z = 0.05;
  points.push_back({tip_at * std::cos(phi), tip_at * std::sin(phi), z});
  points.push_back({low * std::cos(phi + size), low * std::sin(phi + size), z});
  points.push_back({low * std::cos(phi), low * std::sin(phi), z + size});
  polygons.add(std::array{n, n + 1, n + 2});
  return {points, polygons};
}

/// Its face towards the sphere is a large rectangle at x = wall_at.
Body wall() { return Body(make::box({.size = {0.2, 10, 10}})); }
Pose wall_pose() { return Pose({wall_at + 0.1, 0, 0}); }

double expected(double phi) { return (2 * std::numbers::pi - phi - std::acos(wall_at / tip_at)) / turn; }

void expect_contact(const FirstContactResult& r, double phi) {
  ASSERT_EQ(r.status, Status::contact) << phi;
  EXPECT_NEAR(r.time.touch, expected(phi), 1e-4) << phi;
}

TEST(TurnTableOfOtherParts, TheTipIsFoundWhereverItStarts) {
  const Body board = wall();
  for (int i = 0; i < 24; ++i) {
    const double phi = 0.5 + 0.2 * i;
    const Body ball(sphere_with_tip(phi));
    const Motion spin = Velocity::from_speeds(Pose(), {}, {0, 0, turn});
    expect_contact(first_contact(ball, spin, board, Still{wall_pose()}), phi);
  }
}

TEST(TurnTableOfOtherParts, ABodyThatTurnsAtSomeInstantsOnlyHasItsPlace) {
  const Body board = wall();
  const double slow = 0x1p-40;  // `least_turn` in motion_frame.cpp
  for (int i = 0; i < 24; ++i) {
    const double phi = 0.5 + 0.2 * i;
    const Body ball(sphere_with_tip(phi));
    const Motion spin = Velocity::from_speeds(Pose(), {}, {0, 0, turn});
    const Vec3 w{0.8 * slow * std::cos(i), 0.8 * slow * std::sin(i), 0.6 * slow};
    FirstContactOptions options;
    options.certificate = true;  // bottom nodes are opened in another way then
    const Motion creep = Velocity::from_speeds(wall_pose(), {}, w, {100, 0, 0});
    expect_contact(first_contact(ball, spin, board, creep, options), phi);
  }
}

}  // namespace
}  // namespace graze
