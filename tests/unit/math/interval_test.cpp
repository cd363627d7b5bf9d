// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>

#include <graze/math/interval.hpp>

namespace {

using graze::Interval;
using graze::next_down;
using graze::next_up;
using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>>;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double tiny = std::numeric_limits<double>::denorm_min();

bool encloses(const Interval& i, const Real& x) {
  return (i.lo == -inf || Real(i.lo) <= x) && (i.hi == inf || x <= Real(i.hi));
}

/// How many doubles the interval is wide.
int width_in_ulps(const Interval& i) {
  int n = 0;
  for (double x = i.lo; x < i.hi && n < 1000; ++n) x = next_up(x);
  return n;
}

class RandomDoubles {
 public:
  double any() {  // every finite bit pattern
    for (;;) {
      const double x = std::bit_cast<double>(bits_());
      if (std::isfinite(x)) return x;
    }
  }
  double near_one() { return std::ldexp(static_cast<double>(bits_() >> 11) * 0x1p-53 - 0.5, int(bits_() % 9) - 3); }
  double small_integer() { return double(bits_() % 17) - 8; }
  double mixed() {
    switch (bits_() % 4) {
      case 0: return any();
      case 1: return small_integer();
      case 2: return std::ldexp(near_one(), -1060);
      default: return near_one();
    }
  }
  Interval interval() {
    const double a = mixed(), b = bits_() % 3 ? mixed() : a;
    return {std::min(a, b), std::max(a, b)};
  }
  /// The ends, and something between them.
  double inside(const Interval& i) {
    switch (bits_() % 3) {
      case 0: return i.lo;
      case 1: return i.hi;
      default: return std::clamp(i.lo / 2 + i.hi / 2, i.lo, i.hi);
    }
  }

 private:
  std::mt19937_64 bits_{42};
};

TEST(Interval, NeighboursAreTheNextDoubles) {
  EXPECT_EQ(next_up(1.0), std::nextafter(1.0, 2.0));
  EXPECT_EQ(next_down(1.0), std::nextafter(1.0, 0.0));
  EXPECT_EQ(next_up(-1.0), std::nextafter(-1.0, 0.0));
  EXPECT_EQ(next_up(0.0), tiny);
  EXPECT_EQ(next_up(-0.0), tiny);
  EXPECT_EQ(next_down(0.0), -tiny);
  EXPECT_EQ(next_up(-tiny), 0.0);
  EXPECT_EQ(next_up(largest), inf);
  EXPECT_EQ(next_up(inf), inf);
  EXPECT_EQ(next_up(-inf), -largest);
  EXPECT_EQ(next_down(-inf), -inf);
}

TEST(Interval, ArithmeticEnclosesTheExactResults) {
  RandomDoubles random;
  for (int i = 0; i < 30000; ++i) {
    const Interval a = random.interval(), b = random.interval();
    const double x = random.inside(a), y = random.inside(b);
    ASSERT_TRUE(encloses(a + b, Real(x) + Real(y))) << x << ' ' << y;
    ASSERT_TRUE(encloses(a - b, Real(x) - Real(y))) << x << ' ' << y;
    ASSERT_TRUE(encloses(a * b, Real(x) * Real(y))) << x << ' ' << y;
    ASSERT_TRUE(y == 0 || encloses(a / b, Real(x) / Real(y))) << x << ' ' << y;
    ASSERT_TRUE(encloses(sqr(a), Real(x) * Real(x))) << x;
    ASSERT_TRUE(encloses(abs(a), abs(Real(x)))) << x;
    ASSERT_TRUE(x < 0 || encloses(sqrt(a), sqrt(Real(x)))) << x;
    ASSERT_TRUE(hull(a, b).contains(x) && hull(a, b).contains(y));
    ASSERT_EQ(intersection(a, b).contains(x), a.contains(x) && b.contains(x));
  }
}

TEST(Interval, PointResultsAreTheTwoNeighboursAtMost) {
  RandomDoubles random;
  for (int i = 0; i < 20000; ++i) {
    const Interval a(random.near_one()), b(random.near_one());
    EXPECT_LE(width_in_ulps(a + b), 1);
    EXPECT_LE(width_in_ulps(a * b), 1);
    EXPECT_LE(width_in_ulps(a / b), 1);
    EXPECT_LE(width_in_ulps(sqrt(abs(a))), 1);
  }
}

TEST(Interval, ExactResultsStayExact) {
  EXPECT_EQ(Interval(0.0) + Interval(0.0), Interval(0.0));
  EXPECT_EQ(Interval(3.0) - Interval(3.0), Interval(0.0));
  EXPECT_EQ(Interval(3.0) * Interval(0.5), Interval(1.5));
  EXPECT_EQ(Interval(3.0) / Interval(4.0), Interval(0.75));
  EXPECT_EQ(sqrt(Interval(9.0)), Interval(3.0));
  EXPECT_EQ(sqr(Interval(-2.0, 1.0)), Interval(0.0, 4.0));
  EXPECT_EQ(Interval(-2.0, 1.0) * Interval(-2.0, 1.0), Interval(-2.0, 4.0));
  EXPECT_EQ(sin(Interval(0.0)), Interval(0.0));
  EXPECT_EQ(cos(Interval(0.0)), Interval(1.0));
}

TEST(Interval, OverflowAndUnderflowStayOutside) {
  EXPECT_EQ(Interval(largest) + Interval(largest), Interval(largest, inf));
  EXPECT_EQ(Interval(-largest) - Interval(largest), Interval(-inf, -largest));
  EXPECT_EQ(Interval(largest) * Interval(2.0), Interval(largest, inf));
  EXPECT_EQ(Interval(largest) * Interval(-2.0), Interval(-inf, -largest));
  EXPECT_EQ(Interval(1.0) / Interval(tiny), Interval(largest, inf));
  EXPECT_EQ(Interval(tiny) * Interval(tiny), Interval(-tiny, tiny));
  EXPECT_TRUE(encloses(Interval(tiny) / Interval(3.0), Real(tiny) / 3));
  EXPECT_TRUE(encloses(sqrt(Interval(tiny)), sqrt(Real(tiny))));
}

TEST(Interval, UnboundedEnds) {
  const Interval all = Interval::whole();
  EXPECT_EQ(all + Interval(1.0), all);
  EXPECT_EQ(all * Interval(0.0), Interval(0.0));
  EXPECT_EQ(all - all, all);
  EXPECT_EQ(Interval(1.0, 2.0) / Interval(-1.0, 1.0), all);
  EXPECT_EQ(Interval(0.0) / Interval(0.0), all);
  EXPECT_EQ(Interval(1.0, inf) / Interval(1.0, inf), Interval(0.0, inf));
  EXPECT_EQ(Interval(-4.0, -2.0) / Interval(1.0, inf), Interval(-4.0, 0.0));
  EXPECT_EQ(Interval(1.0, inf) * Interval(-3.0, -2.0), Interval(-inf, -2.0));
  EXPECT_EQ(sqrt(Interval(4.0, inf)), Interval(2.0, inf));
  EXPECT_EQ(sin(all), Interval(-1.0, 1.0));
}

TEST(Interval, EmptyAndNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(intersection(Interval(0.0, 1.0), Interval(2.0, 3.0)).empty());
  EXPECT_TRUE((Interval::nothing() + Interval(1.0)).empty());
  EXPECT_TRUE((Interval::nothing() * Interval(1.0)).empty());
  EXPECT_TRUE(sqrt(Interval(-2.0, -1.0)).empty());
  EXPECT_EQ(sqrt(Interval(-2.0, 4.0)), Interval(0.0, 2.0));
  EXPECT_FALSE(Interval::nothing().overlaps(Interval::whole()));
  EXPECT_EQ(hull(Interval::nothing(), Interval(1.0)), Interval(1.0));
  for (const Interval& r : {Interval(nan) + Interval(1.0), Interval(nan) * Interval(0.0), Interval(1.0) / Interval(nan),
                            sqrt(Interval(nan))}) {
    EXPECT_EQ(r, Interval::whole());
  }
  EXPECT_EQ(cos(Interval(nan)), Interval(-1.0, 1.0));
}

TEST(Interval, SinAndCosOfPointsAreRightAndTight) {
  RandomDoubles random;
  const Real half_pi = boost::multiprecision::default_ops::get_constant_pi<Real::backend_type>();
  int widest = 0;
  for (int i = 0; i < 2000; ++i) {
    double x = random.near_one();
    if (i % 4 == 1) x = std::ldexp(x, i % 28);
    if (i % 4 == 2) x = static_cast<double>(Real(i * 7919 % 100000) * half_pi / 2);  // the worst cancellation
    if (i % 4 == 3) x = std::ldexp(x, -(i % 1060));
    const Interval s = sin(Interval(x)), c = cos(Interval(x));
    ASSERT_TRUE(encloses(s, sin(Real(x)))) << x;
    ASSERT_TRUE(encloses(c, cos(Real(x)))) << x;
    if (std::fabs(x) > 1e-290) widest = std::max({widest, width_in_ulps(s), width_in_ulps(c)});
  }
  EXPECT_LE(widest, 8);
  RecordProperty("widest_in_ulps", widest);
}

TEST(Interval, SinAndCosOfRangesCoverInteriorExtrema) {
  RandomDoubles random;
  for (int i = 0; i < 500; ++i) {
    const double a = random.near_one() * 8, w = std::fabs(random.near_one());
    const Interval x(a, a + w);
    const Interval s = sin(x), c = cos(x);
    Real low = 1, high = -1;
    for (int k = 0; k <= 8; ++k) {
      const Real at = Real(x.lo) + (Real(x.hi) - Real(x.lo)) * k / 8;
      ASSERT_TRUE(encloses(s, sin(at)));
      ASSERT_TRUE(encloses(c, cos(at)));
      low = std::min<Real>(low, sin(at));
      high = std::max<Real>(high, sin(at));
    }
    // No wider than the samples can be wrong by: half a sample step, squared, over two.
    const double slack = w * w / 512 + 1e-14;
    EXPECT_LE(Real(s.hi) - high, slack);
    EXPECT_LE(low - Real(s.lo), slack);
  }
  EXPECT_EQ(sin(Interval(0.0, 7.0)), Interval(-1.0, 1.0));
  EXPECT_EQ(sin(Interval(1.5, 1.6)).hi, 1.0);
  EXPECT_LT(sin(Interval(0.0, 1.5)).hi, 1.0);
  EXPECT_EQ(cos(Interval(-0.5, 0.25)).hi, 1.0);
  EXPECT_EQ(cos(Interval(3.0, 3.2)).lo, -1.0);
  EXPECT_EQ(sin(Interval(0x1p31)), Interval(-1.0, 1.0));
}

}  // namespace
