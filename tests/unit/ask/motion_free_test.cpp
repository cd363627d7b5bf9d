// SPDX-License-Identifier: MIT
// The same yes or no as first_contact, and a contact at the time that it names.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <graze/ask/distance.hpp>
#include <graze/ask/motion_free.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

TEST(MotionFree, AgreesWithFirstContact) {
  const Body knot(make::torus({.major = 0.6, .minor = 0.2, .triangles = 500})), ball(shape::Sphere{0.3});
  std::mt19937_64 engine(11);
  const auto draw = [&](double lo, double hi) {
    return lo + (hi - lo) * std::ldexp(static_cast<double>(engine() >> 11), -53);
  };
  int free = 0, touch = 0;
  for (int i = 0; i < 60; ++i) {
    const Body& b = i % 2 ? knot : ball;
    const double x = draw(-2, 2), y = draw(-2, 2), z = draw(-2, 2), u = draw(-2, 2), v = draw(-2, 2), w = draw(-2, 2);
    const Motion motion = Velocity(Pose({x, y, z}), Pose({u, v, w}, {1, draw(-1, 1), draw(-1, 1), 0}));
    FirstContactOptions options;
    options.certificate = i % 2;
    const FirstContactResult first = first_contact(knot, Still{}, b, motion, options);
    const MotionFreeResult any = motion_free(knot, Still{}, b, motion, options);
    EXPECT_EQ(any.status == Status::free, first.status == Status::free);
    if (any.status == Status::free) {
      ++free;
      EXPECT_EQ(any.certificate.has_value(), options.certificate);
      if (any.certificate) {
        EXPECT_EQ(any.certificate->text, first.certificate->text);
      }
      continue;
    }
    ++touch;
    ASSERT_EQ(any.status, Status::contact);
    EXPECT_GE(any.time, first.time.safe);
    const Placement p = motion.at(any.time);
    const Pose pose = Pose::from_matrix(
        {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
    EXPECT_LE(distance(knot, Pose(), b, pose).distance, first.tolerance);
  }
  EXPECT_GT(free, 10);
  EXPECT_GT(touch, 10);
}

TEST(MotionFree, AContactBetweenTheProbesIsFound) {
  // A thin plate that passes between two probed times.
  const Body plate(shape::Box{{0.001, 1, 1}}), ball(shape::Sphere{0.001});
  const MotionFreeResult r = motion_free(plate, Still{}, ball, Velocity(Pose({-0.3, 0, 0}), Pose({0.7, 0, 0})));
  EXPECT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time, 0.3, 0.002);
  EXPECT_EQ(r.probes, 8);
}

TEST(MotionFree, RefusesWhatNeedsTheFirstContact) {
  FirstContactOptions options;
  options.clearance = true;
  const Body ball(shape::Sphere{1});
  EXPECT_EQ(motion_free(ball, Still{}, ball, Still{Pose({5, 0, 0})}, options).status, Status::invalid_request);
}

}  // namespace
}  // namespace graze
