// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <random>
#include <vector>

#include "bv/kdop.hpp"

namespace {

using graze::Vec3;
using graze::bv::KDop;
using Exact = boost::multiprecision::cpp_rational;

template <class T>
class KDops : public ::testing::Test {
 protected:
  static Exact along(int k, const Vec3& p) {
    const auto d = T::direction[k];
    return Exact(p.x) * d.x + Exact(p.y) * d.y + Exact(p.z) * d.z;
  }
  static bool encloses(const T& dop, const Vec3& p) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (int k = 0; k < T::directions; ++k) {
      const Exact x = along(k, p);
      if (dop.lo[k] == inf || dop.hi[k] == -inf) return false;
      if (dop.lo[k] != -inf && Exact(dop.lo[k]) > x) return false;
      if (dop.hi[k] != inf && Exact(dop.hi[k]) < x) return false;
    }
    return true;
  }
  Vec3 random() {
    const auto one = [this] { return (static_cast<double>(bits_() >> 11) * 0x1p-53 - 0.5) * 4; };
    return {one(), one(), one()};
  }
  std::mt19937_64 bits_{7};
};

using Kinds = ::testing::Types<KDop<6>, KDop<14>, KDop<18>, KDop<26>>;
TYPED_TEST_SUITE(KDops, Kinds);

TYPED_TEST(KDops, ContainTheirPointsExactly) {
  for (int i = 0; i < 300; ++i) {
    const double scale = std::ldexp(1.0, i % 6 == 0   ? 1022
                                         : i % 6 == 1 ? -1060
                                         : i % 6 == 2 ? 127
                                         : i % 6 == 3 ? -140
                                                      : 0);
    TypeParam dop, first, second;
    std::vector<Vec3> points;
    for (int k = 0; k < 4; ++k) {
      points.push_back(scale * this->random());
      dop.add(points.back());
      (k < 2 ? first : second).add(points.back());
    }
    for (const Vec3& p : points) ASSERT_TRUE(this->encloses(dop, p)) << i;
    first.add(second);
    EXPECT_TRUE(first.contains(dop) && dop.contains(first));
  }
  const double big = std::numeric_limits<double>::max();
  for (const Vec3& p : {Vec3{big, big, big}, Vec3{big, big, -big}, Vec3{-big, big, -big}}) {
    TypeParam dop;
    dop.add(p);
    EXPECT_TRUE(this->encloses(dop, p));
  }
}

TYPED_TEST(KDops, AreTight) {
  for (int i = 0; i < 100; ++i) {
    TypeParam dop;
    dop.add(this->random());
    for (int k = 0; k < TypeParam::directions; ++k) EXPECT_LE(dop.hi[k] - dop.lo[k], 1e-6f);
  }
}

TYPED_TEST(KDops, SharedPointsOverlapAndSeparationsAreTrue) {
  int apart = 0;
  for (int i = 0; i < 500; ++i) {
    TypeParam a, b;
    std::vector<Vec3> pa, pb;
    for (int k = 0; k < 3; ++k) {
      pa.push_back(this->random());
      pb.push_back(this->random() + Vec3{1, 1, 1});
    }
    for (const Vec3& p : pa) a.add(p);
    for (const Vec3& p : pb) b.add(p);
    const int k = a.separating_direction(b);
    EXPECT_EQ(k < 0, a.overlaps(b));
    EXPECT_EQ(a.overlaps(b), b.overlaps(a));
    if (k >= 0) {
      ++apart;
      const bool a_first = this->along(k, pa[0]) < this->along(k, pb[0]);
      for (const Vec3& p : pa) {
        for (const Vec3& q : pb) EXPECT_EQ(this->along(k, p) < this->along(k, q), a_first);
      }
    }
    b.add(pa[0]);
    EXPECT_TRUE(a.overlaps(b));
  }
  EXPECT_GT(apart, 20);
}

TYPED_TEST(KDops, EmptyOverlapsNothing) {
  TypeParam empty, point;
  point.add({1, 2, 3});
  EXPECT_TRUE(empty.empty());
  EXPECT_FALSE(point.empty());
  EXPECT_FALSE(empty.overlaps(point));
  EXPECT_TRUE(point.contains(empty));
}

TEST(KDop, MoreDirectionsSeparateMore) {
  // Two diagonal rods side by side: their boxes overlap, a face diagonal tells them apart.
  KDop<6> a6, b6;
  KDop<18> a18, b18;
  for (const double t : {0.0, 1.0}) {
    a6.add({t, t, 0});
    a18.add({t, t, 0});
    b6.add({t + 0.3, t - 0.3, 0});
    b18.add({t + 0.3, t - 0.3, 0});
  }
  EXPECT_TRUE(a6.overlaps(b6));
  EXPECT_FALSE(a18.overlaps(b18));
}

}  // namespace
