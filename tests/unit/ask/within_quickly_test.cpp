// SPDX-License-Identifier: MIT
// `within` of shapes is decided by balls and in doubles where that is certain: compared with the whole question, which
// a limit of work asks.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <graze/graze.hpp>

#include "oracle/pose_generators.hpp"

namespace graze {
namespace {

std::vector<Body> shapes(oracle::Random& random, double size) {
  std::vector<Vec3> points, grid;
  for (int i = 0; i < 12; ++i) points.push_back(oracle::real_point(random, 0.6 * size));
  for (int i = 0; i < 8; ++i) grid.push_back(oracle::grid_point(random, 1) * size);
  const Vec3 aside{3 * size, 0, 0};
  return {Body(shape::Box{Vec3{1, 0.5, 0.75} * size}),
          Body(shape::Box{Vec3{1, 1, 0} * size}),
          Body(shape::Hull{points}),
          Body(shape::Hull{grid}),
          Body(shape::Hull{{aside, aside + Vec3{size, 0, 0}, aside + Vec3{0, size, 0}}}),  // far from its origin
          Body(shape::Sphere{0.5 * size}),
          Body(shape::Cylinder{0.5 * size, size}),
          Body(shape::Cone{0.5 * size, size}),
          Body(shape::Ellipsoid{Vec3{0.5, 0.25, 1} * size}),
          Body(shape::rounded(shape::Box{Vec3{1, 1, 0.5} * size}, 0.25 * size))};
}

void expect_same(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, double d) {
  const WithinResult quick = within(d, a, pose_a, b, pose_b),
                     whole = within(d, a, pose_a, b, pose_b, {.work = 1u << 30});
  const bool exact = shape::is_polyhedral(*a.shape()) && shape::is_polyhedral(*b.shape());
  if (exact) {
    EXPECT_TRUE(quick.certain && whole.certain);
  }
  if (quick.certain && whole.certain) {
    EXPECT_EQ(quick.status, whole.status);
  }
}

TEST(WithinQuickly, IsTheWholeAnswer) {
  oracle::Random random(31);
  for (int round = 0; round < 60; ++round) {
    const double size = round % 3 == 0 ? std::ldexp(1.0, oracle::whole(random, -900, 900)) : 1;
    const std::vector<Body> all = shapes(random, size);
    for (const Body& a : all)
      for (const Body& b : all) {
        const bool on_grid = oracle::whole(random, 0, 1) == 0;
        const Vec3 shift = (on_grid ? oracle::grid_point(random, 2) * 0.5 : oracle::real_point(random, 2)) * size;
        const Pose pose_a({}, on_grid ? Quat{} : oracle::whole_quaternion(random));
        const Pose pose_b(shift, on_grid ? Quat{1, 0, 0, 1} : oracle::whole_quaternion(random));
        const double d = oracle::whole(random, 0, 2) * 0.25 * size;
        expect_same(a, pose_a, b, pose_b, d);
      }
  }
}

/// A hair farther apart, or nearer, than touching: the whole question must be asked.
TEST(WithinQuickly, LeavesTouchingPolyhedraToExactArithmetic) {
  const Body cube(shape::Box{{1, 1, 1}}), hull(shape::Hull{{{-0.5, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}}});
  const double touching = 1, apart = std::nextafter(touching, 2), overlapping = std::nextafter(touching, 0);
  for (const Body* a : {&cube, &hull})
    for (const Body* b : {&cube, &hull}) {
      if (a == &cube && b == &cube) continue;
      EXPECT_EQ(within(0, *a, Pose(), *b, Pose({touching, 0, 0})).status, Status::contact);
      EXPECT_EQ(within(0, *a, Pose(), *b, Pose({overlapping, 0, 0})).status, Status::contact);
      EXPECT_EQ(within(0, *a, Pose(), *b, Pose({apart, 0, 0})).status, Status::free);
      EXPECT_EQ(within(apart - touching, *a, Pose(), *b, Pose({apart, 0, 0})).status, Status::contact);
    }
}

}  // namespace
}  // namespace graze
