// SPDX-License-Identifier: MIT
#include "least_deviation.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "active_set.hpp"

namespace graze::play {
namespace {

/// The same by trying every set of active rows, with normal equations: slow and simple.
std::optional<std::vector<double>> nearest_by_all_sets(const std::vector<double>& rows, std::size_t columns,
                                                       const std::vector<double>& h) {
  const std::size_t m = h.size();
  std::optional<std::vector<double>> best;
  double least = INFINITY;
  for (std::size_t set = 0; set < (std::size_t{1} << m); ++set) {
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < m; ++i)
      if (set >> i & 1) active.push_back(i);
    const std::size_t k = active.size();
    std::vector<std::vector<double>> a(k, std::vector<double>(k + 1));
    const auto product = [&](std::size_t i, std::size_t j) {
      double sum = 0;
      for (std::size_t c = 0; c < columns; ++c) sum += rows[i * columns + c] * rows[j * columns + c];
      return sum;
    };
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) a[i][j] = product(active[i], active[j]);
      a[i][k] = h[active[i]];
    }
    bool singular = false;
    for (std::size_t c = 0; c < k && !singular; ++c) {
      std::size_t pivot = c;
      for (std::size_t r = c; r < k; ++r)
        if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
      if (std::fabs(a[pivot][c]) < 1e-9) {
        singular = true;
        break;
      }
      std::swap(a[c], a[pivot]);
      for (std::size_t r = 0; r < k; ++r)
        if (r != c) {
          const double f = a[r][c] / a[c][c];
          for (std::size_t j = c; j <= k; ++j) a[r][j] -= f * a[c][j];
        }
    }
    if (singular) continue;
    std::vector<double> x(columns, 0);
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t c = 0; c < columns; ++c) x[c] += a[i][k] / a[i][i] * rows[active[i] * columns + c];
    bool holds = true;
    for (std::size_t i = 0; i < m; ++i) {
      double s = -h[i];
      for (std::size_t c = 0; c < columns; ++c) s += rows[i * columns + c] * x[c];
      holds &= s >= -1e-9;
    }
    double square = 0;
    for (const double v : x) square += v * v;
    if (holds && square < least) least = square, best = x;
  }
  return best;
}

TEST(NearestPoint, IsThatOfAllSetsOfActiveRows) {
  std::mt19937 dice(3);
  int none = 0, found = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t columns = 1 + dice() % 4, m = 1 + dice() % 6;
    const bool grid = trial % 2;  // small whole numbers: parallel, repeated and zero rows
    std::uniform_real_distribution<double> any(-1, 1);
    const auto number = [&] { return grid ? static_cast<double>(static_cast<int>(dice() % 3) - 1) : any(dice); };
    std::vector<double> rows(columns * m), h(m);
    for (double& v : rows) v = number();
    for (double& v : h) v = number();
    const NearestPoint got = nearest_point(rows, columns, h);
    const auto wanted = nearest_by_all_sets(rows, columns, h);
    ASSERT_EQ(got.solved, wanted.has_value()) << "trial " << trial;
    if (!wanted) {
      ++none;
      continue;
    }
    ++found;
    for (std::size_t c = 0; c < columns; ++c) {
      double x = 0;
      for (std::size_t i = 0; i < m; ++i) x += got.multipliers[i] * rows[i * columns + c];
      ASSERT_NEAR(x, (*wanted)[c], 1e-7 * (1 + std::fabs(x))) << "trial " << trial;
    }
    for (const double u : got.multipliers) ASSERT_GE(u, 0);
  }
  EXPECT_GT(none, 300);
  EXPECT_GT(found, 1000);
}

TEST(LeastDeviation, WithoutTouchesTheWishIsTheAnswer) {
  const Inert body;
  const Twist wish{{1, 2, 3}, {4, 5, 6}};
  const LeastDeviation r = least_deviation({&body, 1}, {&wish, 1}, {});
  EXPECT_TRUE(r.solved);
  EXPECT_EQ(r.twists[0], wish);
  EXPECT_EQ(r.deviation, 0);
  EXPECT_EQ(r.gap, 0);
}

TEST(LeastDeviation, AWallTakesTheNormalPartOnly) {
  const Inert body;
  const Twist wish{{3, 0, -2}, {}};
  const Touch floor{std::nullopt, 0, {0, 0, -1}, {0, 0, -1}, {0, 0, 1}, 0};
  const LeastDeviation r = least_deviation({&body, 1}, {&wish, 1}, {&floor, 1});
  ASSERT_TRUE(r.solved);
  EXPECT_NEAR(r.twists[0].linear.x, 3, 1e-15);
  EXPECT_NEAR(r.twists[0].linear.z, 0, 1e-15);
  EXPECT_NEAR(r.impulses[0], 2, 1e-15);
  EXPECT_NEAR(r.deviation, 2, 1e-14);
  EXPECT_LT(r.gap, 1e-14);
  EXPECT_LT(r.violation, 1e-15);
}

TEST(LeastDeviation, EqualMassesShareAHeadOnPush) {
  const Inert bodies[2] = {{{-1, 0, 0}, 2, {}}, {{1, 0, 0}, 2, {}}};
  const Twist wishes[2] = {{{1, 0, 0}, {}}, {}};
  const Touch touch{0, 1, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, 0};
  const LeastDeviation r = least_deviation(bodies, wishes, {&touch, 1});
  ASSERT_TRUE(r.solved);
  EXPECT_NEAR(r.twists[0].linear.x, 0.5, 1e-15);
  EXPECT_NEAR(r.twists[1].linear.x, 0.5, 1e-15);
}

TEST(LeastDeviation, WhatNobodyCanSatisfyIsNotSolved) {
  const Inert body;
  const Twist wish;
  const Touch between[2] = {{std::nullopt, 0, {}, {}, {0, 0, 1}, 1}, {std::nullopt, 0, {}, {}, {0, 0, -1}, 1}};
  const LeastDeviation r = least_deviation({&body, 1}, {&wish, 1}, between);
  EXPECT_FALSE(r.solved);
  EXPECT_EQ(r.twists[0], Twist{});
}

TEST(LeastDeviation, TheCertificateHoldsForRandomHeapsOfTouches) {
  std::mt19937 dice(4);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vector = [&] { return Vec3{any(dice), any(dice), any(dice)}; };
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + dice() % 5;
    std::vector<Inert> bodies(n);
    std::vector<Twist> wishes(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double x = 0.1 + std::fabs(any(dice)), y = 0.1 + std::fabs(any(dice));
      bodies[i] = {vector(), std::exp(4 * any(dice)), {x, y, 0.7 * (x + y), 0.05 * any(dice), 0.05 * any(dice), 0}};
      wishes[i] = {vector(), vector()};
    }
    std::vector<Touch> touches(dice() % 40);
    for (Touch& t : touches) {
      const std::size_t a = dice() % n, b = dice() % n;
      t.b = b;
      if (a != b) t.a = a;
      t.point_a = t.point_b = vector();
      const Vec3 normal = vector();
      t.normal = normal * (1 / length(normal));
      t.least = -0.3 * std::fabs(any(dice));  // standing still is always possible
    }
    const LeastDeviation r = least_deviation(bodies, wishes, touches);
    ASSERT_TRUE(r.solved) << "trial " << trial;
    EXPECT_LT(r.violation, 1e-9) << "trial " << trial;
    EXPECT_LT(r.gap, 1e-9 * (1 + r.deviation)) << "trial " << trial;
    EXPECT_GE(r.deviation + 1e-12, 0);
  }
}

TEST(LeastDeviation, TheCertificateNoticesAWrongAnswer) {
  // Impulses that are too large satisfy the touch, and the gap tells that less would do.
  const Inert body;
  const Twist wish{{0, 0, -1}, {}};
  const Touch loose{std::nullopt, 0, {}, {}, {0, 0, 1}, 1};
  const Touch tight{std::nullopt, 0, {}, {}, {0, 0, 1}, 0};
  const LeastDeviation r = least_deviation({&body, 1}, {&wish, 1}, {&loose, 1});
  const LeastDeviation best = least_deviation({&body, 1}, {&wish, 1}, {&tight, 1});
  EXPECT_GT(r.deviation, best.deviation + 1);
}

TEST(LeastDeviation, NumbersThatOverflowAreNotSolved) {
  const Inert body{{}, 1e300, {}};
  const Twist wish{{0, 0, -1e200}, {}};
  const Touch floor{std::nullopt, 0, {}, {}, {0, 0, 1}, 0};
  EXPECT_FALSE(least_deviation({&body, 1}, {&wish, 1}, {&floor, 1}).solved);
}

}  // namespace
}  // namespace graze::play
