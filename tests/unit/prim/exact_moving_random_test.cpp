// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "oracle/exact_oracle.hpp"
#include "oracle/generators.hpp"
#include "prim/closest/closest.hpp"
#include "prim/moving/exact_moving.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::Point;
using oracle::Random;
using oracle::Rational;
using prim::exact_first_time;
using prim::exactly_meet;
using prim::MovingPair;
using prim::StraightPoints;
using testing::RandomBudget;

// ---- against rational arithmetic ------------------------------------------------------------------------------

std::array<Point, 4> places(const StraightPoints& points, const Rational& t) {
  std::array<Point, 4> r;
  for (std::size_t i = 0; i < 4; ++i)
    r[i] = (1 - t) * oracle::exact(points.start[i]) + t * oracle::exact(points.end[i]);
  return r;
}

Rational squared_distance(MovingPair pair, const std::array<Point, 4>& p) {
  switch (pair) {
    case MovingPair::vertex_face: return oracle::squared_distance(p[0], oracle::Triangle{p[1], p[2], p[3]});
    case MovingPair::edge_edge: return oracle::squared_distance(std::array{p[0], p[1]}, std::array{p[2], p[3]});
    case MovingPair::vertex_edge: return oracle::squared_distance(p[0], std::array<Point, 2>{p[1], p[2]});
    case MovingPair::vertex_vertex: break;
  }
  return oracle::squared_distance(p[0], p[1]);
}

bool meet_at(MovingPair pair, const StraightPoints& points, const Rational& t) {
  return squared_distance(pair, places(points, t)) == 0;
}

/// From the second feature to the first, roughly.
Vec3 direction(MovingPair pair, const std::array<Point, 4>& places) {
  std::array<Vec3, 4> p;
  for (std::size_t i = 0; i < 4; ++i) p[i] = oracle::to_double(places[i]);
  if (pair == MovingPair::vertex_vertex) return p[0] - p[1];
  if (pair == MovingPair::vertex_face) return p[0] - prim::closest_point_triangle(p[0], {p[1], p[2], p[3]}).point;
  const prim::SegmentPair s = pair == MovingPair::edge_edge ? prim::closest_segment_segment(p[0], p[1], p[2], p[3])
                                                            : prim::closest_segment_segment(p[0], p[0], p[1], p[2]);
  return s.a - s.b;
}

bool separates(MovingPair pair, const std::array<Point, 4>& p, const Point& n) {
  const std::size_t firsts = pair == MovingPair::edge_edge ? 2 : 1;
  const std::size_t all = pair == MovingPair::vertex_vertex ? 2 : pair == MovingPair::vertex_edge ? 3 : 4;
  for (std::size_t i = 0; i < firsts; ++i)
    for (std::size_t j = firsts; j < all; ++j)
      if (dot(n, p[i] - p[j]) <= 0) return false;
  return true;
}

/// Proves by directions along which the features are apart at both ends of an interval that they never meet in [lo,
/// hi]. Coordinates along a fixed direction are linear in t. `steps` runs down to 0 where it finds no proof.
bool proves_apart(MovingPair pair, const StraightPoints& points, const Rational& lo, const Rational& hi, int& steps) {
  if (--steps < 0) return false;
  const Rational middle = (lo + hi) / 2;
  const Point n = oracle::exact(direction(pair, places(points, middle)));
  if (separates(pair, places(points, lo), n) && separates(pair, places(points, hi), n)) return true;
  return proves_apart(pair, points, lo, middle, steps) && proves_apart(pair, points, middle, hi, steps);
}

/// No pair of points comes together faster than this.
Rational speed_bound(const StraightPoints& points) {
  Rational total = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Point d = oracle::exact(points.end[i]) - oracle::exact(points.start[i]);
    for (const Rational& x : {d.x, d.y, d.z}) total += x < 0 ? Rational(-x) : x;
  }
  return total;
}

std::string describe(MovingPair pair, const StraightPoints& points) {
  std::ostringstream out;
  out << std::hexfloat << "\nkind " << static_cast<int>(pair);
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &a = points.start[i], &b = points.end[i];
    out << "\n{" << a.x << ", " << a.y << ", " << a.z << "} -> {" << b.x << ", " << b.y << ", " << b.z << "}";
  }
  return out.str();
}

/// At both ends of the enclosure the features are as near as they must be if they meet inside it; and they are apart
/// before, but for the last eighth (near a triple zero it takes very many directions).
void check_contact(MovingPair pair, const StraightPoints& points, const Interval& t) {
  const Rational lo = oracle::exact(t.lo), hi = oracle::exact(t.hi), reach = (hi - lo) * speed_bound(points);
  EXPECT_LE(squared_distance(pair, places(points, lo)), reach * reach);
  EXPECT_LE(squared_distance(pair, places(points, hi)), reach * reach);
  int steps = 4000;
  if (t.lo > 0) {
    EXPECT_TRUE(proves_apart(pair, points, 0, lo * Rational(7, 8), steps))
        << "late: " << t.lo << describe(pair, points);
  }
}

Vec3 random_point(Random& random, int style) {
  if (style == 0) return oracle::real_point(random, 1);
  if (style == 1) return oracle::grid_point(random, 1);
  if (style == 2) return oracle::grid_point(random, 3);
  Vec3 p = oracle::grid_point(random, 2);  // style 3: all in one plane, 4: all on one line
  p.z = p.x + p.y;
  if (style == 4) p = {p.x, p.x, p.x};
  return p;
}

StraightPoints random_points(Random& random) {
  const int style = oracle::whole(random, 0, 4);
  StraightPoints r;
  for (std::size_t i = 0; i < 4; ++i) {
    r.start[i] = random_point(random, style);
    r.end[i] = oracle::whole(random, 0, 4) == 0 ? r.start[i] : random_point(random, style);
    if (i > 0 && oracle::whole(random, 0, 9) == 0) {  // degenerate, at one end or both
      r.start[i] = r.start[i - 1];
      if (oracle::whole(random, 0, 1)) r.end[i] = r.end[i - 1];
    }
  }
  return r;
}

MovingPair random_pair(Random& random) {
  const int i = oracle::whole(random, 0, 9);
  return i < 4   ? MovingPair::vertex_face
         : i < 8 ? MovingPair::edge_edge
         : i < 9 ? MovingPair::vertex_edge
                 : MovingPair::vertex_vertex;
}

TEST(ExactMoving, EveryNoHasAProofAndEveryYesIsOne) {
  const std::uint64_t seed = RandomBudget::seed(401);
  Random random(seed);
  int yes = 0, no = 0, unproved = 0;
  for (RandomBudget budget(600); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", query " + std::to_string(yes + no));
    const MovingPair pair = random_pair(random);
    const StraightPoints points = random_points(random);
    const auto t = exact_first_time(pair, points);
    ASSERT_EQ(exactly_meet(pair, points), t.has_value());
    if (t) {
      ++yes;
      check_contact(pair, points, *t);
    } else {
      ++no;
      int steps = 4000;
      if (!proves_apart(pair, points, 0, 1, steps)) ++unproved;
      for (int i = 0; i <= 12; ++i) EXPECT_FALSE(meet_at(pair, points, Rational(i, 12)));
    }
    EXPECT_EQ(meet_at(pair, points, 0), t && t->hi == 0);
    if (HasFailure()) break;
  }
  EXPECT_GT(yes, 50);
  EXPECT_EQ(unproved, 0) << "of " << no;
}

/// Meeting at a time and weights that are given, all in eighths: exact on the grid.
TEST(ExactMoving, NeverMissesAContactThatWasBuiltIn) {
  const std::uint64_t seed = RandomBudget::seed(402);
  Random random(seed);
  for (RandomBudget budget(5000); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int time = oracle::whole(random, 0, 8);
    const bool edges = oracle::whole(random, 0, 1);
    // Starts and moves are multiples of 64, so that places at the time are multiples of 8 and their eighths whole.
    StraightPoints points;
    std::array<Vec3, 4> now;
    for (std::size_t i = 0; i < 4; ++i) {
      points.start[i] = oracle::grid_point(random, 2) * 64.0;
      const Vec3 move = oracle::grid_point(random, 2) * 64.0;
      points.end[i] = points.start[i] + move;
      now[i] = points.start[i] + move * (time / 8.0);
    }
    Vec3 off;
    if (edges) {
      const int u = oracle::whole(random, 0, 8), v = oracle::whole(random, 0, 8);
      off = (now[0] + (now[1] - now[0]) * (u / 8.0)) - (now[2] + (now[3] - now[2]) * (v / 8.0));
    } else {
      const int u = oracle::whole(random, 0, 8), v = oracle::whole(random, 0, 8 - u);
      off = now[0] - (now[1] + (now[2] - now[1]) * (u / 8.0) + (now[3] - now[1]) * (v / 8.0));
    }
    for (std::size_t i = edges ? 2 : 1; i < 4; ++i) {
      points.start[i] = points.start[i] + off;
      points.end[i] = points.end[i] + off;
    }
    const auto t = exact_first_time(edges ? MovingPair::edge_edge : MovingPair::vertex_face, points);
    ASSERT_TRUE(t);
    EXPECT_LE(t->lo, time / 8.0);
  }
}

// ---- what must not matter -------------------------------------------------------------------------------------

StraightPoints reordered(const StraightPoints& p, const std::array<std::size_t, 4>& order) {
  StraightPoints r;
  for (std::size_t i = 0; i < 4; ++i) {
    r.start[i] = p.start[order[i]];
    r.end[i] = p.end[order[i]];
  }
  return r;
}
template <class Change>
StraightPoints changed(StraightPoints p, Change&& change) {
  for (Vec3& x : p.start) x = change(x);
  for (Vec3& x : p.end) x = change(x);
  return p;
}

TEST(ExactMoving, OrderScaleShiftAndTheDirectionOfTimeDoNotMatter) {
  const std::uint64_t seed = RandomBudget::seed(403);
  Random random(seed);
  for (RandomBudget budget(600); budget.more();) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const MovingPair pair = random_pair(random);
    const StraightPoints points = random_points(random);
    const auto t = exact_first_time(pair, points);
    const auto same = [&](const StraightPoints& other) { EXPECT_EQ(exact_first_time(pair, other), t); };
    if (pair == MovingPair::vertex_face) {
      for (const auto& order : {std::array<std::size_t, 4>{0, 2, 3, 1}, {0, 3, 2, 1}, {0, 1, 3, 2}})
        same(reordered(points, order));
    } else if (pair == MovingPair::edge_edge) {
      for (const auto& order : {std::array<std::size_t, 4>{2, 3, 0, 1}, {1, 0, 2, 3}, {1, 0, 3, 2}, {3, 2, 0, 1}})
        same(reordered(points, order));
    }
    same(changed(points, [](const Vec3& x) { return x * 0x1p300; }));
    same(changed(points, [](const Vec3& x) { return x * 0x1p-300; }));
    same(changed(points, [](const Vec3& x) { return Vec3{-x.z, x.x, 4 * x.y}; }));
    EXPECT_EQ(exactly_meet(pair, {points.end, points.start}), t.has_value());
    const auto whole = changed(points, [](const Vec3& x) {
      return Vec3{std::rint(x.x), std::rint(x.y), std::rint(x.z)};
    });
    const auto shifted = changed(whole, [](const Vec3& x) { return x + Vec3{0x1p40, -0x1p41, 3}; });
    EXPECT_EQ(exact_first_time(pair, whole), exact_first_time(pair, shifted));
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace graze
