// SPDX-License-Identifier: MIT
// Near the largest double, a placed point could be infinite while its error bound was finite, although the exact point
// is finite.
// Pinned: the bound is infinite wherever a sum may overflow; bodies there are compared exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <graze/graze.hpp>

#include "math/relative_placement.hpp"
#include "oracle/generators.hpp"

namespace graze::testing {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

TEST(PlacementErrorLimit, NoFiniteBoundOfAnInfinitePoint) {
  oracle::Random random(1340);
  const auto near_one = [&] { return 1 + 0x1p-52 * oracle::whole(random, -6, 6); };
  int infinite = 0;
  for (int i = 0; i < 2000; ++i) {
    // Nearly a permutation of the axes, whose entries may be rounded to more than one.
    const Quat q =
        random() % 2 ? Quat{near_one(), near_one(), 0, 0} : Quat{near_one(), near_one(), near_one(), near_one()};
    const Vec3 shift = random() % 2 ? Vec3{} : Vec3{0x1p970, -0x1p971, 0};
    const math::RelativePlacement placement(Pose{}, Pose(shift, q));
    Vec3 x;
    const int axis = static_cast<int>(random() % 3);
    x[axis] = random() % 2 ? largest : -0.5 * largest * near_one();
    if (random() % 2) x[(axis + 1) % 3] = 0x1p969;
    infinite += !is_finite(placement.place(x)) && std::isfinite(std::fabs(x.x) + std::fabs(x.y) + std::fabs(x.z));
    EXPECT_TRUE(std::isinf(placement.error(x)));
  }
  EXPECT_GT(infinite, 0);  // with a sum of coordinates that is finite, as the bound was
  const math::RelativePlacement here(Pose{}, Pose({1, 2, 3}, Quat{1, 2, 3, 4}));
  EXPECT_LT(here.error({0x1p1000, 0x1p1000, 0x1p1000}), 0x1p960);
  EXPECT_GT(here.error({1, 1, 1}), 0);
}

/// A plate at the largest coordinates, and a needle through it.
TEST(PlacementErrorLimit, BodiesAtTheEdgeOfTheRange) {
  const double m = 0x1p1023, h = 0x1p1022;
  const Mesh plate({{m, -h, -h}, {m, h, -h}, {m, 0, h}}, std::vector<Triangle>{{0, 1, 2}});
  const Mesh through({{h, 0, 0}, {largest, 0, 0}, {largest, h / 64, 0}}, std::vector<Triangle>{{0, 1, 2}});
  const Mesh before({{0, 0, 0}, {h, 0, 0}, {h, h / 64, 0}}, std::vector<Triangle>{{0, 1, 2}});
  for (const Quat& q : {Quat{}, Quat{1, 0x1p-60, 0, 0}, Quat{0x1p52 + 1, 0, 0x1p-3, 0}}) {
    for (const MethodTraits& method : collide_methods()) {
      if (!method.surface || !method.contact_certain || !method.free_certain) continue;
      CollideOptions options;
      options.method = method.name;
      const auto status = [&](const Mesh& other) {
        return collide(Body(plate), {}, Body(other), Pose({}, q), options).status;
      };
      if (status(before) == Status::invalid_request) continue;
      EXPECT_EQ(status(through), Status::contact) << method.name;
      EXPECT_EQ(status(before), Status::free) << method.name;
    }
    const Status near = distance(Body(plate), {}, Body(before), Pose({}, q)).status;
    EXPECT_EQ(near, Status::free);
    EXPECT_EQ(distance(Body(plate), {}, Body(through), Pose({}, q)).status, Status::contact);
  }
}

}  // namespace
}  // namespace graze::testing
