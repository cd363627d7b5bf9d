// SPDX-License-Identifier: MIT
// Features whose least distance is just above or below the minimum separation took up to 729,392 steps: directions that
// turned lost a bound by their length, and none followed the closest parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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

using Points = std::array<Vec3, 4>;

Points on_path(std::vector<Points> control, double t) {
  for (std::size_t r = 1; r < control.size(); ++r)
    for (std::size_t k = 0; k + r < control.size(); ++k)
      for (std::size_t i = 0; i < 4; ++i) control[k][i] = control[k][i] * (1 - t) + control[k + 1][i] * t;
  return control[0];
}

/// A vertex that goes around a corner of a face, or around one of its edges, at nearly the same distance all the way:
/// on a quartic with these values at five times, as turning bodies among deforming ones are followed. Thousands of
/// steps before.
TEST(GrazingSeparation, CurvesAtNearlyTheSameDistance) {
  for (const bool edge : {false, true})
    for (const double angle : {0.1, 0.5, 1.5, 2.2}) {
      std::array<Vec3, 5> y;
      for (std::size_t k = 0; k < 5; ++k) {
        const double a = angle * static_cast<double>(k) / 4;
        y[k] = {std::cos(a), std::sin(a), 0};
      }
      // The Bernstein points of the quartic through them.
      const std::array<Vec3, 5> p{y[0], (y[0] * -13 + y[1] * 48 - y[2] * 36 + y[3] * 16 - y[4] * 3) * (1.0 / 12),
                                  (y[0] * 13 - y[1] * 64 + y[2] * 120 - y[3] * 64 + y[4] * 13) * (1.0 / 18),
                                  (y[0] * -3 + y[1] * 16 - y[2] * 36 + y[3] * 48 - y[4] * 13) * (1.0 / 12), y[4]};
      std::vector<Points> control;
      for (const Vec3& x : p) {
        if (edge)
          control.push_back({x, {0, 0, -2}, {0, 0, 2}, {-1, -1, 0}});
        else
          control.push_back({x, {0, 0, 0}, {-1, -1, 0.5}, {-1, -1, -0.5}});
      }
      double least = 2;
      for (int i = 0; i <= 20000; ++i) least = std::min(least, length(on_path(control, i / 20000.0)[0]));
      for (int digits = 2; digits <= 11; ++digits)
        for (const int side : {-1, 1}) {
          ElementaryOptions options;
          options.min_separation = least * (1 + side * std::pow(10.0, -digits));
          const ElementaryResult r =
              elementary_contact(CurvedElementaryQuery{ElementaryKind::vertex_face, control}, options);
          ASSERT_LE(r.steps, most_steps) << angle << ", " << digits << ", " << side;
          if (side > 0) {
            ASSERT_NE(r.status, Status::free) << angle << ", " << digits;
          } else if (digits < 8) {
            ASSERT_EQ(r.status, Status::free) << angle << ", " << digits;
          }
          for (int k = 0; r.status == Status::contact && k <= 8; ++k)
            ASSERT_GE(length(on_path(control, r.time.safe * k / 8)[0]),
                      options.min_separation * (1 - 1e-12) - r.tolerance);
        }
    }
}

/// Random polynomial paths, at separations just above and below their least distance.
TEST(GrazingSeparation, RandomCurves) {
  const std::uint64_t seed = RandomBudget::seed(513);
  Random random(seed);
  const auto coordinate = [&] { return static_cast<double>(oracle::whole(random, -1000000, 1000000)) * 1e-6; };
  for (RandomBudget budget(60); budget.more();)
    for (const ElementaryKind kind : {ElementaryKind::vertex_face, ElementaryKind::edge_edge}) {
      std::vector<Points> control(static_cast<std::size_t>(oracle::whole(random, 3, 5)));
      for (Points& p : control)
        for (Vec3& x : p) x = {coordinate(), coordinate(), coordinate()};
      const auto distance = [&](double t) {
        const Points now = on_path(control, t);
        return closest_at({kind, now, now}, 0).distance;
      };
      double least = 1e300;
      for (int i = 0; i <= 100; ++i) least = std::min(least, distance(i / 100.0));
      for (const int digits : {1, 3, 6, 9, 12})
        for (const int side : {-1, 1}) {
          ElementaryOptions options;
          options.min_separation = std::max(0.0, least * (1 + side * std::pow(10.0, -digits)));
          const ElementaryResult r = elementary_contact(CurvedElementaryQuery{kind, control}, options);
          ASSERT_LE(r.steps, most_steps) << "seed " << seed;
          // The least of the samples is an upper bound of the least distance.
          ASSERT_TRUE(side < 0 || r.status != Status::free) << "seed " << seed;
          if (r.status == Status::touching_at_start) continue;
          const double safe = r.status == Status::free ? 1 : r.time.safe;
          for (int k = 0; k <= 16; ++k)
            ASSERT_GE(distance(safe * k / 16), options.min_separation * (1 - 1e-12) - r.tolerance) << "seed " << seed;
        }
    }
}

}  // namespace
}  // namespace graze
