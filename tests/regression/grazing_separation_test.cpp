// SPDX-License-Identifier: MIT
// Features whose least distance is just above or below the minimum separation took up to 729,392 steps: directions that
// turned lost a bound by their length, and none followed the closest parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <graze/ask/elementary.hpp>

#include "oracle/moving_features.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::Random;
using testing::RandomBudget;

constexpr std::uint64_t most_steps = 300;

/// The features' closest points at one time: their distance and the difference.
struct Closest {
  double distance;
  Vec3 difference;
};
Closest closest_at(const ElementaryQuery& q, double t) {
  ElementaryQuery still = q;
  for (std::size_t i = 0; i < 4; ++i) still.start[i] = still.end[i] = q.start[i] * (1 - t) + q.end[i] * t;
  ElementaryOptions within_all;
  within_all.min_separation = 1e6;
  const ElementaryResult r = elementary_contact(still, within_all);
  const std::size_t firsts = q.kind == ElementaryKind::edge_edge ? 2 : 1;
  Vec3 x;
  for (std::size_t i = 0; i < 4; ++i)
    x = i < firsts ? x + still.start[i] * r.weights[i] : x - still.start[i] * r.weights[i];
  return {r.gap, x};
}

struct Least {
  double time, distance;
};
Least least_distance(const ElementaryQuery& q) {
  constexpr int samples = 100;
  Least best{0, 1e300};
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples, d = closest_at(q, t).distance;
    if (d < best.distance) best = {t, d};
  }
  double lo = std::max(0.0, best.time - 1.0 / samples), hi = std::min(1.0, best.time + 1.0 / samples);
  for (int i = 0; i < 70; ++i) {
    const double a = lo + (hi - lo) * 0.382, b = lo + (hi - lo) * 0.618;
    (closest_at(q, a).distance < closest_at(q, b).distance ? hi : lo) =
        closest_at(q, a).distance < closest_at(q, b).distance ? b : a;
  }
  const double t = 0.5 * (lo + hi), d = closest_at(q, t).distance;
  return d < best.distance ? Least{t, d} : best;
}

void expect_few_steps(const ElementaryQuery& q, double least, double separation) {
  ElementaryOptions options;
  options.min_separation = separation;
  const ElementaryResult r = elementary_contact(q, options);
  ASSERT_LE(r.steps, most_steps) << "separation " << separation << "\n" << oracle::describe(q);
  ASSERT_TRUE(r.status == Status::free || r.status == Status::contact || r.status == Status::touching_at_start);
  // The least distance that sampling found is an upper bound of the least distance.
  if (separation > least) {
    ASSERT_NE(r.status, Status::free) << "separation " << separation << ", least " << least << "\n"
                                      << oracle::describe(q);
  }
  if (r.status != Status::contact) return;
  ASSERT_LE(r.gap, separation + r.tolerance) << oracle::describe(q);
  for (int k = 0; k <= 8; ++k)
    ASSERT_GT(closest_at(q, r.time.safe * k / 8).distance, separation * (1 - 1e-12) - r.tolerance)
        << oracle::describe(q);
}

TEST(GrazingSeparation, TheRecordedQueryTakesFewSteps) {
  const ElementaryQuery q{ElementaryKind::vertex_face,
                          {{{-0.06002040632420854, -1.3752534712982285, 0.87731127605442749},
                            {1.2829584556384308, 1.8098284352263942, -3.0902933520210971},
                            {0.63031824788172408, 0.9354446614691575, -5.588765210432503},
                            {0.43047298417486995, 0.36166863527567455, 1.2361045089782619}}},
                          {{{0.5427149231897237, -1.1098354326640987, 0.34723125614242289},
                            {-3.977928176922048, -0.02702405170460016, -2.6904138958492028},
                            {-0.71610454307743565, -1.1953123959861029, 1.0762121683311625},
                            {0.89802902686446184, 0.75917705979823236, 0.42613933539339405}}}};
  ElementaryOptions options;
  options.min_separation = 1.8295243503146559;
  for (const double tolerance : {1e-12, 1e-6, 1e-3, 1e-2}) {
    options.tolerance = tolerance;
    const ElementaryResult r = elementary_contact(q, options);
    EXPECT_EQ(r.status, Status::contact);
    EXPECT_LE(r.steps, 20u);
    EXPECT_LE(r.gap, options.min_separation + tolerance);
  }
}

TEST(GrazingSeparation, JustAboveAndJustBelowTheLeastDistance) {
  const std::uint64_t seed = RandomBudget::seed(512);
  Random random(seed);
  constexpr ElementaryKind kinds[] = {ElementaryKind::vertex_face, ElementaryKind::edge_edge,
                                      ElementaryKind::vertex_edge, ElementaryKind::vertex_vertex};
  for (RandomBudget budget(60); budget.more();)
    for (const ElementaryKind kind : kinds)
      for (const auto family : {oracle::MotionFamily::general, oracle::MotionFamily::grid,
                                oracle::MotionFamily::parallel, oracle::MotionFamily::needle}) {
        ElementaryQuery q = oracle::random_motion(random, kind, family);
        Least least = least_distance(q);
        if (oracle::whole(random, 0, 1) == 1 && least.distance > 1e-3) {
          // A least distance that is small beside the features.
          const double share = 1 - std::pow(10.0, -oracle::whole(random, 1, 5));
          const Vec3 shift = closest_at(q, least.time).difference * -share;
          const std::size_t firsts = kind == ElementaryKind::edge_edge ? 2 : 1;
          for (std::size_t i = 0; i < firsts; ++i) {
            q.start[i] = q.start[i] + shift;
            q.end[i] = q.end[i] + shift;
          }
          least = least_distance(q);
        }
        if (!(least.distance > 1e-8)) continue;
        for (const int digits : {2, 4, 6, 8, 9, 10, 11, 12})
          for (const int side : {-1, 1}) {
            expect_few_steps(q, least.distance, least.distance * (1 + side * std::pow(10.0, -digits)));
            ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
          }
      }
}

}  // namespace
}  // namespace graze
