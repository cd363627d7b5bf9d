// SPDX-License-Identifier: MIT
// Exact contacts at the start, at the end and in between: integer coordinates, closed time interval, tolerance at the
// start, degenerate and nested bodies.
#include "conformance/first_contact_check.hpp"
#include "conformance/first_contact_scenes.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using namespace testing;

template <class Check>
void every_method(const Flown& flown, const FirstContactOptions& base, const Check& check) {
  SCOPED_TRACE(flown.truth.text());
  for (const FirstContactTraits& method : first_contact_methods()) {
    FirstContactOptions options = base;
    options.method = method.name;
    const FirstContactResult r = flown.ask(options);
    if (r.status == Status::invalid_request) {
      EXPECT_TRUE(r.error && !r.error->message.empty()) << method.name;
      continue;
    }
    SCOPED_TRACE(describe(r));
    EXPECT_NE(r.status, Status::undecided) << "does not end";
    if (said_enough()) return;
    check(r);
  }
}
template <class Check>
void every_method(const Flown& flown, const Check& check) {
  every_method(flown, FirstContactOptions{}, check);
}

/// Touching exactly at t = 1 and not before: the time interval is closed, so this is a contact. Face, edge and corner.
TEST(FirstContactExact, TouchesOnlyAtTheEnd) {
  const Mesh unit = make::box({.size = {2, 2, 2}});
  for (const Vec3 from :
       {Vec3{8, 0, 0}, Vec3{8, 1, 1}, Vec3{8, 8, 0}, Vec3{8, 8, 8}, Vec3{4, -1, 1}, Vec3{1024, 0, 2}}) {
    const Vec3 to{from.x > 2 ? 2.0 : from.x, from.y > 2 ? 2.0 : from.y, from.z > 2 ? 2.0 : from.z};
    for (const MotionRecipe& m :
         {MotionRecipe::velocity(Pose(from), Pose(to)), MotionRecipe::screw(Pose(from), Pose(to)),
          MotionRecipe::speeds(Pose(from), to - from, {}), MotionRecipe::angles({from, 0, 0, 0}, {to, 0, 0, 0}),
          MotionRecipe::velocity(Pose(from, {1, 0, 0, 1}), Pose(to, {1, 0, 0, 1})),
          MotionRecipe::velocity(Pose(from), Pose(to, {1, 0, 0, 1}))})
      every_method(Flown(unit, m, unit, MotionRecipe::still(Pose())), [&](const FirstContactResult& r) {
        if (r.status == Status::touching_at_start) return;  // rotation may bring them into contact earlier
        EXPECT_EQ(r.status, Status::contact);
        EXPECT_LE(r.time.touch, 1);
      });
  }
}

/// The bodies touch exactly at the end pose although the entries of its rotation are not doubles: integer quaternions,
/// integer placed corners.
TEST(FirstContactExact, TurnsIntoATouchAtTheEnd) {
  const std::uint64_t seed = RandomBudget::seed(321);
  oracle::Random random(seed);
  int number = 0;
  for (RandomBudget budget(300); budget.more() && !said_enough(); ++number) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", case " + std::to_string(number));
    const oracle::PlacedPair p = oracle::placed_exactly(random);
    const Mesh a = triangle(p.a[0], p.a[1], p.a[2]), b = triangle(p.b[0], p.b[1], p.b[2]);
    const bool touches = collide(Body(a), p.pose_a, Body(b), p.pose_b).status == Status::contact;
    const Pose start(p.pose_a.translation() + oracle::real_point(random, 50), oracle::unit_quaternion(random));
    const MotionRecipe in = random() % 2 ? MotionRecipe::velocity(start, p.pose_a, oracle::real_point(random))
                                         : MotionRecipe::screw(start, p.pose_a);
    const Flown flown(a, in, b, MotionRecipe::still(p.pose_b));
    every_method(flown, [&](const FirstContactResult& r) {
      if (touches) {
        EXPECT_NE(r.status, Status::free) << "MISSED: the bodies touch exactly at t = 1";
      }
    });
    // And with time reversed: bodies that touch at t = 0 are reported as such, whatever happens later.
    const MotionRecipe out =
        random() % 2 ? MotionRecipe::velocity(p.pose_a, start) : MotionRecipe::screw(p.pose_a, start);
    every_method(Flown(a, out, b, MotionRecipe::still(p.pose_b)), [&](const FirstContactResult& r) {
      EXPECT_EQ(r.status == Status::touching_at_start, touches);
      if (touches) {
        EXPECT_EQ(r.time.safe, 0);
        EXPECT_EQ(r.time.touch, 0);
        EXPECT_FALSE(r.features.empty());
      }
    });
  }
}

/// Boxes with integer coordinates that touch exactly at t = 1/2 and continue, through or along each other.
TEST(FirstContactExact, TouchesAtHalfTime) {
  const Mesh unit = make::box({.size = {2, 2, 2}});
  for (const Vec3 touch : {Vec3{2, 0, 0}, Vec3{2, 1, 1}, Vec3{2, 2, 0}, Vec3{2, 2, 2}})
    for (const Vec3 way : {Vec3{-4, 0, 0}, Vec3{-4, -2, 0}, Vec3{-1, -1, -1}, Vec3{-2, 3, 1}, Vec3{-64, 0, 0}}) {
      every_method(
          Flown(unit, MotionRecipe::velocity(Pose(touch - way), Pose(touch + way)), unit, MotionRecipe::still(Pose())),
          [&](const FirstContactResult& r) {
            EXPECT_EQ(r.status, Status::contact);
            EXPECT_LE(r.time.touch, 0.5);
            EXPECT_GE(r.time.touch, 0.49);
          });
      // Corners that only pass each other: along y while x touches.
      every_method(
          Flown(unit, MotionRecipe::velocity(Pose({2, 8, 0}), Pose({2, -8, 0})), unit, MotionRecipe::still(Pose())),
          [&](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::contact); });
    }
}

TEST(FirstContactExact, StartsNearerThanTheTolerance) {
  const Mesh unit = make::box();
  for (const double tolerance : {1e-2, 1e-6, 1e-9})
    for (const double share : {0.9, 0.5, 0.01}) {
      const double start = share * tolerance;
      // Apart: free, with half the start distance as the tolerance.
      every_method(Flown(unit, MotionRecipe::velocity(Pose({1 + start, 0, 0}), Pose({2, 0, 0})), unit,
                         MotionRecipe::still(Pose())),
                   {.tolerance = tolerance}, [&](const FirstContactResult& r) {
                     EXPECT_EQ(r.status, Status::free);
                     EXPECT_LE(r.tolerance, start * 0.5 * (1 + 1e-6) + 1e-15);
                     EXPECT_GE(r.tolerance, start * 0.5 * (1 - 1e-6) - 1e-15);
                   });
      // Towards each other: contact, at less than the start distance.
      every_method(Flown(unit, MotionRecipe::velocity(Pose({1 + start, 0, 0}), Pose({0.5, 0, 0})), unit,
                         MotionRecipe::still(Pose())),
                   {.tolerance = tolerance}, [&](const FirstContactResult& r) {
                     EXPECT_EQ(r.status, Status::contact);
                     EXPECT_GT(r.time.safe, 0);
                     EXPECT_LE(r.gap, start * 0.5 * (1 + 1e-6) + 1e-15);
                   });
    }
  // Separated by less than the rounding error bound: contact with t_safe 0, never free and never touching.
  const double next = std::nextafter(1.0, 2.0);
  every_method(Flown(unit, MotionRecipe::velocity(Pose({next, 0, 0}, {1, 0, 0, 0}), Pose({0, 3, 0}, {1, 1, 0, 0})),
                     unit, MotionRecipe::still(Pose())),
               [&](const FirstContactResult& r) {
                 EXPECT_EQ(r.status, Status::contact);
                 EXPECT_EQ(r.time.safe, 0);
               });
}

TEST(FirstContactExact, StartsInTouch) {
  const Mesh unit = make::box();
  const Flown leaving(unit, MotionRecipe::velocity(Pose({1, 0, 0}), Pose({3, 0, 0})), unit,
                      MotionRecipe::still(Pose()));
  const Flown entering(unit, MotionRecipe::velocity(Pose({1, 0, 0}), Pose({-3, 0, 0})), unit,
                       MotionRecipe::still(Pose()));
  const Flown crossing(unit, MotionRecipe::velocity(Pose({0.9, 0.1, 0.2}), Pose({3, 0, 0})), unit,
                       MotionRecipe::still(Pose()));
  const Flown staying(unit, MotionRecipe::still(Pose({1, 0, 0})), unit, MotionRecipe::still(Pose()));
  for (const Flown* flown : {&leaving, &entering, &crossing, &staying})
    every_method(*flown, [&](const FirstContactResult& r) {
      EXPECT_EQ(r.status, Status::touching_at_start);
      EXPECT_EQ(r.time.safe, 0);
      EXPECT_EQ(r.time.touch, 0);
      EXPECT_FALSE(r.features.empty());
    });
  FirstContactOptions ignore;
  ignore.ignore_start_if_separating = true;
  for (const FirstContactTraits& method : first_contact_methods()) {
    ignore.method = method.name;
    const FirstContactResult r =
        first_contact(Body(unit), Velocity(Pose({1, 0, 0}), Pose({3, 0, 0})), Body(unit), Still{}, ignore);
    EXPECT_EQ(r.status, Status::free) << method.name;
  }
  every_method(entering, ignore, [&](const FirstContactResult& r) { EXPECT_NE(r.status, Status::free); });
  every_method(staying, ignore, [&](const FirstContactResult& r) { EXPECT_NE(r.status, Status::free); });
}

/// One body inside the other: only surfaces count. A ball moves inside a box.
TEST(FirstContactExact, Nested) {
  const Mesh outer = make::box({.size = {10, 10, 10}}), inner = make::box();
  every_method(Flown(inner, MotionRecipe::speeds(Pose(), {1, 1, 1}, {9, 0, 2}), outer, MotionRecipe::still(Pose())),
               [&](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::free); });
  every_method(Flown(inner, MotionRecipe::velocity(Pose(), Pose({9, 0, 0})), outer, MotionRecipe::still(Pose())),
               [&](const FirstContactResult& r) {
                 EXPECT_EQ(r.status, Status::contact);
                 EXPECT_LE(r.time.touch, 0.5);
                 EXPECT_GE(r.time.safe, 0.499);
               });
}

/// Two copies of the same body with the same motion; and passing through each other.
TEST(FirstContactExact, IdenticalBodies) {
  const Mesh body = make::tetrahedron();
  const MotionRecipe move = MotionRecipe::velocity(Pose({1, 2, 3}), Pose({4, 4, 4}, {1, 2, 3, 4}));
  every_method(Flown(body, move, body, move),
               [&](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::touching_at_start); });
  every_method(Flown(body, MotionRecipe::velocity(Pose({3, 0, 0}), Pose({-3, 0, 0})), body,
                     MotionRecipe::velocity(Pose({-3, 0, 0}), Pose({3, 0, 0}))),
               [&](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::contact); });
  // Exactly the same motion side by side: the gap is constant, 1.
  const Mesh cube = make::box();
  every_method(Flown(cube, MotionRecipe::velocity(Pose({2, 0, 0}), Pose({9, 5, 1})), cube,
                     MotionRecipe::velocity(Pose({0, 0, 0}), Pose({7, 5, 1}))),
               [&](const FirstContactResult& r) {
                 EXPECT_EQ(r.status, Status::free);
                 EXPECT_LE(r.counters.motion_steps, 1000u);
               });
}

/// Points, segments and needles against each other.
TEST(FirstContactExact, DegenerateBodies) {
  const Mesh dot = point({0, 0, 0}), line = segment({-1, 0, 0}, {1, 0, 0}), other = segment({0, -1, 0}, {0, 1, 0}),
             face = triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0}),
             needle = Mesh(std::vector<Vec3>{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, std::vector<Triangle>{{0, 1, 2}});
  const auto fall = [](const Mesh& a, const Mesh& b) {
    return Flown(a, MotionRecipe::velocity(Pose({0, 0, 1}), Pose({0, 0, -3})), b, MotionRecipe::still(Pose()));
  };
  const auto hit = [](const FirstContactResult& r) {
    EXPECT_EQ(r.status, Status::contact);
    EXPECT_LE(r.time.touch, 0.25);
    EXPECT_GE(r.time.safe, 0.249);
  };
  for (const Mesh* a : {&dot, &line, &other, &face, &needle})
    for (const Mesh* b : {&dot, &line, &other, &face, &needle}) {
      every_method(fall(*a, *b), {.tolerance = 1e-6}, hit);
      // Past each other at a distance of half a unit: free.
      every_method(
          Flown(*a, MotionRecipe::velocity(Pose({2.5, 0, 1}), Pose({2.5, 0, -3})), *b, MotionRecipe::still(Pose())),
          {.tolerance = 1e-6}, [](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::free); });
    }
  // Both at rest.
  every_method(Flown(dot, MotionRecipe::still(Pose({0, 0, 1})), line, MotionRecipe::still(Pose())),
               [](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::free); });
  every_method(Flown(dot, MotionRecipe::still(Pose()), dot, MotionRecipe::still(Pose())),
               [](const FirstContactResult& r) { EXPECT_EQ(r.status, Status::touching_at_start); });
}

/// The distance of a point beside the middle of a segment is that to its foot point on the segment, not to the
/// segment's ends.
TEST(FirstContactExact, PointBesideASegment) {
  const std::uint64_t seed = RandomBudget::seed(322);
  oracle::Random random(seed);
  for (RandomBudget budget(150); budget.more() && !said_enough();) {
    const Mesh dot = point(oracle::real_point(random));
    const Mesh other =
        random() % 3 == 0 ? point(oracle::real_point(random))
        : random() % 2    ? segment(oracle::real_point(random), oracle::real_point(random))
                       : triangle(oracle::real_point(random), oracle::real_point(random), oracle::real_point(random));
    const auto move = [&] {
      return random_motion(random, oracle::real_point(random, 2), oracle::real_point(random, 2), 1);
    };
    const MotionRecipe m = move(), n = move();
    check_all_methods(random() % 2 ? Flown(dot, m, other, n) : Flown(other, m, dot, n), 1e-10);
  }
}

}  // namespace
}  // namespace graze
