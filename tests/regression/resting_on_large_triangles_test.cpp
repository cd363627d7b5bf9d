// SPDX-License-Identifier: MIT
// A crate close to a large floor: closest points of doubles gave no separating direction, so that `distance`, and with
// it every resting `first_contact`, was settled by big integers, a hundred times slower. Pinned: right, and without
// them. `collide` asked big integers below 1e-9, because placing the floor's corners loses more than the gap.
#include <gtest/gtest.h>

#include <cmath>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/mesh/make.hpp>

namespace graze {
namespace {

struct RestingCrate {
  Body crate{make::box({.size = {.5, .5, .5}})}, floor{make::box({.size = {40, 40, 1}})};
  Pose floor_pose{Vec3{0, 0, -.5}};

  /// How far above its lowest corner the crate's middle is.
  double half_height(const Quat& turned) const {
    double low = 0;
    for (const Vec3& x : crate.mesh().positions()) low = std::min(low, Pose({0, 0, 0}, turned).apply(x).z);
    return -low;
  }
};

constexpr Quat kAbout[] = {{1, 0, 0, 0}, {1, 0, 0, 0.1}, {1, 0.1, 0.05, 0.02}, {1, 0.3, 0, 0}};

TEST(RestingOnLargeTriangles, DistanceNeedsNoBigIntegers) {
  const RestingCrate scene;
  for (const Quat& turned : kAbout)
    for (const double gap : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12})
      for (const double error : {1e-9, 1e-3, 0.25}) {
        const Pose above({1, 2, scene.half_height(turned) + gap}, turned);
        const DistanceResult d = distance(scene.crate, above, scene.floor, scene.floor_pose, {.relative_error = error});
        const DistanceResult back =
            distance(scene.floor, scene.floor_pose, scene.crate, above, {.relative_error = error});
        EXPECT_EQ(d.status, Status::free);
        // The pose that is asked has rounded numbers: 1e-15 of a metre.
        EXPECT_NEAR(d.distance, gap, error * gap + 1e-15);
        EXPECT_NEAR(back.distance, d.distance, error * gap + 1e-15);
        EXPECT_EQ(d.counters.rational_decided, 0u) << "gap " << gap << ", error " << error;
        EXPECT_EQ(back.counters.rational_decided, 0u) << "gap " << gap << ", error " << error;
      }
}

TEST(RestingOnLargeTriangles, CollideNeedsNoBigIntegers) {
  const RestingCrate scene;
  for (const Quat& turned : kAbout)
    for (const double gap : {1e-2, 1e-6, 1e-8, 1e-10, 1e-12}) {
      const Pose above({1, 2, scene.half_height(turned) + gap}, turned);
      const CollideResult r = collide(scene.crate, above, scene.floor, scene.floor_pose),
                          back = collide(scene.floor, scene.floor_pose, scene.crate, above);
      EXPECT_EQ(r.status, Status::free);
      EXPECT_EQ(back.status, Status::free);
      EXPECT_EQ(r.counters.rational_decided, 0u) << "gap " << gap;
      EXPECT_EQ(back.counters.rational_decided, 0u) << "gap " << gap;
      // As deep in the floor as it was above.
      const Pose in({1, 2, scene.half_height(turned) - gap}, turned);
      EXPECT_EQ(collide(scene.crate, in, scene.floor, scene.floor_pose).status, Status::contact);
    }
}

TEST(RestingOnLargeTriangles, DistanceIsThatOfWholeNumbers) {
  // To a relative 1e-14, which only exact arithmetic reached before; from the method that tests every pair.
  const RestingCrate scene;
  for (const Quat& turned : kAbout)
    for (const double gap : {1e-3, 1e-7, 1e-11}) {
      const Pose above({1, 2, scene.half_height(turned) + gap}, turned);
      const DistanceResult fine =
                               distance(scene.crate, above, scene.floor, scene.floor_pose, {.relative_error = 1e-14}),
                           plain = distance(scene.crate, above, scene.floor, scene.floor_pose, {.method = "brute"});
      EXPECT_NEAR(plain.distance, fine.distance, 1.1e-9 * fine.distance);
    }
}

TEST(RestingOnLargeTriangles, FirstContactNeedsNoBigIntegers) {
  const RestingCrate scene;
  for (const Quat& turned : kAbout)
    for (const double gap : {1e-4, 1e-6, 1e-8, 1e-10})
      for (const double fall : {0.0, 0.0027}) {
        const double z = scene.half_height(turned) + gap;
        const Motion way = Velocity(Pose({1, 2, z}, turned), Pose({1.03, 2, z - fall}, turned));
        const Motion still = Still{scene.floor_pose};
        const FirstContactResult r = first_contact(scene.crate, way, scene.floor, still);
        EXPECT_EQ(r.status, fall > 0 ? Status::contact : Status::free) << "gap " << gap << ", fall " << fall;
        EXPECT_EQ(r.counters.rational_decided, 0u) << "gap " << gap << ", fall " << fall;
        EXPECT_LT(r.counters.motion_steps, 200u) << "gap " << gap << ", fall " << fall;
        if (gap < 1e-7) {  // half the start distance, to the hundredth that is asked for
          EXPECT_NEAR(r.tolerance, 0.5 * gap, 0.01 * gap);
        }
        if (fall > 0) {
          EXPECT_LE(r.time.safe, gap / fall * (1 + 1e-9) + 1e-15 / fall);
          EXPECT_GE(r.time.touch, (gap - r.tolerance) / fall * (1 - 1e-9) - 1e-15 / fall);
        }
        FirstContactOptions brute;
        brute.method = "brute";
        const FirstContactResult other = first_contact(scene.crate, way, scene.floor, still, brute);
        EXPECT_EQ(other.status, r.status);
        EXPECT_EQ(other.time.safe, r.time.safe);
        EXPECT_EQ(other.tolerance, r.tolerance);
      }
}

}  // namespace
}  // namespace graze
