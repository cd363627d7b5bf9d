// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "bv/normal_cone.hpp"

namespace {

using graze::Vec3;
using graze::bv::merged;
using graze::bv::normal_cone;
using graze::bv::NormalCone;
using Exact = boost::multiprecision::cpp_rational;

struct ExactVec {
  Exact x, y, z;
};

ExactVec exact_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const ExactVec u{Exact(b.x) - a.x, Exact(b.y) - a.y, Exact(b.z) - a.z};
  const ExactVec v{Exact(c.x) - a.x, Exact(c.y) - a.y, Exact(c.z) - a.z};
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

/// n . axis >= 0 and (n . axis)^2 >= cosine^2 n^2 axis^2.
bool inside(const NormalCone& cone, const ExactVec& n) {
  if (cone.is_everything()) return true;
  const Exact ax = cone.axis.x, ay = cone.axis.y, az = cone.axis.z, c = cone.cosine;
  const Exact product = n.x * ax + n.y * ay + n.z * az;
  return product >= 0 &&
         product * product >= c * c * (n.x * n.x + n.y * n.y + n.z * n.z) * (ax * ax + ay * ay + az * az);
}

class Random {
 public:
  double operator()() { return static_cast<double>(bits_() >> 11) * 0x1p-52 - 1; }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }

 private:
  std::mt19937_64 bits_{11};
};

TEST(NormalCone, HoldsTheExactNormalsOfItsTriangles) {
  Random random;
  for (int round = 0; round < 150; ++round) {
    const double scale = std::ldexp(1.0, round % 4 == 0 ? 0 : round % 4 == 1 ? 400 : round % 4 == 2 ? -400 : round);
    const double bend = 0.05 * (round % 10);
    NormalCone cone;
    std::vector<ExactVec> normals;
    for (int i = 0; i < 6; ++i) {
      const Vec3 a = scale * random.vector();
      const Vec3 b = a + scale * Vec3{1, bend * random(), bend * random()};
      const Vec3 c = a + scale * Vec3{bend * random(), 1, bend * random()};
      normals.push_back(exact_normal(a, b, c));
      const NormalCone one = normal_cone(a, b, c);
      ASSERT_FALSE(one.is_everything());
      ASSERT_GT(one.cosine, 1 - 1e-12);
      cone = i == 0 ? one : merged(cone, one);
    }
    for (const ExactVec& n : normals) ASSERT_TRUE(inside(cone, n)) << round;
    ASSERT_FALSE(cone.is_everything());
    EXPECT_GT(cone.cosine, std::cos(4 * bend + 1e-3));
  }
}

TEST(NormalCone, MergesToTheSmallestCone) {
  // Normals 20 and 50 degrees to either side of z: the merged cone has a half angle of 35 degrees, 15 off z.
  const auto tilted = [](double degrees) {
    const double t = degrees * 3.14159265358979 / 180;
    return NormalCone{{std::sin(t), 0, std::cos(t)}, 1.0};
  };
  const NormalCone both = merged(tilted(-20), tilted(50));
  EXPECT_NEAR(both.cosine, std::cos(35 * 3.14159265358979 / 180), 1e-9);
  EXPECT_NEAR(both.axis.x / both.axis.z, std::tan(15 * 3.14159265358979 / 180), 1e-9);
  const NormalCone again = merged(both, tilted(0));
  EXPECT_EQ(again.cosine, both.cosine);  // already inside
  EXPECT_EQ(merged(tilted(0), both).cosine, both.cosine);
  EXPECT_TRUE(merged(merged(tilted(-60), tilted(60)), tilted(121)).is_everything());
  EXPECT_FALSE(merged(merged(tilted(-60), tilted(60)), tilted(119)).is_everything());
  EXPECT_TRUE(merged(tilted(10), tilted(190)).is_everything());
}

TEST(NormalCone, WithoutAreaEverythingIsPossible) {
  EXPECT_TRUE(normal_cone({0, 0, 0}, {1, 1, 1}, {2, 2, 2}).is_everything());
  EXPECT_TRUE(normal_cone({1, 2, 3}, {1, 2, 3}, {1, 2, 3}).is_everything());
  EXPECT_TRUE(merged(NormalCone::everything(), normal_cone({0, 0, 0}, {1, 0, 0}, {0, 1, 0})).is_everything());
  EXPECT_FALSE(normal_cone({0, 0, 0}, {1e-200, 0, 0}, {0, 1e-200, 0}).is_everything());
  EXPECT_FALSE(normal_cone({-1e308, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}).is_everything());
}

TEST(NormalCone, ContainsIsCertain) {
  const NormalCone flat = normal_cone({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(flat.cosine, 1.0);
  EXPECT_TRUE(contains(flat, {0, 0, 0x1p-1000}));
  EXPECT_FALSE(contains(flat, {0, 1e-9, 1}));
  EXPECT_FALSE(contains(flat, {0, 0, -1}));
  EXPECT_FALSE(contains(flat, {0, 0, 0}));
  EXPECT_TRUE(contains(NormalCone::everything(), {0, 0, -1}));
}

}  // namespace
