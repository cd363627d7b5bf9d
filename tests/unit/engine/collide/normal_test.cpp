// SPDX-License-Identifier: MIT
// Story: the normal was made from the first pair of triangles alone; for a box beside a box that could be the bottom's
// plane, and the normal pointed up.
#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>

#include "soups.hpp"

namespace graze {
namespace {

TEST(TouchingNormal, OfBoxesSideBySidePointsAcrossTheCommonFace) {
  const Body box(testing::box({0, 0, 0}, {1, 1, 1}));
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {1.0, -1.0})
      for (const double aside : {0.0, 0.25, 0.5}) {
        Vec3 shift{aside, aside / 2, aside}, expected;
        shift[axis] = side;
        expected[axis] = side;
        for (const Quat& turn : {Quat{}, Quat{1, 1, 0, 0}, Quat{0, 1, 0, 1}}) {
          const Pose here({0, 0, 0}, turn), there(here.apply(shift), turn);
          const CollideResult r = collide(box, here, box, there);
          ASSERT_EQ(r.status, Status::contact);
          ASSERT_EQ(r.kind, ContactKind::touching);
          ASSERT_TRUE(r.normal.has_value()) << axis << " " << side << " " << aside;
          EXPECT_LT(length(*r.normal - here.apply(expected)), 1e-12) << axis << " " << side << " " << aside;
        }
      }
}

TEST(TouchingNormal, OfATipOnAFaceIsTheFaces) {
  const Body tip(Mesh(std::vector<Vec3>{{0, 0, 0}, {1, 0, 2}, {-1, 1, 2}, {-1, -1, 2}},
                      std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}));
  const Body floor(testing::box({-5, -5, -1}, {5, 5, 0}));
  const CollideResult r = collide(tip, Pose(), floor, Pose());
  ASSERT_TRUE(r.normal.has_value());
  EXPECT_LT(length(*r.normal - Vec3{0, 0, -1}), 1e-12);
  const CollideResult swapped = collide(floor, Pose(), tip, Pose());
  ASSERT_TRUE(swapped.normal.has_value());
  EXPECT_LT(length(*swapped.normal - Vec3{0, 0, 1}), 1e-12);
}

TEST(TouchingNormal, OfCrossedEdgesIsTheirCommonPerpendicular) {
  // A roof ridge along x below, a ridge along y upside down above.
  const Body roof(Mesh(std::vector<Vec3>{{-2, 0, 0}, {2, 0, 0}, {-2, 1, -1}, {2, 1, -1}, {-2, -1, -1}, {2, -1, -1}},
                       std::vector<Triangle>{{0, 3, 2}, {0, 1, 3}, {0, 4, 5}, {0, 5, 1}}));
  const Pose over({0, 0, 0}, {0, 1, 1, 0});  // half a turn about x + y: x becomes y, up becomes down
  const CollideResult r = collide(roof, Pose(), roof, over);
  ASSERT_EQ(r.kind, ContactKind::touching);
  ASSERT_TRUE(r.normal.has_value());
  EXPECT_LT(length(*r.normal - Vec3{0, 0, 1}), 1e-12);
}

TEST(TouchingNormal, IsNoneWhereSurfacesCross) {
  const Body box(testing::box({0, 0, 0}, {1, 1, 1}));
  const CollideResult r = collide(box, Pose(), box, Pose({0.3, 0.4, 0.5}, {1, 0.1, 0.2, 0.3}));
  EXPECT_EQ(r.kind, ContactKind::crossing);
  EXPECT_FALSE(r.normal.has_value());
}

}  // namespace
}  // namespace graze
