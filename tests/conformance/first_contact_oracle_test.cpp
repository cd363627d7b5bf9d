// SPDX-License-Identifier: MIT
// Tests of the oracles themselves: motions against exact poses and finite differences, distances against rational
// arithmetic, and the two solvers against each other.
#include "conformance/first_contact_check.hpp"
#include "conformance/first_contact_scenes.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using namespace testing;
using oracle::Range;
using oracle::TrueMotion;

double apart(const RealPoint& p, const RealPoint& q) { return double(oracle::length(p - q)); }

TEST(FirstContactOracle, MotionsStartAndEndAtTheirPoses) {
  oracle::Random random(RandomBudget::seed(351));
  for (RandomBudget budget(200); budget.more();) {
    const MotionRecipe m = random_motion(random, oracle::real_point(random, 3), oracle::real_point(random, 3), 1);
    const TrueMotion motion(m);
    const Vec3 x = oracle::real_point(random, 2);
    using Kind = MotionRecipe::Kind;
    if (m.kind != Kind::angles) {
      EXPECT_LT(apart(motion.at(0).apply(oracle::real(x)), oracle::real(oracle::to_double(oracle::place(m.from, x)))),
                1e-14);
    }
    if (m.kind == Kind::velocity || m.kind == Kind::screw || m.kind == Kind::angles_of_poses) {
      EXPECT_LT(apart(motion.at(1).apply(oracle::real(x)), oracle::real(oracle::to_double(oracle::place(m.to, x)))),
                1e-14)
          << m.text();
    }
    const double t = oracle::real(random, 0.1, 0.9);
    EXPECT_LT(apart(oracle::real(motion.pose(t).apply(x)), motion.at(t).apply(oracle::real(x))), 1e-13);
    const Real h = 1e-6L;
    const RealPoint slope =
        (motion.at(t + h).apply(oracle::real(x)) - motion.at(t - h).apply(oracle::real(x))) * (1 / (2 * h));
    EXPECT_LT(apart(slope, motion.rate(t).apply(oracle::real(x))), 1e-7);
    EXPECT_LE(double(oracle::length(slope - motion.steady())),
              double(motion.turning_speed(oracle::real(x), 0)) * (1 + 1e-7) + 1e-9);
    // Ranges contain the exact values, and are tight over short spans.
    const double t0 = t - 0.05, t1 = t + 0.05;
    const auto over = motion.over(Range(t0, t1)).apply(oracle::as<Range>(oracle::real(x)));
    const auto rates = motion.rates(Range(t0, t1)).apply(oracle::as<Range>(oracle::real(x)));
    for (int i = 0; i <= 10; ++i) {
      const Real s = std::min(Real(t1), t0 + (Real(t1) - t0) * i / 10);
      const RealPoint p = motion.at(s).apply(oracle::real(x)), v = motion.rate(s).apply(oracle::real(x));
      for (int k = 0; k < 3; ++k) {
        EXPECT_TRUE(over[k].lo <= p[k] && p[k] <= over[k].hi) << m.text();
        EXPECT_TRUE(rates[k].lo <= v[k] && v[k] <= rates[k].hi) << m.text();
      }
    }
    const auto instant = motion.over(Range(t)).apply(oracle::as<Range>(oracle::real(x)));
    for (int k = 0; k < 3; ++k) EXPECT_LT(double(instant[k].width()), 1e-15) << m.text();
  }
}

/// The library places a point at the same position as the oracle.
TEST(FirstContactOracle, LibraryMotionsAreTheSame) {
  oracle::Random random(RandomBudget::seed(352));
  for (RandomBudget budget(300); budget.more();) {
    const MotionRecipe m = random_motion(random, oracle::real_point(random, 3), oracle::real_point(random, 3), 1);
    const TrueMotion truth(m);
    const Motion motion = m.make();
    for (const double t : {0.0, 0.25, oracle::real(random, 0, 1), 1.0}) {
      const Vec3 x = oracle::real_point(random, 2);
      EXPECT_LT(apart(oracle::real(motion.at(t).apply(x)), truth.at(t).apply(oracle::real(x))), 1e-11) << m.text() << t;
    }
  }
}

TEST(FirstContactOracle, DistancesAgreeWithRationals) {
  oracle::Random random(RandomBudget::seed(353));
  for (RandomBudget budget(300); budget.more();) {
    const auto corners = [&] { return random() % 2 ? oracle::real_triangle(random) : oracle::grid_triangle(random); };
    const oracle::Corners a = corners(), b = corners();
    const auto real = [](const oracle::Corners& c) {
      return oracle::RealTriangle{oracle::real(c[0]), oracle::real(c[1]), oracle::real(c[2])};
    };
    const double exact = std::sqrt(oracle::to_double(oracle::squared_distance(oracle::exact(a), oracle::exact(b))));
    EXPECT_NEAR(double(oracle::triangle_triangle(real(a), real(b))), exact, 1e-11);
  }
}

TEST(FirstContactOracle, SolversAgree) {
  oracle::Random random(RandomBudget::seed(354));
  for (RandomBudget budget(25); budget.more();) {
    const auto body = [&] {
      return triangle(oracle::real_point(random), oracle::real_point(random), oracle::real_point(random));
    };
    const auto move = [&] {
      return random_motion(random, oracle::real_point(random, 2), oracle::real_point(random, 2), 1);
    };
    const Mesh a = body(), b = body();
    const MotionRecipe m = move(), n = move();
    const TrueFlight flight(a, m, b, n);
    const FlightTruth x = flight.look(1e-4L), y = flight.subdivide(1e-4L);
    SCOPED_TRACE(flight.text());
    if (!x.looked_everywhere || !y.looked_everywhere) continue;
    EXPECT_FALSE(x.zero_at && y.free_beyond_doubt);
    EXPECT_FALSE(y.zero_at && x.free_beyond_doubt);
    if (x.zero_at && y.zero_at) {
      EXPECT_LE(double(y.apart_until), double(*x.zero_at));
      EXPECT_LE(double(x.apart_until), double(*y.zero_at));
    }
  }
}

}  // namespace
}  // namespace graze
