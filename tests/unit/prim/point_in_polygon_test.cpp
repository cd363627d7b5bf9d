// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cfloat>
#include <vector>

#include "oracle/generators.hpp"
#include "prim/point_in_polygon.hpp"

namespace graze::prim {
namespace {

using Polygon = std::vector<Point2>;

PointLocation one_shot(const Polygon& p, const Point2& q) {
  AllCounters counters;
  return point_in_polygon(p, q, counters);
}

oracle::Rational cross(const Point2& a, const Point2& b, const Point2& c) {
  using oracle::exact;
  return (exact(b.x) - exact(a.x)) * (exact(c.y) - exact(a.y)) - (exact(b.y) - exact(a.y)) * (exact(c.x) - exact(a.x));
}

/// By definition, in rational numbers: on an edge, or an odd number of edges cross the ray to the right.
PointLocation truth(const Polygon& p, const Point2& q) {
  bool inside = false;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point2 &a = p[i], &b = p[(i + 1) % p.size()];
    const oracle::Rational c = cross(a, b, q);
    const bool in_box = std::min(a.x, b.x) <= q.x && q.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= q.y &&
                        q.y <= std::max(a.y, b.y);
    if (c == 0 && in_box) return PointLocation::on;
    if ((a.y > q.y) != (b.y > q.y) && (c > 0) == (b.y > a.y)) inside = !inside;
  }
  return inside ? PointLocation::inside : PointLocation::outside;
}

TEST(PointInPolygon, ByHand) {
  const Polygon c{{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}, {4, 3}, {4, 4}, {0, 4}};  // the letter
  EXPECT_EQ(one_shot(c, {0.5, 2}), PointLocation::inside);
  EXPECT_EQ(one_shot(c, {2, 2}), PointLocation::outside);
  EXPECT_EQ(one_shot(c, {1, 2}), PointLocation::on);
  EXPECT_EQ(one_shot(c, {2, 1}), PointLocation::on);
  EXPECT_EQ(one_shot(c, {4, 4}), PointLocation::on);
  EXPECT_EQ(one_shot(c, {0.5, 1}), PointLocation::inside);  // the ray runs along an edge
  EXPECT_EQ(one_shot(c, {-1, 3}), PointLocation::outside);
  const Polygon diamond{{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  EXPECT_EQ(one_shot(diamond, {0, 0}), PointLocation::inside);  // the ray hits a corner
  EXPECT_EQ(one_shot(diamond, {-2, 0}), PointLocation::outside);
  EXPECT_EQ(one_shot(diamond, {0.5, 0.5}), PointLocation::on);
  EXPECT_EQ(one_shot({{1, 1}, {1, 1}, {1, 1}}, {1, 1}), PointLocation::on);
  EXPECT_EQ(one_shot({{0, 0}, {2, 2}, {1, 1}}, {0.5, 0.5}), PointLocation::on);  // no area
  EXPECT_EQ(one_shot({{0, 0}, {2, 2}, {1, 1}}, {0.5, 0.25}), PointLocation::outside);
}

TEST(PointInPolygon, GridPolygonsLikeRationals) {
  oracle::Random random(1);
  int seen[3] = {};
  for (int i = 0; i < 20000; ++i) {
    Polygon p(static_cast<std::size_t>(oracle::whole(random, 3, 7)));
    for (Point2& x : p) x = {double(oracle::whole(random, -2, 2)), double(oracle::whole(random, -2, 2))};
    const Point2 q{oracle::whole(random, -5, 5) / 2.0, oracle::whole(random, -5, 5) / 2.0};
    const PointLocation expected = truth(p, q);
    ASSERT_EQ(one_shot(p, q), expected);
    ++seen[static_cast<int>(expected)];
  }
  for (const int count : seen) EXPECT_GT(count, 500);
}

TEST(PointInPolygon, NearTheOutlineAndAnyScale) {
  oracle::Random random(2);
  for (int i = 0; i < 3000; ++i) {
    Polygon p(4);
    for (Point2& x : p) x = {oracle::real(random), oracle::real(random)};
    const double t = oracle::real(random, 0, 1);
    Point2 q{p[0].x + t * (p[1].x - p[0].x), p[0].y + t * (p[1].y - p[0].y)};  // on edge 01, rounded
    const int power = std::array{0, 0, 0, -1074, 1000}[static_cast<std::size_t>(i % 5)];
    for (Point2& x : p) x = {std::ldexp(x.x, power), std::ldexp(x.y, power)};
    q = {std::ldexp(q.x, power), std::ldexp(q.y, power)};
    ASSERT_EQ(one_shot(p, q), truth(p, q));
  }
  const Polygon huge{{-DBL_MAX, -DBL_MAX}, {DBL_MAX, -DBL_MAX}, {DBL_MAX, DBL_MAX}};
  EXPECT_EQ(one_shot(huge, {DBL_MAX / 2, DBL_MAX / 2}), PointLocation::on);
  EXPECT_EQ(one_shot(huge, {std::nextafter(DBL_MAX / 2, 0), DBL_MAX / 2}), PointLocation::outside);
}

TEST(PointInPolygon, PrechecksSettleMostEdges) {
  oracle::Random random(3);
  AllCounters counters;
  Polygon p;
  for (int i = 0; i < 32; ++i) {  // a wavy ring
    const double angle = i * 0.19634954084936207, r = i % 2 ? 1 : 0.8;
    p.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  for (int i = 0; i < 2000; ++i) point_in_polygon(p, {oracle::real(random), oracle::real(random)}, counters);
  const std::uint64_t settled[] = {counters.polygon_precheck_1, counters.polygon_precheck_2,
                                   counters.polygon_precheck_3, counters.polygon_precheck_4,
                                   counters.polygon_precheck_5, counters.polygon_precheck_6};
  std::uint64_t sum = 0;
  for (const std::uint64_t s : settled) {
    EXPECT_GT(s, 0u);
    sum += s;
  }
  EXPECT_EQ(sum + counters.polygon_exact, 2000u * 32);
  EXPECT_LT(counters.polygon_exact, 2000u * 32 / 20);
}

TEST(PointInPolygon, FilterIsRightOrSilent) {
  oracle::Random random(4);
  int decided = 0;
  for (int i = 0; i < 5000; ++i) {
    Polygon p(5), moved(5);
    const double error = 0.05;
    const auto shaken = [&](const Point2& x) {
      return Point2{x.x + oracle::real(random, -error, error), x.y + oracle::real(random, -error, error)};
    };
    for (std::size_t k = 0; k < 5; ++k) {
      p[k] = {oracle::real(random), oracle::real(random)};
      moved[k] = shaken(p[k]);
    }
    const Point2 q{oracle::real(random), oracle::real(random)};
    AllCounters counters;
    const auto answer = point_in_polygon_filter(p, q, error, counters);
    if (!answer) continue;
    ++decided;
    EXPECT_EQ(*answer, truth(p, q));
    EXPECT_EQ(*answer, truth(moved, shaken(q)));
  }
  EXPECT_GT(decided, 1000);
}

/// Convex, counter-clockwise, on a grid, with flat corners: an octagon with some sides divided, starting anywhere.
Polygon convex_polygon(oracle::Random& random) {
  const int a = oracle::whole(random, 0, 3), b = oracle::whole(random, 1, 4), c = oracle::whole(random, 0, 3);
  Polygon corners{{double(a), 0},
                  {double(a + b), 0},
                  {double(a + b + c), double(c)},
                  {double(a + b + c), double(c + b)},
                  {double(a + b), double(2 * c + b)},
                  {double(a), double(2 * c + b)},
                  {0, double(a + c + b)},
                  {0, double(a)}};
  if (a + c != 2 * c)
    corners = {{0, 0}, {double(b), double(-a)}, {double(b + c), double(b)}, {double(-c - 1), double(b + c)}};
  Polygon p;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point2 &x = corners[i], &y = corners[(i + 1) % corners.size()];
    if (x == y) continue;
    p.push_back(x);
    if (oracle::whole(random, 0, 2) == 0) p.push_back({(x.x + y.x) / 2, (x.y + y.y) / 2});
  }
  std::rotate(p.begin(), p.begin() + oracle::whole(random, 0, static_cast<int>(p.size()) - 1), p.end());
  return p;
}

bool is_convex(const Polygon& p) {
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t k = 0; k < p.size(); ++k)
      if (cross(p[i], p[(i + 1) % p.size()], p[k]) < 0) return false;
  return true;
}

TEST(PointInConvexPolygon, GridPolygonsLikeOneShot) {
  oracle::Random random(5);
  int seen[3] = {}, polygons = 0;
  for (int i = 0; i < 2000; ++i) {
    const Polygon p = convex_polygon(random);
    if (p.size() < 3 || !is_convex(p)) continue;
    ++polygons;
    for (int k = 0; k < 40; ++k) {
      const Point2 q{oracle::whole(random, -6, 20) / 2.0, oracle::whole(random, -6, 20) / 2.0};
      AllCounters counters;
      const PointLocation expected = one_shot(p, q);
      ASSERT_EQ(point_in_convex_by_wedges(p, q, counters), expected) << q.x << " " << q.y;
      ASSERT_EQ(point_in_convex_by_heights(p, q, counters), expected) << q.x << " " << q.y;
      ++seen[static_cast<int>(expected)];
    }
  }
  EXPECT_GT(polygons, 500);
  for (const int count : seen) EXPECT_GT(count, 500);
}

/// Corners (k, k^2) of a parabola, its last one far to the left or right: exactly convex, and its heights fall and rise
/// at any place.
TEST(PointInConvexPolygon, LogarithmicForManyCorners) {
  for (const int turn : {0, 1, 100, 500, 700, 1023}) {
    Polygon p;
    for (int k = -300; k < 724; ++k) p.push_back({double(k), double(k) * k});
    std::rotate(p.begin(), p.begin() + turn, p.end());
    oracle::Random random(6);
    AllCounters steps;
    for (int i = 0; i < 200; ++i) {
      const int x = oracle::whole(random, -310, 730);
      const double y = i % 4 == 0 ? double(x) * x : oracle::real(random, -1000, 530000);
      const Point2 q{double(x), y};
      EXPECT_EQ(point_in_convex_by_wedges(p, q, steps), one_shot(p, q));
      EXPECT_EQ(point_in_convex_by_heights(p, q, steps), one_shot(p, q)) << turn << " " << x << " " << y;
    }
    EXPECT_LT(steps.polygon_search_steps, 200u * 50);
  }
}

}  // namespace
}  // namespace graze::prim
