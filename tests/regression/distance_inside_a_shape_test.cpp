// SPDX-License-Identifier: MIT
// The distance of a tiny box just inside a large one ended the program: the surfaces are nearer than doubles can tell,
// so `collide` was asked, which answered `contact` without a pair of triangles, because one is inside the other.
#include <gtest/gtest.h>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

namespace graze {
namespace {

TEST(DistanceInsideAShape, OfATinyBoxNearTheSurface) {
  const Body tiny(shape::Box{{0x1p-30, 0x1p-45, 0x1p-64}}), large(shape::Box{{0x1p45, 1, 0x1p45}});
  const Pose at({-0.75, 0.5, -0.5}, {-3, -1, 0, -3});
  const Pose around({-13452848151613.338, 20696689464019.059, 3104503419602.5586}, {-2, -2, 0, -3});
  const DistanceResult d = distance(tiny, at, large, around), back = distance(large, around, tiny, at);
  EXPECT_EQ(collide(tiny, at, large, around).status, d.status);
  EXPECT_EQ(d.status, back.status);
  EXPECT_EQ(d.distance, back.distance);
}

}  // namespace
}  // namespace graze
