// SPDX-License-Identifier: MIT
// Brackets of distances to twice a double's length hold, against whole numbers, and are narrow.
#include "prim/closest/sharp.hpp"

#include <gtest/gtest.h>

#include <random>

#include "math/relative_placement.hpp"
#include "math/sharp_placement.hpp"

namespace graze::prim {
namespace {

using math::Dyadic;
using math::DyadicVec3;

using SharpTestTriangle = std::array<Vec3, 3>;

struct SharpTestPair {
  SharpTestTriangle a, b;
};

/// A large triangle near the plane z = 0 and one that comes within about `gap` of it or of one of its edges.
SharpTestPair sharp_test_pair(std::mt19937_64& random, double gap) {
  std::uniform_real_distribution<double> u(-1, 1);
  SharpTestPair p;
  for (Vec3& x : p.a) x = {20 * u(random), 20 * u(random), random() % 2 ? 0 : 1e-3 * u(random)};
  const Vec3 n = cross(p.a[1] - p.a[0], p.a[2] - p.a[0]);
  const double s = random() % 4 ? 0.5 + 0.5 * u(random) : 0, t = (1 - s) * (0.5 + 0.5 * u(random));
  const Vec3 foot = p.a[0] + (p.a[1] - p.a[0]) * s + (p.a[2] - p.a[0]) * t;
  p.b[0] = foot + n * (gap / length(n));
  for (std::size_t k = 1; k < 3; ++k) {
    p.b[k] = p.b[0] + Vec3{u(random), u(random), u(random)} * 5;
    if (dot(p.b[k] - p.b[0], n) < 0) p.b[k] = p.b[0] * 2 - p.b[k];
  }
  return p;
}

TEST(ClosestSharp, BracketsHoldAndAreNarrowHoweverNear) {
  std::mt19937_64 random(5);
  int narrow = 0, all = 0;
  for (int i = 0; i < 400; ++i) {
    const double gap = std::pow(10.0, -1 - i % 12);
    const SharpTestPair p = sharp_test_pair(random, gap);
    SharpCorners s;
    std::array<DyadicVec3, 3> a, b;
    for (std::size_t k = 0; k < 3; ++k) {
      s.a[k] = p.a[k];
      s.b[k] = p.b[k];
      a[k] = DyadicVec3(p.a[k]);
      b[k] = DyadicVec3(p.b[k]);
    }
    s.error = 0;
    s.size = 64;
    const auto bracket = sharp_bracket(s, closest_triangle_triangle(p.a, p.b));
    if (!bracket) continue;
    const ExactDistance exact = exact_distance(a, b);
    const auto square = [](double x) { return Dyadic(x) * Dyadic(x); };
    EXPECT_FALSE(exact.num < square(bracket->lower) * exact.den) << "pair " << i << ": the lower bound";
    EXPECT_FALSE(square(bracket->upper) * exact.den < exact.num) << "pair " << i << ": the upper bound";
    ++all;
    narrow += bracket->upper - bracket->lower <= 1e-12 * bracket->lower;
  }
  EXPECT_GT(all, 380);
  EXPECT_GT(narrow, 9 * all / 10);
}

TEST(SharpPlacement, PointsAreWithinTheirError) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(random() % 200) - 100);
    const auto point = [&](double scale) { return Vec3{u(random), u(random), u(random)} * scale; };
    const Pose a(point(size), {u(random), u(random), u(random), u(random)}),
        b(point(size * 100), {1e3 * u(random), u(random), 1e-3 * u(random), u(random)});
    const Vec3 x = point(size);
    const math::SharpPlacement sharp(a, b);
    const math::RelativePlacement exactly(a, b);
    const math::DoubleDoubleVec3 y = sharp.place(x);
    const DyadicVec3 z = exactly.exact_b(x);
    const Dyadic allowed = Dyadic(sharp.error(x)) * exactly.scale();
    const auto off = [&](const math::DoubleDouble& v, const Dyadic& w) {
      const Dyadic d = (Dyadic(v.hi) + Dyadic(v.lo)) * exactly.scale() - w;
      return d.sign() < 0 ? -d : d;
    };
    EXPECT_FALSE(allowed < off(y.x, z.x)) << i;
    EXPECT_FALSE(allowed < off(y.y, z.y)) << i;
    EXPECT_FALSE(allowed < off(y.z, z.z)) << i;
  }
}

}  // namespace
}  // namespace graze::prim
