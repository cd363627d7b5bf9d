// SPDX-License-Identifier: MIT
// Numbers of very different sizes, as the fuzz target finds them: needles, tiny turns, long stories.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <graze/graze.hpp>

#include "prim/closest/exact.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

/// A number of any size between 2^-range and 2^range.
double any_size(std::mt19937_64& random, int range) {
  const double mantissa = std::uniform_real_distribution<double>(-1, 1)(random);
  return std::ldexp(mantissa, std::uniform_int_distribution<int>(-range, range)(random));
}
std::array<Vec3, 3> any_triangle(std::mt19937_64& random, int range) {
  std::array<Vec3, 3> t;
  for (Vec3& p : t) p = {any_size(random, range), any_size(random, range), any_size(random, range)};
  return t;
}
Body one_triangle(const std::array<Vec3, 3>& t) {
  const std::array<Triangle, 1> list{Triangle{0, 1, 2}};
  return Body(Mesh(std::vector<Vec3>(t.begin(), t.end()), list));
}

TEST(SharpClosest, SeparatesWhatIsApartHoweverThin) {
  std::mt19937_64 random(40);
  int apart = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto a = any_triangle(random, i % 60), b = any_triangle(random, i % 60);
    const prim::SharpPair s = prim::sharp_closest(a, b);
    double size = 0;
    for (const auto* t : {&a, &b})
      for (const Vec3& x : *t) size = std::max(size, length(x));
    const double d = length(s.offset);
    ASSERT_NEAR(length(s.b - s.a), d, 4e-16 * size) << i;
    if (!(d > 0)) continue;
    double gap = std::numeric_limits<double>::infinity();
    for (const Vec3& x : a)
      for (const Vec3& y : b) gap = std::min(gap, dot(s.offset, y - x) / d);
    if (gap < -1e-15 * size) continue;  // they cross
    ++apart;
    ASSERT_GE(gap, d - 4e-15 * size) << i;
  }
  EXPECT_GT(apart, 1000);
}

TEST(FirstContactSizes, AGapIsWithinTheToleranceHoweverThinTheTriangles) {
  const std::uint64_t seed = graze::testing::RandomBudget::seed(41);
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  graze::testing::RandomBudget budget(400);
  int contacts = 0;
  for (int i = 0; budget.more(); ++i) {
    const int range = i % 40;
    const Body a = one_triangle(any_triangle(random, range)), b = one_triangle(any_triangle(random, range));
    const Vec3 v{any_size(random, range), any_size(random, range), any_size(random, range)};
    const Vec3 w{any_size(random, 3), any_size(random, 3), any_size(random, 3)};
    const Motion move = Velocity::from_speeds(Pose(), v, i % 2 ? w : Vec3{});
    for (const FirstContactTraits& method : first_contact_methods()) {
      FirstContactOptions options;
      options.method = method.name;
      options.work = 5000;
      const FirstContactResult r = first_contact(a, move, b, Still{}, options);
      if (r.status != Status::contact) continue;
      ++contacts;
      ASSERT_LE(r.gap, r.tolerance) << method.name << " " << i;
    }
  }
  EXPECT_GT(contacts, 20);
}

/// Single precision cannot square such turns; the box once shrank to its turning axis and a contact was missed.
TEST(FirstContactSizes, ATinyTurnDoesNotHideAContact) {
  const Body box(make::box());
  for (int power = -300; power <= -1; power += 7) {
    const double w = std::ldexp(1.0, power);
    for (const FirstContactTraits& method : first_contact_methods()) {
      FirstContactOptions options;
      options.method = method.name;
      const FirstContactResult r = first_contact(
          box, Velocity::from_speeds(Pose({-2, 0, 0}), {1.4, 0, 0}, {0, 0, 0.01 * w}), box, Still{}, options);
      ASSERT_EQ(r.status, Status::contact) << method.name << " 2^" << power;
      ASSERT_LE(r.time.touch, 1 / 1.4 + 1e-12) << method.name << " 2^" << power;
    }
  }
}

/// A moon orbits a planet a hundred thousand times: no direction separates them for long.
TEST(FirstContactSizes, ABudgetEndsTheSolutionOfASinglePair) {
  const Body a = one_triangle({{{1, 0, 0}, {1, 0.1, 0}, {1, 0, 0.1}}});
  const Body b = one_triangle({{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}});
  FirstContactOptions options;
  options.tolerance = 1e-7;
  options.work = 100;
  MethodCounters own;
  options.method_counters = &own;
  for (const FirstContactTraits& method : first_contact_methods()) {
    options.method = method.name;
    const FirstContactResult r = first_contact(a, Velocity::from_speeds(Pose(), {}, {0, 0, 6e5}), b, Still{}, options);
    // In the moon's own frame, which `interval` looks from, the planet stays near the axis.
    EXPECT_EQ(r.status, method.name == "interval" ? Status::free : Status::undecided) << method.name;
    EXPECT_LE(r.counters.motion_steps, 200u) << method.name;
    EXPECT_LE(own.root_bisections, 200u) << method.name;
  }
}

}  // namespace
}  // namespace graze
