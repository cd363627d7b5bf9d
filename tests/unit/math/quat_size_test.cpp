// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "math/quat_size.hpp"

namespace graze::math {
namespace {

/// The same bits as by frexp and ldexp, for components of any size.
TEST(MathQuatSize, IsWhatLdexpSays) {
  std::mt19937_64 random(3);
  const auto any = [&](int from, int to) {
    const int e = from + static_cast<int>(random() % static_cast<std::uint64_t>(to - from + 1));
    return std::ldexp(static_cast<double>(random() >> 11) * 0x1p-53, e) * (random() % 2 ? 1 : -1);
  };
  for (int i = 0; i < 20000; ++i) {
    const int at = i % 2 ? 0 : static_cast<int>(random() % 2090) - 1070,
              from = std::max(-1074, at - static_cast<int>(random() % 80));
    const int to = std::min(at, 1024);
    const Quat q{any(from, to), any(from, to), random() % 4 ? any(from, to) : 0, any(-1074, to)};
    const double m = std::max({std::fabs(q.w), std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)});
    if (m == 0) continue;
    int e;
    std::frexp(m, &e);
    const Quat expected{std::ldexp(q.w, -e), std::ldexp(q.x, -e), std::ldexp(q.y, -e), std::ldexp(q.z, -e)};
    ASSERT_EQ(near_unit_size(q), expected) << m;
  }
  EXPECT_EQ(near_unit_size({0x1p-1074, 0, 0, 0}), (Quat{0.5, 0, 0, 0}));
  EXPECT_EQ(near_unit_size({1, 0, 0, -1}), (Quat{0.5, 0, 0, -0.5}));
}

}  // namespace
}  // namespace graze::math
