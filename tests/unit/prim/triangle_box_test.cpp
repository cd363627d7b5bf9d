// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cfloat>

#include "oracle/generators.hpp"
#include "prim/triangle_box.hpp"
#include "prim/triangle_box_axes.hpp"

namespace graze::prim {
namespace {

using Corners = std::array<Vec3, 3>;

bool meets(const Corners& t, const Box3& box) {
  AllCounters counters;
  return triangle_box(t, box, counters);
}

/// In rational numbers: a corner in the box, or a side of the box (as two triangles) meets the triangle.
bool truth(const Corners& t, const Box3& box) {
  for (const Vec3& p : t)
    if (box.contains(p)) return true;
  const oracle::Triangle exact = oracle::exact(t);
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {box.lo[axis], box.hi[axis]}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto corner = [&](double pu, double pv) {
        Vec3 p;
        p[axis] = side, p[u] = pu, p[v] = pv;
        return oracle::exact(p);
      };
      const auto a = corner(box.lo[u], box.lo[v]), b = corner(box.hi[u], box.lo[v]), c = corner(box.hi[u], box.hi[v]),
                 d = corner(box.lo[u], box.hi[v]);
      if (oracle::intersect(exact, {a, b, c}).contact || oracle::intersect(exact, {a, c, d}).contact) return true;
    }
  return false;
}

TEST(TriangleBox, ByHand) {
  const Box3 cube{{0, 0, 0}, {2, 2, 2}};
  EXPECT_TRUE(meets({{{1, 1, 1}, {9, 9, 9}, {9, 0, 0}}}, cube));      // a corner inside
  EXPECT_TRUE(meets({{{-9, 1, 1}, {9, 1, 1}, {0, 9, 1}}}, cube));     // an edge through it
  EXPECT_TRUE(meets({{{-9, -9, 1}, {9, -9, 1}, {0, 18, 1}}}, cube));  // the cube through the triangle
  EXPECT_TRUE(meets({{{2, 2, 2}, {3, 2, 2}, {2, 3, 2}}}, cube));      // corner to corner
  EXPECT_TRUE(meets({{{-3, -3, 2}, {9, -3, 2}, {-3, 9, 2}}}, cube));  // on a face
  EXPECT_TRUE(meets({{{6, 0, 0}, {0, 6, 0}, {0, 0, 6}}}, cube));      // the corner (2, 2, 2) on the triangle
  const double less = std::nextafter(6.0, 7.0);
  EXPECT_FALSE(meets({{{less, 0, 0}, {0, less, 0}, {0, 0, less}}}, cube));
  EXPECT_FALSE(meets({{{5, 0, 1}, {0, 5, 1}, {5, 5, 1}}}, cube));  // boxes overlap
  EXPECT_FALSE(meets({{{3, 3, 3}, {4, 4, 4}, {3, 4, 4}}}, cube));
  EXPECT_FALSE(meets({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, Box3{}));  // empty
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(meets({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, Box3{{-inf, -inf, -inf}, {inf, inf, inf}}));
  EXPECT_FALSE(meets({{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}}, Box3{{-inf, -inf, -inf}, {inf, inf, 0}}));
  EXPECT_TRUE(meets({{{-2, 0, 0}, {2, 0, 0}, {0, 2, 4}}}, Box3{{0, -1, -1}, {inf, inf, 0}}));
}

TEST(TriangleBox, FamiliesLikeRationals) {
  oracle::Random random(1);
  int met = 0, asked = 0;
  AllCounters counters;
  for (int family = 0; family < oracle::pair_family_count; ++family) {
    const auto f = static_cast<oracle::PairFamily>(family);
    const int count = f == oracle::PairFamily::mixed_scale || f == oracle::PairFamily::tiny ||
                              f == oracle::PairFamily::subnormal || f == oracle::PairFamily::huge
                          ? 5
                          : 20;
    for (int i = 0; i < count; ++i) {
      const oracle::CornersPair pair = oracle::random_pair(random, f);
      Box3 box;
      for (const Vec3& p : pair.b) box.add(p);  // often flat, a segment or a point
      const bool expected = truth(pair.a, box);
      EXPECT_EQ(triangle_box(pair.a, box, counters), expected) << oracle::name(f) << " " << i;
      met += expected;
      ++asked;
    }
  }
  EXPECT_GT(met, asked / 10);
  EXPECT_LT(met, asked * 9 / 10);
}

TEST(TriangleBox, GridCasesLikeRationalsAndEveryStageCounts) {
  oracle::Random random(2);
  AllCounters counters;
  for (int i = 0; i < 1000; ++i) {
    const Corners t = oracle::grid_triangle(random, 4);
    Box3 box;
    box.add(oracle::grid_point(random, 2));
    box.add(oracle::grid_point(random, 2));
    ASSERT_EQ(triangle_box(t, box, counters), truth(t, box)) << i;
  }
  EXPECT_EQ(counters.box_clip_box_apart + counters.box_clip_vertex_inside + counters.box_clip_point_inside +
                counters.box_clip_whole,
            1000u);
  EXPECT_GT(counters.box_clip_box_apart, 0u);
  EXPECT_GT(counters.box_clip_vertex_inside, 0u);
  EXPECT_GT(counters.box_clip_point_inside, 0u);
  EXPECT_GT(counters.box_clip_whole, 0u);
}

TEST(TriangleBox, ExactWhereIntervalsCannotTell) {
  AllCounters counters;
  // A slanted triangle through an edge of the box, moved by the last bit.
  const double third = 1.0 / 3;
  const auto slanted = [&](double z) { return Corners{{{-1, third, z}, {third, -1, z + 0.1}, {1, 1, z - 0.7}}}; };
  for (const double z : {0.2, std::nextafter(0.2, 1.0), 0.4, 0.37}) {
    const Box3 box{{third, third, -5}, {9, 9, z - 0.2}};
    EXPECT_EQ(triangle_box(slanted(z), box, counters), truth(slanted(z), box));
  }
  // The corner (0.1, 0.1, 0.1) on the plane x + y + z = 0.3..., to the last bit either way.
  for (const double w : {0.3, std::nextafter(0.3, 1.0), std::nextafter(0.3, 0.0)}) {
    const Corners t{{{w, 0, 0}, {0, w, 0}, {0, 0, w}}};
    const Box3 box{{0.1, 0.1, 0.1}, {1, 1, 1}};
    EXPECT_EQ(triangle_box(t, box, counters), truth(t, box));
  }
  EXPECT_GT(counters.box_clip_exact, 0u);
}

TEST(TriangleBox, DirectionsNeverSeparateWhatMeets) {
  oracle::Random random(3);
  AllCounters counters;
  int apart = 0, found = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto family = static_cast<oracle::PairFamily>(i % oracle::pair_family_count);
    const oracle::CornersPair pair = oracle::random_pair(random, family);
    Box3 box;
    for (const Vec3& p : pair.b) box.add(p);
    const bool meets = triangle_box(pair.a, box, counters), separated = triangle_box_apart(pair.a, box);
    EXPECT_FALSE(meets && separated) << oracle::name(family) << " " << i;
    apart += !meets;
    found += separated;
  }
  EXPECT_GT(found, apart * 9 / 10);  // what is left is within rounding of touching
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(triangle_box_apart({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, Box3{{-inf, -inf, -inf}, {inf, inf, inf}}));
  EXPECT_TRUE(triangle_box_apart({{{5, 0, 1}, {0, 5, 1}, {5, 5, 1}}}, Box3{{0, 0, 0}, {2, 2, 2}}));
}

}  // namespace
}  // namespace graze::prim
