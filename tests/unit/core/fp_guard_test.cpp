// SPDX-License-Identifier: MIT
#include "core/fp_guard.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

namespace {

using graze::core::FpGuard;

// Through volatile, so that the compiler can neither fold the arithmetic nor move it past a guard.
double divide(double a, double b) {
  volatile double x = a;
  volatile double y = b;
  volatile double quotient = x / y;
  return quotient;
}

double third() { return divide(1, 3); }

/// Leaves the environment as the test found it, also when an expectation throws.
class FpGuardTest : public testing::Test {
 protected:
  void SetUp() override {
    std::fegetenv(&before_);
    std::feclearexcept(FE_ALL_EXCEPT);
  }
  void TearDown() override { std::fesetenv(&before_); }

 private:
  std::fenv_t before_{};
};

TEST_F(FpGuardTest, RoundsToNearestInsideAndAsBeforeAfterwards) {
  const double nearest = third();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    const double outside = third();
    {
      const FpGuard guard;
      EXPECT_EQ(third(), nearest);
      EXPECT_EQ(-divide(1, -3), nearest);
    }
    EXPECT_EQ(third(), outside);
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
  }
  std::fesetround(FE_UPWARD);
  EXPECT_GT(third(), nearest) << "this test could not tell rounding modes apart";
}

TEST_F(FpGuardTest, StickyFlagsOfTheCallerStayAndOursDoNotLeak) {
  {
    const FpGuard guard;
    third();  // inexact
    divide(1, 0);
  }
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
  std::feraiseexcept(FE_OVERFLOW);
  {
    const FpGuard guard;
    third();
  }
  EXPECT_NE(std::fetestexcept(FE_OVERFLOW), 0);
  EXPECT_EQ(std::fetestexcept(FE_DIVBYZERO), 0);
}

TEST_F(FpGuardTest, TrapsAreOffInside) {
#if defined(__GLIBC__)
  if (feenableexcept(FE_DIVBYZERO | FE_INVALID) == -1) GTEST_SKIP() << "this processor has no traps";
  {
    const FpGuard guard;
    EXPECT_EQ(divide(1, 0), std::numeric_limits<double>::infinity());
  }
  EXPECT_EQ(fegetexcept() & (FE_DIVBYZERO | FE_INVALID), FE_DIVBYZERO | FE_INVALID);
  fedisableexcept(FE_ALL_EXCEPT);
#else
  GTEST_SKIP() << "traps are a GNU extension";
#endif
}

#if defined(__SSE2__)
constexpr unsigned flush_to_zero = 0x8040;  // and treat subnormals as zero
unsigned control() { return _mm_getcsr(); }
void set_control(unsigned value) { _mm_setcsr(value); }
#elif defined(__aarch64__) && defined(__GLIBC__)
constexpr unsigned flush_to_zero = 1u << 24;
unsigned control() {
  std::fenv_t now;
  std::fegetenv(&now);
  return now.__fpcr;
}
void set_control(unsigned value) {
  std::fenv_t now;
  std::fegetenv(&now);
  now.__fpcr = value;
  std::fesetenv(&now);
}
#else
constexpr unsigned flush_to_zero = 0;
unsigned control() { return 0; }
void set_control(unsigned) {}
#endif

TEST_F(FpGuardTest, SubnormalsSurviveInsideWhateverTheCallerChose) {
  if (flush_to_zero == 0) GTEST_SKIP() << "no known way to set flush-to-zero here";
  const double smallest = std::numeric_limits<double>::min();
  set_control(control() | flush_to_zero);
  EXPECT_EQ(divide(smallest, 2), 0) << "this test could not switch flush-to-zero on";
  {
    const FpGuard guard;
    EXPECT_EQ(divide(smallest, 2), smallest / 2);
    EXPECT_EQ(divide(smallest / 2, 0.5), smallest);
  }
  EXPECT_EQ(control() & flush_to_zero, flush_to_zero);
}

TEST_F(FpGuardTest, GuardsNest) {
  std::fesetround(FE_UPWARD);
  const double up = third();
  double inner = 0;
  double outer = 0;
  {
    const FpGuard first;
    {
      const FpGuard second;
      inner = third();
    }
    outer = third();
  }
  EXPECT_EQ(inner, outer);
  EXPECT_LT(inner, up);
  EXPECT_EQ(third(), up);
}

}  // namespace
