// SPDX-License-Identifier: MIT
// A curved shape that turns many times during its motion: what the turn can bring nearer hardly depends on the length
// of a step until that is a small part of a turn. The search for the length of a step gave up before, and the answer
// was `undecided` although no limit was set.
#include <gtest/gtest.h>

#include <graze/graze.hpp>

#include "oracle/pose_generators.hpp"

namespace graze {
namespace {

TEST(FastSpinOfShapes, IsDecidedWithoutLimits) {
  oracle::Random random(4695);
  const Body bodies[] = {Body(shape::Sphere{0.3}), Body(shape::Cylinder{0.4, 1.2}),
                         Body(shape::Ellipsoid{{0.2, 0.4, 0.7}}), Body(make::torus({.triangles = 128})),
                         Body(shape::rounded(shape::Box{{0.4, 0.7, 1}}, 0.1))};
  int contacts = 0, free = 0;
  for (int k = 0; k < 250; ++k) {
    const Body &a = bodies[k % 3], &b = bodies[k % 5];
    const auto flight = [&] {
      const Vec3 from = oracle::real_point(random, 2.5), linear = oracle::real_point(random, 2.5);
      const Vec3 angular = oracle::real_point(random, 200);
      return Motion(Velocity::from_speeds(Pose(from), linear, angular));
    };
    const Motion motion_a = flight(), motion_b = flight();
    FirstContactOptions options;
    options.tolerance = 1e-4;
    if (k % 2 == 1) options.min_separation = 0.5;
    const FirstContactResult r = first_contact(a, motion_a, b, motion_b, options);
    EXPECT_NE(r.status, Status::undecided) << k;
    contacts += r.status == Status::contact;
    free += r.status == Status::free;
  }
  EXPECT_GT(contacts, 20);
  EXPECT_GT(free, 10);
}

}  // namespace
}  // namespace graze
