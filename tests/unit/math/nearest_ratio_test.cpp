// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include <graze/math/interval.hpp>

#include "math/nearest_ratio.hpp"
#include "oracle/generators.hpp"

namespace graze::math {
namespace {

double nearest(double num, double den) { return nearest_ratio(Dyadic(num), Dyadic(den)); }

/// A quotient of two doubles is rounded to nearest by the processor, subnormal ones as well.
TEST(NearestRatio, OfDoublesIsTheirQuotient) {
  oracle::Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const double num = std::ldexp(oracle::real(random, 0, 1), oracle::whole(random, -1060, 40));
    const double den = std::ldexp(oracle::real(random, 0.5, 1), oracle::whole(random, -20, 40));
    ASSERT_EQ(nearest(num, den), num / den) << std::hexfloat << num << " / " << den;
  }
  for (int num = 0; num < 40; ++num)
    for (int den = 1; den < 40; ++den) ASSERT_EQ(nearest(num, den), double(num) / den);
  constexpr double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(nearest(least, 2), 0);  // a tie: to even
  EXPECT_EQ(nearest(3 * least, 2), 2 * least);
  EXPECT_EQ(nearest(3 * least, 4), least);
  EXPECT_EQ(nearest(least, 3), 0);
  EXPECT_EQ(nearest(least, 0x1p1000), 0);
  EXPECT_EQ(nearest(0x1p1000, 0x1p-1000), std::numeric_limits<double>::infinity());
}

/// Halfway between two doubles, and by far less than a double's last place beside it.
TEST(NearestRatio, TiesAndWhatIsNextToThem) {
  oracle::Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const double x = oracle::real(random, 0.1, 1), up = next_up(x);
    const Dyadic middle = (Dyadic(x) + Dyadic(up)) * Dyadic(0.5), little(0x1p-300), one(1), three(3);
    const double even = std::bit_cast<std::uint64_t>(x) % 2 == 0 ? x : up;
    ASSERT_EQ(nearest_ratio(middle, one), even);
    ASSERT_EQ(nearest_ratio(middle * three, three), even);
    ASSERT_EQ(nearest_ratio(middle + little, one), up);
    ASSERT_EQ(nearest_ratio(middle * three - little, three), x);
  }
}

}  // namespace
}  // namespace graze::math
