// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "core/lanes_plain.hpp"
#include "core/portability.hpp"

namespace graze::core {
namespace {

/// Zeros of both signs, subnormal, ordinary and huge numbers, infinities and NaN.
template <class T>
std::vector<T> hard_numbers() {
  using L = std::numeric_limits<T>;
  std::vector<T> out{0, 1, T(0.1), T(3.7), L::denorm_min(), L::min(), L::max(), L::infinity()};
  for (std::size_t i = 0, n = out.size(); i < n; ++i) out.push_back(-out[i]);
  out.push_back(L::quiet_NaN());
  return out;
}

/// The same bits, where any NaN equals any other.
template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

template <class Lanes>
std::vector<float> floats(Lanes a) {
  std::vector<float> out(4);
  store(a, out.data());
  return out;
}
template <class Lanes>
std::vector<double> doubles(Lanes a) {
  std::vector<double> out(2);
  store(a, out.data());
  return out;
}
template <class T>
void expect_same(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same(a[i], b[i])) << i << ": " << a[i] << " and " << b[i];
}

/// Which of the two versions a processor uses must not show.
TEST(Lanes, FourFloatsHaveTheSameBitsInPlainCode) {
  const std::vector<float> numbers = hard_numbers<float>();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      const float a[3] = {numbers[i], numbers[j], 2}, b[3] = {numbers[j], 0.3f, numbers[i]};
      const lanes::Float4 x = lanes::load3(a), y = lanes::load3(b);
      const plain::Float4 u = plain::load3(a), v = plain::load3(b);
      expect_same(floats(x + y), floats(u + v));
      expect_same(floats(x - y), floats(u - v));
      expect_same(floats(x * y), floats(u * v));
      expect_same(floats(max(x, y)), floats(max(u, v)));
      expect_same(floats(min(x, y)), floats(min(u, v)));
      expect_same(floats(negate(x)), floats(negate(u)));
      expect_same(floats(clear_last(lanes::splat(a[0]))), floats(clear_last(plain::splat(a[0]))));
      EXPECT_TRUE(same(half_area(x), half_area(u)));
    }
  alignas(16) std::int32_t p[4], q[4];
  const float some[3] = {-2.9f, 2.9f, 1e6f};
  truncate(lanes::load3(some), p);
  truncate(plain::load3(some), q);
  EXPECT_EQ(std::memcmp(p, q, sizeof p), 0);
}

TEST(Lanes, TwoDoublesHaveTheSameBitsInPlainCode) {
  const std::vector<double> numbers = hard_numbers<double>();
  for (const double a : numbers)
    for (const double b : numbers) {
      const double left[2] = {a, 0.7}, right[2] = {b, a};
      const lanes::Double2 x = lanes::load(left), y = lanes::load(right);
      const plain::Double2 u = plain::load(left), v = plain::load(right);
      expect_same(doubles(x + y), doubles(u + v));
      expect_same(doubles(x * y), doubles(u * v));
      expect_same(doubles(max(x, y)), doubles(max(u, v)));
      expect_same(doubles(exchange(x)), doubles(exchange(u)));
      expect_same(doubles(lanes::splat(a)), doubles(plain::splat(a)));
      EXPECT_EQ(equal_bits(x, y), equal_bits(u, v));
    }
}

}  // namespace
}  // namespace graze::core
