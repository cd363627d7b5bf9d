// SPDX-License-Identifier: MIT
// Motions whose first contact is known in closed form.
#include <cmath>
#include <numbers>

#include "conformance/first_contact_check.hpp"
#include "conformance/first_contact_scenes.hpp"

namespace graze {
namespace {

using namespace testing;
constexpr double pi = std::numbers::pi;

/// Every method must find a contact whose exact first touch is at `when` and whose gap closes at about `speed` there.
void expect_contact_at(const Flown& flown, double when, double speed, double tolerance) {
  SCOPED_TRACE(flown.truth.text());
  for (const FirstContactTraits& method : first_contact_methods()) {
    const FirstContactResult r = flown.ask(method.name, tolerance);
    if (r.status == Status::invalid_request) continue;
    SCOPED_TRACE(describe(r));
    EXPECT_EQ(r.status, Status::contact);
    if (r.status != Status::contact) continue;
    const double noise = 1e-14;
    EXPECT_LE(r.time.touch, when + noise) << "late: " << when;
    // Both times lie after the gap has become as small as the tolerance.
    EXPECT_GE(r.time.safe, when - 1.01 * r.tolerance / speed - noise) << "early: " << when;
    check_witness(flown.truth, r);
  }
}
void expect_free(const Flown& flown, std::optional<double> tolerance, std::uint64_t steps = 0) {
  SCOPED_TRACE(flown.truth.text());
  for (const FirstContactTraits& method : first_contact_methods()) {
    // CONTACT's method has no bound on how far rotation can move a point: here it may exhaust its budget.
    const bool slow = method.name == "interval";
    const FirstContactResult r = flown.ask(method.name, tolerance, slow ? 20000 : 0);
    if (r.status == Status::invalid_request || (slow && r.status == Status::undecided)) continue;
    SCOPED_TRACE(describe(r));
    EXPECT_EQ(r.status, Status::free);
    if (steps > 0) {
      EXPECT_LE(r.counters.motion_steps, steps);
    }
  }
}

/// Many points on a sphere, each a degenerate triangle.
Mesh sphere_of_points(double radius, int count) {
  std::vector<Vec3> p;
  std::vector<Triangle> t;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - 2 * (i + 0.5) / count, r = std::sqrt(1 - z * z), a = i * 2.399963229728653;
    p.push_back({radius * r * std::cos(a), radius * r * std::sin(a), radius * z});
    const auto k = static_cast<std::uint32_t>(i);
    t.push_back({k, k, k});
  }
  return Mesh(p, t);
}

TEST(FirstContactClosedForm, SphereOfPointsFallsOnAPlate) {
  const Mesh ball = sphere_of_points(1, 200);
  double lowest = 0;
  for (const Vec3& p : ball.positions()) lowest = std::min(lowest, p.z);
  for (const double tolerance : {1e-2, 1e-4, 1e-8, 1e-12})
    for (const double height : {2.0, 3.0, 50.0}) {
      // Moves down by `height` from `height`: touches where height (1 - t) + lowest = 0.
      const Flown flown(ball, MotionRecipe::velocity(Pose({0, 0, height}), Pose({0.3, -0.2, 0})), plate(4),
                        MotionRecipe::still(Pose()));
      expect_contact_at(flown, 1 + lowest / height, height, tolerance);
    }
}

/// A rotating ball of points: the first point to reach the plate is computed from each point's circle.
TEST(FirstContactClosedForm, SpinningSphereOfPoints) {
  const Mesh ball = sphere_of_points(1, 60);
  for (const double turn : {0.5, 3.0, 15.0, 100.0}) {
    const double height = 2, speed = 1.5;
    // Turns about x: a point at (y, z) = r (cos a, sin a) is at height + r sin(a + turn t) - speed t.
    double when = 2;
    for (const Vec3& p : ball.positions()) {
      const double r = std::hypot(p.y, p.z), a = std::atan2(p.z, p.y);
      const auto f = [&](double t) { return height + r * std::sin(a + turn * t) - speed * t; };
      for (int i = 0; i < 20000; ++i) {
        double lo = i / 20000.0, hi = (i + 1) / 20000.0;
        if (f(hi) > 0) continue;
        for (int k = 0; k < 60; ++k) (f((lo + hi) / 2) > 0 ? lo : hi) = (lo + hi) / 2;
        when = std::min(when, hi);
        break;
      }
    }
    ASSERT_LT(when, 1);
    const Flown flown(ball, MotionRecipe::speeds(Pose({0, 0, height}), {0, 0, -speed}, {turn, 0, 0}), plate(4),
                      MotionRecipe::still(Pose()));
    for (const FirstContactTraits& method : first_contact_methods()) {
      const FirstContactResult r = flown.ask(method.name, 1e-9);
      if (r.status == Status::invalid_request) continue;
      SCOPED_TRACE(describe(r));
      EXPECT_EQ(r.status, Status::contact);
      EXPECT_LE(r.time.touch, when + 1e-13);
      // It may approach tangentially: then the time error grows with the square root of the tolerance.
      EXPECT_GE(r.time.safe, when - 1e-4);
    }
  }
}

TEST(FirstContactClosedForm, BoxesThatShift) {
  const Mesh unit = make::box();
  for (const double tolerance : {1e-2, 1e-6, 1e-12}) {
    // Face to face, face to face with both moving, edge to edge, corner to corner.
    expect_contact_at(
        Flown(unit, MotionRecipe::velocity(Pose({-3, 0, 0}), Pose({1, 0, 0})), unit, MotionRecipe::still(Pose())), 0.5,
        4, tolerance);
    expect_contact_at(Flown(unit, MotionRecipe::velocity(Pose({-3, 0.25, 0}), Pose({1, 0.25, 0})), unit,
                            MotionRecipe::velocity(Pose({3, 0, 0.25}), Pose({-1, 0, 0.25}))),
                      5.0 / 8, 8, tolerance);
    expect_contact_at(
        Flown(unit, MotionRecipe::screw(Pose({-3, -3, 0}), Pose({1, 1, 0})), unit, MotionRecipe::still(Pose())), 0.5,
        4 * std::sqrt(2), tolerance);
    expect_contact_at(Flown(unit, MotionRecipe::angles({{-3, -3, -3}, 0, 0, 0}, {{1, 1, 1}, 0, 0, 0}), unit,
                            MotionRecipe::still(Pose())),
                      0.5, 4 * std::sqrt(3), tolerance);
  }
}

/// A regular wheel of n corners, radius 1, around the y axis; rod-thin teeth or a closed prism.
Mesh wheel(int corners) {
  std::vector<Vec3> p;
  PolygonList f;
  for (int i = 0; i < corners; ++i) {
    const double a = 2 * pi * i / corners;
    p.push_back({std::cos(a), -0.1, std::sin(a)});
    p.push_back({std::cos(a), 0.1, std::sin(a)});
  }
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(corners); ++i) {
    const std::uint32_t j = (i + 1) % static_cast<std::uint32_t>(corners);
    f.add(std::array<std::uint32_t, 4>{2 * i, 2 * i + 1, 2 * j + 1, 2 * j});
  }
  return Mesh(p, f);
}
/// In the plane x = 0.
Mesh wall(double half) {
  PolygonList f;
  f.add(std::array<std::uint32_t, 4>{0, 1, 2, 3});
  return Mesh({{0, -half, -half}, {0, half, -half}, {0, half, half}, {0, -half, half}}, f);
}

/// Spins in place beside a wall, at twice the tolerance from it: must be free, without thousands of tiny steps.
TEST(FirstContactClosedForm, WheelSpinsBesideAWall) {
  for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-9})
    for (const double turn : {0.7, 6.2, 30.0, 100.0, 1e4}) {
      // Below the query's rounding error bound, which grows with the number of turns.
      if (tolerance < 1e-12 * turn * turn) continue;
      const Flown flown(wheel(24), MotionRecipe::speeds(Pose({-1 - 2 * tolerance, 0, 0}), {}, {0, turn, 0}), wall(3),
                        MotionRecipe::still(Pose()));
      expect_free(flown, tolerance, 5000);
      // Also moving along the wall.
      const Flown rolling(wheel(24), MotionRecipe::speeds(Pose({-1 - 2 * tolerance, 0, -1}), {0, 0, 2}, {0, turn, 0}),
                          wall(3), MotionRecipe::still(Pose()));
      expect_free(rolling, tolerance, 5000);
    }
}

/// Rolls towards the wall while spinning: a corner at angle a reaches it when x0 + v t + cos(a - w t) = 0.
TEST(FirstContactClosedForm, WheelRollsIntoAWall) {
  const int corners = 24;
  for (const double turn : {0.3, 2.0, 9.0, 60.0})
    for (const double tolerance : {1e-3, 1e-6, 1e-10}) {
      const double x0 = -3, v = 3;
      double when = 2;
      for (int i = 0; i < corners; ++i) {
        // Rotating about +y (right-handed), x = cos a, z = sin a becomes x = cos(a - w t).
        const double a = 2 * pi * i / corners;
        const auto f = [&](double t) { return x0 + v * t + std::cos(a - turn * t); };
        for (int k = 0; k < 40000; ++k) {
          double lo = k / 40000.0, hi = (k + 1) / 40000.0;
          if (f(hi) < 0) continue;
          for (int m = 0; m < 60; ++m) (f((lo + hi) / 2) < 0 ? lo : hi) = (lo + hi) / 2;
          when = std::min(when, hi);
          break;
        }
      }
      const Flown flown(wheel(corners), MotionRecipe::speeds(Pose({x0, 0, 0}), {v, 0, 0}, {0, turn, 0}), wall(3),
                        MotionRecipe::still(Pose()));
      for (const FirstContactTraits& method : first_contact_methods()) {
        const FirstContactResult r = flown.ask(method.name, tolerance);
        if (r.status == Status::invalid_request) continue;
        SCOPED_TRACE(describe(r));
        EXPECT_EQ(r.status, Status::contact);
        EXPECT_LE(r.time.touch, when + 1e-13);
        EXPECT_GE(r.time.safe, when - 2 * std::sqrt(tolerance));
        check_witness(flown.truth, r);
      }
    }
}

/// A rod of length 2 rotates about its end, 1 above a plate: its tip touches when 2 sin(angle) = 1.
TEST(FirstContactClosedForm, RodTurnsOntoAPlate) {
  const Mesh rod = segment({0, 0, 0}, {2, 0, 0});
  for (const double tolerance : {1e-2, 1e-6, 1e-12})
    for (const double turn : {pi / 2, 2.0, 10.0}) {
      // Rotating about +y moves x towards -z.
      const double when = std::asin(0.5) / turn;
      const Mesh floor = scaled(plate(3), 1, {0, 0, -1});
      expect_contact_at(Flown(rod, MotionRecipe::speeds(Pose(), {}, {0, turn, 0}), floor, MotionRecipe::still(Pose())),
                        when, 2 * turn * std::cos(std::asin(0.5)) * 0.999, tolerance);
    }
  // The same between two poses, a quarter turn, and as a screw; and with the plate moving instead.
  const Quat quarter{1, 0, 1, 0};
  const Mesh floor = scaled(plate(3), 1, {0, 0, -1});
  const double when = std::asin(0.5) / (pi / 2), speed = pi * std::cos(std::asin(0.5)) * 0.999;
  expect_contact_at(Flown(rod, MotionRecipe::velocity(Pose(), Pose({}, quarter)), floor, MotionRecipe::still(Pose())),
                    when, speed, 1e-9);
  expect_contact_at(Flown(floor, MotionRecipe::still(Pose()), rod, MotionRecipe::screw(Pose(), Pose({}, quarter))),
                    when, speed, 1e-9);
  expect_contact_at(Flown(rod, MotionRecipe::angles({}, {{}, 0, pi / 2, 0}), floor, MotionRecipe::still(Pose())), when,
                    speed, 1e-9);
}

/// A tooth of radius 1 on a screw of a given pitch: it has turned by a when it has risen by pitch a / 2 pi.
TEST(FirstContactClosedForm, NutOnAScrew) {
  const Mesh tooth = segment({1, 0, 0}, {1.5, 0, 0});
  for (const double turn : {0.5, 2.0, 3.0}) {
    // Rises by 1 while turning by `turn`; a stop at angle 0.6 `turn` and height 0.6 is met edge to edge at 0.6.
    const double a = 0.6 * turn;
    const Vec3 u{std::cos(a), std::sin(a), 0};
    const Mesh stop = segment(u * 1.25 + Vec3{0, 0, 0.35}, u * 1.25 + Vec3{0, 0, 0.85});
    const Quat q{std::cos(turn / 2), 0, 0, std::sin(turn / 2)};
    expect_contact_at(Flown(tooth, MotionRecipe::screw(Pose(), Pose({0, 0, 1}, q)), stop, MotionRecipe::still(Pose())),
                      0.6, 1.25 * turn * 0.98, 1e-8);
    // Only its end: a plate at height 0.6.
    expect_contact_at(
        Flown(tooth, MotionRecipe::screw(Pose(), Pose({0, 0, 1}, q)), plate(2, 0.6), MotionRecipe::still(Pose())), 0.6,
        1, 1e-8);
  }
}

/// Faces that slide along each other at a constant distance.
TEST(FirstContactClosedForm, ParallelFacesSlide) {
  const Mesh unit = make::box();
  for (const double tolerance : {1e-2, 1e-5, 1e-8, 1e-11})
    for (const double share : {0.5, 0.9, 1.1, 2.0, 10.0}) {
      const double height = 1 + share * tolerance;
      const Flown flown(unit, MotionRecipe::velocity(Pose({-2.5, 0.1, height}), Pose({2.5, -0.1, height})), unit,
                        MotionRecipe::still(Pose()));
      for (const FirstContactTraits& method : first_contact_methods()) {
        const FirstContactResult r = flown.ask(method.name, tolerance);
        if (r.status == Status::invalid_request) continue;
        SCOPED_TRACE("share " + std::to_string(share) + " " + describe(r));
        if (share > 1.05) {
          EXPECT_EQ(r.status, Status::free);
        }
        EXPECT_LE(r.counters.motion_steps, 5000u);
        if (r.status == Status::contact) check_witness(flown.truth, r);
      }
    }
  // Always above it: already starts there.
  for (const double share : {1.1, 2.0, 10.0}) {
    const double tolerance = 1e-6, height = 1 + share * tolerance;
    expect_free(Flown(unit, MotionRecipe::speeds(Pose({-0.5, 0.1, height}), {1, 0, 0}, {0, 0, 3}), unit,
                      MotionRecipe::still(Pose())),
                tolerance, 5000);
  }
}

/// More than a full turn: a clock hand reaches a peg just behind its start.
TEST(FirstContactClosedForm, MoreThanAFullTurn) {
  const Mesh hand = segment({0.2, 0, 0}, {1, 0, 0});
  for (const double turns : {0.9, 1.5, 30.0, 1000.0}) {
    const double a = -0.05;  // the peg, reached after 2 pi - 0.05
    const Vec3 at{0.7 * std::cos(a), 0.7 * std::sin(a), 0};
    const Mesh peg = segment(at + Vec3{0, 0, -1}, at + Vec3{0, 0, 1});
    const double w = 2 * pi * turns, when = (2 * pi + a) / w;
    const Flown flown(hand, MotionRecipe::speeds(Pose(), {}, {0, 0, w}), peg, MotionRecipe::still(Pose()));
    if (when < 1) {
      expect_contact_at(flown, when, 0.7 * w * 0.999, 1e-9);
    } else {
      expect_free(flown, 1e-9);
    }
  }
}

}  // namespace
}  // namespace graze
