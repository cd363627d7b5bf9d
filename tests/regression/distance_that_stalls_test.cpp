// SPDX-License-Identifier: MIT
// Searches for the nearest points of two shapes that ended too early.
//
// A needle of a hull: the normal of a triangle with one far corner was computed from its two long edges, which are
// parallel up to rounding, and the search went round in a circle. In one order a point 1e-10 of the needle's length
// away was `touching`.
//
// A cylinder beside the edge of a box: the distance no longer changed in doubles while its lower bound was still 1e-8
// less, and was reported although `relative_error` is 1e-9.
#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

namespace graze {
namespace {

TEST(DistanceThatStalls, APointBesideANeedle) {
  const double s = 0x1p-33;
  const Body needle(shape::Hull{{Vec3{-1, 1.5, 2} * s,
                                 Vec3{-0.5, 0.25, 1} * s,
                                 Vec3{-1, 2, 1.5} * s,
                                 {-0.125, -0.1875, 0},
                                 Vec3{1.5, -2, 0.5} * s}});
  const Body point(shape::Sphere{0});
  for (const Quat& turn : {Quat{-2, 2, 0, 0}, Quat{1, 0, 0, 0}, Quat{3, 1, -2, 1}})
    for (const Quat& other : {Quat{-3, 3, -2, -3}, Quat{0.5, -1, 2, 3}, Quat{-2.5, 2, 0, 1}}) {
      const Pose pose({}, turn), at({}, other);
      EXPECT_EQ(collide(needle, pose, point, at).status, Status::free);
      EXPECT_EQ(collide(point, at, needle, pose).status, Status::free);
      const double d = distance(needle, pose, point, at).distance, back = distance(point, at, needle, pose).distance;
      EXPECT_NEAR(d, 1.0768918774e-10, 1e-13);
      EXPECT_NEAR(back, d, 1e-13);
    }
}

TEST(DistanceThatStalls, ACylinderBesideAnEdge) {
  const Body cylinder(shape::Cylinder{1, 1}), edge(shape::Box{{0, 1, 0x1p-60}});
  const Pose pose({0.25, 1, -1}, {3, -3, -2, -2}), beside({-1.8797213, 1.7647058, -0.40572755}, {-2, 0, 3, -2});
  const DistanceResult d = distance(cylinder, pose, edge, beside), back = distance(edge, beside, cylinder, pose);
  EXPECT_TRUE(d.certain && back.certain);
  EXPECT_NEAR(d.distance, back.distance, 2e-9 * d.distance);
}

}  // namespace
}  // namespace graze
