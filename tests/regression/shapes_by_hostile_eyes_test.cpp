// SPDX-License-Identifier: MIT
// What a hostile reading of the code for shapes found.
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>
#include <graze/graze.hpp>

namespace graze {
namespace {

using shape::Box;
using shape::Cylinder;
using shape::Ellipsoid;
using shape::Hull;
using shape::Sphere;

/// The origin of a hull need not be in it. Two origins that nearly coincide were taken for a common point.
TEST(ShapesByHostileEyes, OriginsThatCoincideOutsideTheirHulls) {
  const Body corner(Hull{{{10, 0, 0}, {11, 0, 0}, {10, 1, 0}, {10, 0, 1}}}), ball(Sphere{0.1});
  const Body gripper =
      compound({{Body(Box{{1, 4, 4}}), Pose({-5, 0, 0}), "left"}, {Body(Box{{1, 4, 4}}), Pose({5, 0, 0}), "right"}});
  const Body between(Sphere{1});
  for (const double noise : {0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-12}) {
    SCOPED_TRACE(noise);
    const Pose pose({noise, 0, 0});
    EXPECT_EQ(collide(corner, Pose(), ball, pose).status, Status::free);
    EXPECT_NEAR(distance(corner, Pose(), ball, pose).distance, 9.9, 1e-8);
    EXPECT_EQ(within(0, corner, Pose(), ball, pose).status, Status::free);
    EXPECT_EQ(penetration(corner, Pose(), ball, pose).status, Status::free);
    EXPECT_NEAR(distance(gripper, Pose(), between, pose).distance, 3.5, 1e-8);
    const Body rounded(shape::Shape(Hull{{{10, 0, 0}, {11, 0, 0}, {10, 1, 0}, {10, 0, 1}}}, 0.05));
    EXPECT_EQ(distance(rounded, Pose(), Body(Sphere{0}), pose).status, Status::free);
  }
}

/// The search for the depth of such a pair began without a point and read memory that nobody had written.
TEST(ShapesByHostileEyes, DepthOfShapesThatNearlyCoincide) {
  const Body cylinder(Cylinder{1, 2}), ellipsoid(Ellipsoid{{1, 2, 3}});
  for (const Body& body : {cylinder, ellipsoid})
    for (const double noise : {0.0, 1e-17, 1e-15}) {
      const Pose pose({noise, 0, 0}, {0.9, 0.1, 0.3, 0.2});
      EXPECT_TRUE(distance(body, Pose(), body, pose).certain);
      const PenetrationResult r = penetration(body, Pose(), body, pose);
      EXPECT_TRUE(r.certain);
      EXPECT_GT(r.lower, 1.9);
      EXPECT_LE(r.upper - r.lower, 1e-4 * r.upper) << noise;  // an ellipsoid's search ends after 64 steps
    }
}

/// The lower bound of a depth was that of cores that overlap, for cores that are apart by a little.
TEST(ShapesByHostileEyes, DepthOfRoundedShapesWhoseCoresAreApart) {
  const Body rounded(shape::Shape(Cylinder{1, 2}, 0.5)), bare(Cylinder{1, 2});
  const Pose pose({-1.172511474291172, -0.448371553223539, 2.0398262932484283},
                  {1.4208094443565471, 1.2986717642796253, 0.39723669314316823, 1.8136116596849485});
  const double truth = 1 - distance(bare, Pose(), bare, pose).distance;
  for (const double relative_error : {1e-6, 1e-3, 0.1, 0.9}) {
    const PenetrationResult r = penetration(rounded, Pose(), rounded, pose, {.relative_error = relative_error});
    EXPECT_LE(r.lower, truth + 1e-10) << relative_error;
    EXPECT_GE(r.upper, truth - 1e-10) << relative_error;
  }
}

/// The way from one to the other is longer than the largest double; they overlap nevertheless.
TEST(ShapesByHostileEyes, TranslationsWhoseDifferenceOverflows) {
  const double far = 0.95e308;
  const Body box(Box{{1.78e308, 1.78e308, 1.78e308}}), ball(Sphere{1.7e308});
  const Quat turned{std::cos(std::numbers::pi / 8), 0, 0, std::sin(std::numbers::pi / 8)};
  for (const Body& body : {box, ball}) {
    const Pose left({-far, 0, 0}, turned), right({far, 0, 0}, turned);
    EXPECT_NE(collide(body, left, body, right).status, Status::free);
    EXPECT_NE(within(0, body, left, body, right).status, Status::free);
    EXPECT_NE(distance(body, left, body, right).status, Status::free);
  }
  const Body small(Cylinder{1, 1}), cube(Box{{1, 1, 1}});
  EXPECT_EQ(collide(small, Pose({-far, 0, 0}), cube, Pose({far, 0, 0})).status, Status::free);
}

/// Products of subnormal numbers lose more than the relative rounding bound.
TEST(ShapesByHostileEyes, SubnormalShapes) {
  const double u = std::numeric_limits<double>::denorm_min(), k = 1 / std::sqrt(3.0);
  const Quat turned{1 + k, 0, -k, k};  // x to (1, 1, 1) / sqrt(3)
  const Body box(Box{{4 * u, 4 * u, 4 * u}}), point(Box{{0, 0, 0}}), ball(Sphere{0});
  const Pose here({}, turned), there({u, u, u});
  EXPECT_EQ(collide(box, here, point, there, {.solid = true}).status, Status::contact);
  EXPECT_EQ(within(0, box, here, point, there).status, Status::contact);
  EXPECT_EQ(collide(box, here, ball, there).status, Status::contact);
}

/// The normal of a needle is known only roughly; the way to its nearest point tells more.
TEST(ShapesByHostileEyes, ABallFliesPastANeedle) {
  const Body ball(Sphere{0.1});
  int undecided = 0;
  for (int i = 0; i < 60; ++i) {
    const Pose at({0.3, -0.2, 0.5}, {1, 0.1 * i, 0.7 - 0.03 * i, 0.02 * i * i});
    const Body needle(Mesh({{0, 0, 0}, {1, 0, 0}, {0.4, 2.5e-9, 0}}, std::vector<Triangle>{{0, 1, 2}}));
    FirstContactOptions options;
    options.tolerance = 1e-9;
    const auto r =
        first_contact(ball, Velocity(Pose({-3, 0.01 * i, 0}), Pose({3, 0, 0.2})), needle, Still{at}, options);
    undecided += r.status == Status::undecided;
  }
  EXPECT_EQ(undecided, 0);
}

/// Points on the surfaces of balls whose centres differ by less than the root of the smallest double.
TEST(ShapesByHostileEyes, WitnessesOfNearlyConcentricBalls) {
  const Body ball(Sphere{1});
  for (const double apart : {0.0, 1e-170, 1.28e-161, 1e-150, 1e-20}) {
    const CollideResult r = collide(ball, Pose(), ball, Pose({apart, 0, 0}));
    ASSERT_TRUE(r.points);
    for (const Vec3& p : *r.points) EXPECT_LE(dot(p, p), 1 + 1e-9) << apart;
    const PenetrationResult deep = penetration(ball, Pose(), ball, Pose({apart, 0, 0}));
    EXPECT_NEAR(std::sqrt(dot(deep.translation, deep.translation)), 2, 1e-6) << apart;
    for (const Vec3& p : deep.points) EXPECT_NEAR(dot(p, p), 1, 1e-9) << apart;
  }
}

}  // namespace
}  // namespace graze
