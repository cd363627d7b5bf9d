// SPDX-License-Identifier: MIT
#include "prim/triangle_triangle.hpp"

#include <gtest/gtest.h>

#include "oracle/exact_oracle.hpp"
#include "oracle/generators.hpp"
#include "oracle/pose_generators.hpp"
#include "prim/closest/closest.hpp"
#include "prim/edge_triangle.hpp"
#include "prim/neighbours.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::PairFamily;
using prim::Part;
using prim::TriangleContact;
using testing::RandomBudget;

struct Set {
  explicit Set(const oracle::PlacedPair& pair) : placement(pair.pose_a, pair.pose_b), points(placement, counters) {
    for (const Vec3& x : pair.a) points.add_a(x);
    for (const Vec3& x : pair.b) points.add_b(x);
  }
  Counters counters;
  math::RelativePlacement placement;
  math::PlacedPoints points;
};

TriangleContact truth(const oracle::TriangleAnswer& answer) {
  return answer.crossing  ? TriangleContact::crossing
         : answer.contact ? TriangleContact::touching
                          : TriangleContact::none;
}

/// Every meeting that is reported is one, in exact arithmetic.
void check_meetings(const oracle::PlacedPair& pair, const prim::TriangleMeetings& m) {
  const oracle::Triangle a = oracle::place(pair.pose_a, pair.a), b = oracle::place(pair.pose_b, pair.b);
  const auto corner = [](const oracle::Triangle& t, int k) { return t[static_cast<std::size_t>(k % 3)]; };
  for (int i = 0; i < m.count; ++i) {
    const auto [pa, pb, point] = m.meetings[i];
    if (prim::is_vertex(pa)) {
      EXPECT_EQ(pb, Part::face);
      EXPECT_TRUE(oracle::point_in_triangle(corner(a, prim::corner_of(pa)), b)) << oracle::describe(pair);
    } else if (prim::is_vertex(pb)) {
      EXPECT_EQ(pa, Part::face);
      EXPECT_TRUE(oracle::point_in_triangle(corner(b, prim::corner_of(pb)), a)) << oracle::describe(pair);
    } else if (pb == Part::face) {
      EXPECT_TRUE(oracle::segment_crosses_triangle(corner(a, prim::edge_of(pa)), corner(a, prim::edge_of(pa) + 1), b));
    } else if (pa == Part::face) {
      EXPECT_TRUE(oracle::segment_crosses_triangle(corner(b, prim::edge_of(pb)), corner(b, prim::edge_of(pb) + 1), a));
    } else {
      EXPECT_TRUE(oracle::segments_meet(corner(a, prim::edge_of(pa)), corner(a, prim::edge_of(pa) + 1),
                                        corner(b, prim::edge_of(pb)), corner(b, prim::edge_of(pb) + 1)));
    }
  }
}

void check(const oracle::PlacedPair& pair) {
  const TriangleContact expected =
      truth(oracle::intersect(oracle::place(pair.pose_a, pair.a), oracle::place(pair.pose_b, pair.b)));
  Set set(pair);
  ASSERT_EQ(prim::triangle_triangle(set.points), expected) << oracle::describe(pair);
  prim::TriangleMeetings all;
  prim::triangle_triangle(set.points, all);
  ASSERT_EQ(all.contact, expected) << oracle::describe(pair);
  ASSERT_EQ(all.count > 0, expected != TriangleContact::none) << oracle::describe(pair);
  check_meetings(pair, all);
  // The same through edges alone, as `brute` does it.
  prim::EdgeContact by_edges = prim::EdgeContact::none;
  for (int k = 0; k < 3; ++k) {
    by_edges = std::max(by_edges, prim::edge_triangle(set.points, {k, (k + 1) % 3}, {3, 4, 5}));
    by_edges = std::max(by_edges, prim::edge_triangle(set.points, {3 + k, 3 + (k + 1) % 3}, {0, 1, 2}));
  }
  ASSERT_EQ(static_cast<int>(by_edges), static_cast<int>(expected)) << oracle::describe(pair);
  if (prim::cannot_cross(set.points)) {
    ASSERT_NE(expected, TriangleContact::crossing) << oracle::describe(pair);
  }
  const Set swapped({pair.b, pair.a, pair.pose_b, pair.pose_a});
  ASSERT_EQ(prim::triangle_triangle(const_cast<Set&>(swapped).points), expected) << "swapped\n"
                                                                                 << oracle::describe(pair);
}

TEST(TriangleTriangle, AgreesWithRationalsOnEveryFamilyInAnyPose) {
  oracle::Random random(RandomBudget::seed(11));
  for (RandomBudget budget(25); budget.more();)
    for (int f = 0; f < oracle::pair_family_count; ++f) {
      if (static_cast<PairFamily>(f) == PairFamily::mixed_scale && random() % 8 != 0) continue;  // slow in rationals
      check(oracle::placed_anyhow(random, static_cast<PairFamily>(f)));
    }
}

TEST(TriangleTriangle, AgreesWithRationalsWhereRoundedPlacementWouldNot) {
  oracle::Random random(RandomBudget::seed(12));
  for (RandomBudget budget(400); budget.more();) check(oracle::placed_exactly(random));
}

TEST(TriangleTriangle, AgreesWithRationalsOnGrids) {
  oracle::Random random(RandomBudget::seed(13));
  for (RandomBudget budget(2000); budget.more();) {
    const auto [a, b] = oracle::random_pair(random, random() % 4 == 0 ? PairFamily::both_degenerate : PairFamily::grid);
    check({a, b, Pose(), Pose()});
    math::WholePoints whole;  // the same in 64-bit integers
    for (std::size_t k = 0; k < 6; ++k) {
      const Vec3& x = k < 3 ? a[k] : b[k - 3];
      whole.set(static_cast<int>(k),
                {static_cast<std::int64_t>(x.x), static_cast<std::int64_t>(x.y), static_cast<std::int64_t>(x.z)});
    }
    Set set({a, b, Pose(), Pose()});
    ASSERT_EQ(prim::triangle_triangle(whole), prim::triangle_triangle(set.points));
    ASSERT_EQ(prim::cannot_cross(whole), prim::cannot_cross(set.points));
    ASSERT_EQ(prim::holds_point(whole), prim::holds_point(set.points));
    prim::TriangleMeetings in_whole, in_placed;
    prim::triangle_triangle(whole, in_whole);
    prim::triangle_triangle(set.points, in_placed);
    ASSERT_EQ(in_whole.contact, in_placed.contact);
    ASSERT_EQ(in_whole.count, in_placed.count);
    for (int i = 0; i < in_whole.count; ++i) {
      ASSERT_EQ(in_whole.meetings[i].a, in_placed.meetings[i].a);
      ASSERT_EQ(in_whole.meetings[i].b, in_placed.meetings[i].b);
      ASSERT_EQ(in_whole.meetings[i].point, in_placed.meetings[i].point);
    }
  }
}

TEST(TriangleTriangle, HoldsPointsOfItsFaceEdgesAndCornersOnly) {
  const auto holds = [](const std::array<Vec3, 4>& p) {
    math::WholePoints whole;
    for (int k = 0; k < 4; ++k) {
      const Vec3& x = p[static_cast<std::size_t>(k)];
      whole.set(k, {static_cast<std::int64_t>(x.x), static_cast<std::int64_t>(x.y), static_cast<std::int64_t>(x.z)});
    }
    return prim::holds_point(whole);
  };
  const Vec3 a{0, 0, 0}, b{4, 0, 0}, c{0, 4, 0};
  for (const Vec3& in : {a, b, c, Vec3{1, 1, 0}, Vec3{2, 0, 0}, Vec3{2, 2, 0}}) EXPECT_TRUE(holds({a, b, c, in}));
  for (const Vec3& out : {Vec3{1, 1, 1}, Vec3{3, 2, 0}, Vec3{-1, 0, 0}}) EXPECT_FALSE(holds({a, b, c, out}));
  const Vec3 middle{2, 0, 0};  // a triangle that is a segment, and one that is a point
  EXPECT_TRUE(holds({a, middle, b, {3, 0, 0}}));
  EXPECT_FALSE(holds({a, middle, b, {5, 0, 0}}));
  EXPECT_FALSE(holds({a, middle, b, {3, 1, 0}}));
  EXPECT_TRUE(holds({a, a, a, a}));
  EXPECT_FALSE(holds({a, a, a, b}));
}

TEST(TriangleTriangle, EdgesThatMeetOnlyEachOtherTouch) {
  // From the oracle's author: an upright triangle whose far edge passes the floor's edge exactly.
  check({{{{1, 1, 0}, {2, 2, 1}, {2, 2, -1}}}, {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}, Pose(), Pose()});
}

TEST(TriangleTriangle, SegmentOfACrossingPairHasItsEndsOnBothTriangles) {
  const oracle::PlacedPair pair{
      {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}, {{{1, 1, -1}, {1, 1, 1}, {3, 3, 0}}}, Pose(), Pose()};
  Set set(pair);
  prim::TriangleMeetings m;
  prim::triangle_triangle(set.points, m);
  EXPECT_EQ(m.contact, TriangleContact::crossing);
  const auto [p, q] = m.segment();
  EXPECT_NEAR(length(p - q), std::sqrt(2.0), 1e-12);  // from (1,1,0) to (2,2,0)
}

/// Triangles of one mesh that share vertices by id.
TEST(Neighbours, MeetBeyondWhatTheyShareAsRationalsSay) {
  oracle::Random random(RandomBudget::seed(14));
  for (RandomBudget budget(1500); budget.more();) {
    std::array<Vec3, 5> x;
    for (Vec3& p : x) p = random() % 8 == 0 ? oracle::real_point(random) : oracle::grid_point(random, 2);
    const math::RelativePlacement here{Pose(), Pose()};
    Counters counters;
    math::PlacedPoints p(here, counters);
    for (const Vec3& v : x) p.add_a(v);
    const auto tri = [&](std::size_t i, std::size_t j, std::size_t k) {
      return oracle::exact(oracle::Corners{x[i], x[j], x[k]});
    };
    EXPECT_EQ(prim::meet_beyond_vertex(p) != prim::EdgeContact::none,
              oracle::shares_more_than(tri(0, 1, 2), {0, 1, 2}, tri(0, 3, 4), {0, 3, 4}));
    EXPECT_EQ(prim::meet_beyond_edge(p), oracle::shares_more_than(tri(0, 1, 2), {0, 1, 2}, tri(0, 1, 3), {0, 1, 3}));
  }
}

TEST(Closest, BoundsEncloseTheExactDistance) {
  oracle::Random random(RandomBudget::seed(15));
  for (RandomBudget budget(150); budget.more();) {
    const int f = oracle::whole(random, 0, static_cast<int>(PairFamily::needle));
    const auto [a, b] = oracle::random_pair(random, static_cast<PairFamily>(f));
    const oracle::Rational exact = oracle::squared_distance(oracle::exact(a), oracle::exact(b));
    const prim::ClosestPair c = prim::closest_triangle_triangle(a, b);
    for (const Vec3& n : {c.b - c.a, b[0] - a[0], oracle::real_point(random)}) {
      const double lower = prim::separation(a, b, n, 0);
      if (lower > 0) {
        EXPECT_LE(oracle::exact(lower) * oracle::exact(lower), exact);
      }
    }
    for (const double bound : {0.0, 1e-9, 0.1, 0.5, 1.0}) {
      if (prim::planes_separate(a, b, 0, bound)) {
        EXPECT_GT(exact, oracle::exact(bound) * oracle::exact(bound));
      }
    }
    double size = 0;
    for (const auto* t : {&a, &b})
      for (const Vec3& x : *t) size = std::max({size, std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)});
    EXPECT_LE(std::sqrt(oracle::to_double(exact)), std::sqrt(c.squared) + 64 * 0x1p-53 * size)
        << oracle::describe(oracle::CornersPair{a, b});
    if (exact == 0) continue;
    const auto dyadic = [](const oracle::Corners& t) {
      return std::array{math::DyadicVec3(t[0]), math::DyadicVec3(t[1]), math::DyadicVec3(t[2])};
    };
    const prim::ExactDistance e = prim::exact_distance(dyadic(a), dyadic(b));
    EXPECT_NEAR(math::sqrt_ratio(e.num, e.den), std::sqrt(oracle::to_double(exact)),
                1e-15 * (1 + std::sqrt(oracle::to_double(exact))));
  }
}

TEST(Closest, KernelsOnSmallExactCases) {
  const prim::SegmentPair s = prim::closest_segment_segment({0, 0, 0}, {2, 0, 0}, {1, -1, 3}, {1, 1, 3});
  EXPECT_EQ(s.a, (Vec3{1, 0, 0}));
  EXPECT_EQ(s.b, (Vec3{1, 0, 3}));
  const prim::SegmentPair points = prim::closest_segment_segment({1, 1, 1}, {1, 1, 1}, {4, 5, 1}, {4, 5, 1});
  EXPECT_EQ(points.a, (Vec3{1, 1, 1}));
  EXPECT_EQ(points.b, (Vec3{4, 5, 1}));
  const std::array<Vec3, 3> t{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  EXPECT_EQ(prim::closest_point_triangle({1, 1, 5}, t).part, Part::face);
  EXPECT_EQ(prim::closest_point_triangle({2, -1, 0}, t).part, Part::edge0);
  EXPECT_EQ(prim::closest_point_triangle({9, -1, 0}, t).part, Part::vertex1);
}

}  // namespace
}  // namespace graze
