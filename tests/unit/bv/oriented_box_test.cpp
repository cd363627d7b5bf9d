// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "bv/oriented_box.hpp"
#include "prim/box_box.hpp"
#include "unit/bv/exact_box.hpp"

namespace {

using graze::Vec3;
using graze::bv::fit_oriented_box;
using graze::bv::OrientedBox;
using graze::prim::BoxFrame;
using graze::prim::BoxSeparation;
using graze::prim::separate_boxes;
using graze::testing::contains_exactly;
using graze::testing::Exact;

class Random {
 public:
  explicit Random(unsigned seed) : bits_(seed) {}
  double unit() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  double signed_unit() { return 2 * unit() - 1; }
  Vec3 vector() { return {signed_unit(), signed_unit(), signed_unit()}; }
  BoxFrame frame() {
    BoxFrame f;
    f.axis[0] = normalised(vector());
    f.axis[1] = normalised(cross(f.axis[0], vector()));
    f.axis[2] = cross(f.axis[0], f.axis[1]);
    f.centre = 2 * vector();
    f.half = {unit(), unit(), unit()};
    return f;
  }
  static Vec3 normalised(const Vec3& v) { return (1 / length(v)) * v; }

 private:
  std::mt19937_64 bits_;
};

TEST(OrientedBox, ContainsItsPointsExactly) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const double scale = std::ldexp(1.0, round % 5 == 0   ? 0
                                         : round % 5 == 1 ? 900
                                         : round % 5 == 2 ? -900
                                                          : round - 100);
    const Vec3 offset = round % 3 == 0 ? 1e6 * random.vector() : Vec3{};
    const Vec3 u = random.vector(), v = random.vector(), w = random.vector();
    std::vector<Vec3> points;
    for (int i = 0; i < 1 + round % 12; ++i) {
      Vec3 p = random.signed_unit() * u;                          // a line,
      if (round % 4 > 0) p = p + 0.3 * random.signed_unit() * v;  // a plane piece,
      if (round % 4 > 1) p = p + 0.1 * random.signed_unit() * w;  // a slab
      points.push_back(scale * (p + offset));
    }
    const OrientedBox box = fit_oriented_box(points);
    for (const Vec3& p : points) ASSERT_TRUE(contains_exactly(box, p)) << round;
  }
}

TEST(OrientedBox, FollowsAThinSlantedPlate) {
  Random random(2);
  const BoxFrame f = random.frame();
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i) {
    points.push_back(f.centre + 3 * random.signed_unit() * f.axis[0] + random.signed_unit() * f.axis[1] +
                     1e-3 * random.signed_unit() * f.axis[2]);
  }
  const OrientedBox box = fit_oriented_box(points);
  EXPECT_LT(std::min({box.half.x, box.half.y, box.half.z}), 0.02);
  EXPECT_GT(std::fabs(std::max({std::fabs(dot(box.axis[0], f.axis[2])), std::fabs(dot(box.axis[1], f.axis[2])),
                                std::fabs(dot(box.axis[2], f.axis[2]))})),
            0.999);
}

TEST(OrientedBox, AnAxisAlignedCubeStaysAxisAlignedAndTight) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2)});
  const OrientedBox box = fit_oriented_box(corners);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(box.half[k], 0.5, 1e-12);
}

TEST(OrientedBox, SinglePointsNoPointsAndTheWholeRange) {
  EXPECT_EQ(fit_oriented_box({}).half, Vec3{});
  const Vec3 p{1e300, -1e-300, 3};
  EXPECT_TRUE(contains_exactly(fit_oriented_box({&p, 1}), p));
  const double big = std::numeric_limits<double>::max();
  const std::vector<Vec3> far{{big, big, -big}, {-big, -big, big}, {0, 0, 1}};
  const OrientedBox box = fit_oriented_box(far);
  for (const Vec3& q : far) EXPECT_TRUE(contains_exactly(box, q));
  const std::vector<Vec3> tiny{{5e-324, 0, 0}, {0, 5e-324, 0}, {0, 0, 0}};
  for (const Vec3& q : tiny) EXPECT_TRUE(contains_exactly(fit_oriented_box(tiny), q));
}

/// The inequality behind "apart", in rational numbers.
bool truly_apart_along(const BoxFrame& a, const BoxFrame& b, const Vec3& n) {
  const auto along = [&n](const Vec3& v) { return Exact(Exact(n.x) * v.x + Exact(n.y) * v.y + Exact(n.z) * v.z); };
  Exact extent = 0;
  for (int k = 0; k < 3; ++k) {
    extent += Exact(a.half[k]) * abs(along(a.axis[k])) + Exact(b.half[k]) * abs(along(b.axis[k]));
  }
  return Exact(along(b.centre) - along(a.centre)) > extent;
}

Vec3 point_in(const BoxFrame& f, Random& random) {
  Vec3 p = f.centre;
  for (int k = 0; k < 3; ++k) p = p + 0.999 * random.signed_unit() * f.half[k] * f.axis[k];
  return p;
}

TEST(BoxBox, ApartIsAlwaysTrueAndUsuallyFound) {
  Random random(3);
  int apart = 0, kinds[3] = {};
  for (int i = 0; i < 4000; ++i) {
    BoxFrame a = random.frame(), b = random.frame();
    if (i % 5 == 0) a.half.z = 0;
    if (i % 7 == 0) b.half.x = b.half.y = 0;
    if (i % 11 == 0) std::copy(a.axis, a.axis + 3, b.axis);
    const BoxSeparation s = separate_boxes(a, b);
    const BoxSeparation swapped = separate_boxes(b, a);
    ASSERT_EQ(s.apart(), swapped.apart());
    if (!s.apart()) continue;
    ++apart;
    ++kinds[s.axis < 3 ? 0 : s.axis < 6 ? 1 : 2];
    ASSERT_TRUE(truly_apart_along(a, b, s.direction));
    ASSERT_TRUE(truly_apart_along(b, a, swapped.direction));
    ASSERT_EQ(separate_boxes(a, b, s.axis).axis, s.axis);
    for (int k = 0; k < 5; ++k) {
      const Vec3 d = point_in(b, random) - point_in(a, random);
      ASSERT_GE(dot(d, s.direction), s.gap * (1 - 1e-12));
    }
  }
  EXPECT_GT(apart, 1500);
  for (const int k : kinds) EXPECT_GT(k, 20);
}

TEST(BoxBox, SharedPointsAreNeverApart) {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    BoxFrame a = random.frame(), b = random.frame();
    if (i % 3 == 0) b.half = {};
    if (i % 4 == 0) a.half.y = 0;
    const double scale = std::ldexp(1.0, i % 5 == 0 ? 300 : i % 5 == 1 ? -300 : 0);
    // Move b so that a point of a coincides with a point of b, to within rounding that the halves are given to cover.
    const Vec3 shift = point_in(a, random) - point_in(b, random);
    b.centre = b.centre + shift;
    for (int k = 0; k < 3; ++k) a.half[k] += 1e-14;
    a.centre = scale * a.centre, a.half = scale * a.half;
    b.centre = scale * b.centre, b.half = scale * b.half;
    ASSERT_FALSE(separate_boxes(a, b).apart()) << i;
  }
}

TEST(BoxBox, TouchingAlignedBoxesAreNotApartButTheNextAre) {
  const BoxFrame unit{{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 1, 1}};
  for (int k = 0; k < 3; ++k) {
    BoxFrame other = unit;
    other.centre[k] = -2;
    EXPECT_FALSE(separate_boxes(unit, other).apart());
    other.centre[k] = -2 * (1 + 1e-13);
    const BoxSeparation s = separate_boxes(unit, other);
    EXPECT_EQ(s.axis, k);
    EXPECT_LT(s.direction[k], 0);
  }
}

TEST(BoxBox, HugeBoxesProveNothingWrong) {
  const double big = std::numeric_limits<double>::max();
  BoxFrame a{{big, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {big, 1, 1}}, b = a;
  b.centre.x = -big;  // they share the origin, but the distance of the centres overflows
  EXPECT_FALSE(separate_boxes(a, b).apart());
  b.half = {std::numeric_limits<double>::infinity(), 0, 0};
  EXPECT_FALSE(separate_boxes(a, b).apart());
}

}  // namespace
