// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

#include "math/integer_polynomial.hpp"

namespace graze::math {
namespace {

const IntegerPolynomial t(0, 1);

/// b t - a: zero at a / b.
IntegerPolynomial zero_at(int a, int b) { return {-a, b}; }
IntegerPolynomial number(int a) { return {a, 0}; }

std::vector<Interval> zeros(const IntegerPolynomial& p) {
  std::vector<Interval> r;
  for (UnitRoot& root : unit_roots(p)) r.push_back(root.enclosure());
  return r;
}

void expect_zeros(const IntegerPolynomial& p, std::initializer_list<double> expected) {
  const auto found = zeros(p);
  ASSERT_EQ(found.size(), expected.size());
  std::size_t i = 0;
  for (const double x : expected) {
    EXPECT_NEAR(found[i].lo, x, 0x1p-51);
    EXPECT_LE(found[i].hi - found[i].lo, 0x1p-52);
    ++i;
  }
}

TEST(IntegerPolynomial, ZerosInTheUnitInterval) {
  expect_zeros(number(3), {});
  expect_zeros(t, {0});
  expect_zeros(zero_at(1, 1), {1});
  expect_zeros(zero_at(1, 3), {1.0 / 3});
  expect_zeros(zero_at(-1, 3), {});
  expect_zeros(zero_at(4, 3), {});
  expect_zeros(t * t - number(2), {});
  expect_zeros(number(2) * t * t - number(1), {std::sqrt(0.5)});
  expect_zeros(t * t + number(1), {});
  expect_zeros(zero_at(1, 4) * zero_at(1, 2) * zero_at(3, 4), {0.25, 0.5, 0.75});
  expect_zeros(t * zero_at(1, 3) * zero_at(2, 3) * zero_at(1, 1), {0, 1.0 / 3, 2.0 / 3, 1});
}

TEST(IntegerPolynomial, MultipleZerosCountOnce) {
  expect_zeros(zero_at(1, 3) * zero_at(1, 3), {1.0 / 3});
  expect_zeros(zero_at(1, 2) * zero_at(1, 2) * zero_at(1, 3) * zero_at(1, 3), {1.0 / 3, 0.5});
  expect_zeros(zero_at(1, 3) * zero_at(1, 3) * zero_at(1, 3) * t, {0, 1.0 / 3});
  expect_zeros(t * t * t * t, {0});
  expect_zeros(zero_at(1, 1) * zero_at(1, 1), {1});
  const IntegerPolynomial irrational = number(2) * t * t - number(1);
  expect_zeros(irrational * irrational, {std::sqrt(0.5)});
}

TEST(IntegerPolynomial, ZerosThatNearlyCoincide) {
  const BigInt big = BigInt(1) << 200;
  const IntegerPolynomial third(-big, 3 * big), almost(-big, 3 * big + 1);  // 2^-203 apart
  auto roots = unit_roots(third * almost);
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_LT(roots[0].sign_of(third), 0);
  EXPECT_EQ(roots[0].sign_of(almost), 0);
  EXPECT_EQ(roots[1].sign_of(third), 0);
  EXPECT_GT(roots[1].sign_of(almost), 0);
  EXPECT_LE(roots[1].enclosure().hi - roots[1].enclosure().lo, 0x1p-52);
  // A parabola that comes down to 2^-400 of its height, and one that goes through.
  const IntegerPolynomial square = third * third;
  EXPECT_TRUE(unit_roots(square + number(1)).empty());
  EXPECT_EQ(unit_roots(square - number(1)).size(), 2u);
}

TEST(IntegerPolynomial, SignsAtZeros) {
  const IntegerPolynomial p = number(2) * t * t - number(1), q = t * t * t;
  for (UnitRoot& root : unit_roots(p)) {  // sqrt(1/2)
    EXPECT_EQ(root.sign_of(p), 0);
    EXPECT_EQ(root.sign_of(p * p), 0);
    EXPECT_EQ(root.sign_of(p * zero_at(1, 2)), 0);
    EXPECT_EQ(root.sign_of(IntegerPolynomial()), 0);
    EXPECT_EQ(root.sign_of(number(-7)), -1);
    EXPECT_EQ(root.sign_of(zero_at(707106781, 1000000000)), 1);
    EXPECT_EQ(root.sign_of(zero_at(707106782, 1000000000)), -1);
    EXPECT_EQ(root.sign_of(number(2) * q - t), 0);
    EXPECT_EQ(root.sign_of(number(-2) * q + t + number(1)), 1);
  }
}

TEST(IntegerPolynomial, DivisorsAndDegrees) {
  EXPECT_TRUE((t - t).is_zero());
  EXPECT_EQ((t * t - t * t + t).degree(), 1);
  EXPECT_EQ(common_divisor(zero_at(1, 3) * zero_at(1, 2), zero_at(1, 3) * t).degree(), 1);
  EXPECT_EQ(common_divisor(zero_at(1, 3), number(2) * t * t - number(1)).degree(), 0);
  EXPECT_EQ((zero_at(1, 3) * zero_at(1, 3) * t * t).square_free().degree(), 2);
}

}  // namespace
}  // namespace graze::math
