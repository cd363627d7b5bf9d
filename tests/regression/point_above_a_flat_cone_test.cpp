// SPDX-License-Identifier: MIT
// A point 1.3e-9 of the radius above a flat cone was called `touching` in one order and apart in the other: the search
// for the nearest points ended, because its last step was no nearer than the one before, without a look along the
// direction that it had just found, and that was the only one that separates them.
#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

namespace graze {
namespace {

TEST(PointAboveAFlatCone, IsApartInBothOrders) {
  const Body cone(shape::Cone{0x1p100, 0x1p20});
  const Pose pose({2.1267647932558654e+37, -2.1267647932558654e+37, -4.2535295865117308e+37}, {-2, 1, 1, 0});
  const Pose beside({2.1267648152166107e+37, -2.1267646966285872e+37, -4.2535295074530488e+37}, {-1, -3, 3, 3});
  for (const Body& body : {Body(shape::Sphere{0}), Body(shape::Sphere{100}), Body(shape::Capsule{0, 100}),
                           Body(shape::Hull{{{0, 0, 0}, {-32, -32, -96}}})}) {
    const CollideResult hit = collide(body, pose, cone, beside), back = collide(cone, beside, body, pose);
    EXPECT_EQ(hit.status, Status::free);
    EXPECT_EQ(back.status, Status::free);
    const DistanceResult d = distance(body, pose, cone, beside);
    EXPECT_EQ(d.status, Status::free);
    EXPECT_NEAR(d.distance, 1.68656e21, 1e16);
  }
}

}  // namespace
}  // namespace graze
