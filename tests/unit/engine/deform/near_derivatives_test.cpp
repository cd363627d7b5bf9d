// SPDX-License-Identifier: MIT
// Gradients and Hessians of squared distances and of the mollifier, against differences in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <graze/ask/proximity.hpp>
#include <graze/core/error.hpp>

#include "oracle/generators.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using testing::RandomBudget;
using Real = long double;
using Point = std::array<Real, 3>;
using Points = std::array<Point, 4>;

Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Real dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The textbook formulas.
Real squared_distance(ElementaryKind kind, const Points& p) {
  switch (kind) {
    case ElementaryKind::vertex_vertex: return dot(p[0] - p[1], p[0] - p[1]);
    case ElementaryKind::vertex_edge: {
      const Point c = cross(p[0] - p[1], p[0] - p[2]), e = p[2] - p[1];
      return dot(c, c) / dot(e, e);
    }
    case ElementaryKind::edge_edge: {
      const Point n = cross(p[1] - p[0], p[3] - p[2]);
      return dot(n, p[0] - p[2]) * dot(n, p[0] - p[2]) / dot(n, n);
    }
    case ElementaryKind::vertex_face: break;
  }
  const Point n = cross(p[2] - p[1], p[3] - p[1]);
  return dot(n, p[0] - p[1]) * dot(n, p[0] - p[1]) / dot(n, n);
}

Real mollified(const Points& p, Real limit) {
  const Point n = cross(p[1] - p[0], p[3] - p[2]);
  const Real share = dot(n, n) / limit;
  return share < 1 ? share * (2 - share) : 1;
}

Points points_of(const std::array<Vec3, 4>& x) {
  Points p;
  for (std::size_t k = 0; k < 4; ++k) p[k] = {x[k].x, x[k].y, x[k].z};
  return p;
}

struct Derivatives {
  double value = 0;
  std::array<double, 12> gradient{};
  std::array<double, 144> hessian{};
};

/// Compares with central differences of f.
template <class F>
void expect_derivatives(const Derivatives& got, const Points& p, const F& f) {
  const Real h = 1e-4L;
  const auto moved = [&](std::size_t i, Real by, std::size_t j, Real by_j) {
    Points q = p;
    q[i / 3][i % 3] += by;
    q[j / 3][j % 3] += by_j;
    return f(q);
  };
  EXPECT_NEAR(got.value, static_cast<double>(f(p)), 1e-12);
  double steepest = 1e-3, most = 1e-3;
  for (const double g : got.gradient) steepest = std::max(steepest, std::fabs(g));
  for (const double x : got.hessian) most = std::max(most, std::fabs(x));
  for (std::size_t i = 0; i < 12; ++i) {
    // Fourth-order differences.
    const Real slope =
        (8 * (moved(i, h, i, 0) - moved(i, -h, i, 0)) - (moved(i, 2 * h, i, 0) - moved(i, -2 * h, i, 0))) / (12 * h);
    EXPECT_NEAR(got.gradient[i], static_cast<double>(slope), 1e-8 * most);
    for (std::size_t j = 0; j < 12; ++j) {
      const Real bend =
          (moved(i, h, j, h) - moved(i, h, j, -h) - moved(i, -h, j, h) + moved(i, -h, j, -h)) / (4 * h * h);
      EXPECT_NEAR(got.hessian[12 * i + j], static_cast<double>(bend), 2e-5 * most * (1 + most));
      EXPECT_EQ(got.hessian[12 * i + j], got.hessian[12 * j + i]);
    }
  }
}

ProximityPair pair_of(ElementaryKind kind) {
  ProximityPair p;
  p.kind = kind;
  switch (kind) {
    case ElementaryKind::vertex_vertex:
      p.vertices = {0, 1, 1, 1};
      p.closest = 3;
      break;
    case ElementaryKind::vertex_edge:
      p.vertices = {0, 1, 2, 2};
      p.closest = 7;
      break;
    default: p.vertices = {0, 1, 2, 3}; p.closest = 15;
  }
  return p;
}

Derivatives squared(const ProximityPair& pair, const std::array<Vec3, 4>& x) {
  Derivatives d;
  squared_distances({&pair, 1}, x, {&d.value, 1}, d.gradient, d.hessian);
  return d;
}

TEST(NearDerivatives, AreThoseOfTheTextbookFormulas) {
  const std::uint64_t seed = RandomBudget::seed(5210);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(20); budget.more();) {
    std::array<Vec3, 4> x;
    for (Vec3& p : x) p = oracle::real_point(random);
    const auto thin = [](const Vec3& u, const Vec3& v) {
      return length(graze::cross(u, v)) < 0.3 * length(u) * length(v) || length(u) < 0.3 || length(v) < 0.3;
    };
    if (thin(x[1] - x[0], x[3] - x[2]) || thin(x[2] - x[1], x[3] - x[1])) continue;
    for (const ElementaryKind kind : {ElementaryKind::vertex_vertex, ElementaryKind::vertex_edge,
                                      ElementaryKind::edge_edge, ElementaryKind::vertex_face}) {
      SCOPED_TRACE(static_cast<int>(kind));
      expect_derivatives(squared(pair_of(kind), x), points_of(x),
                         [&](const Points& p) { return squared_distance(kind, p); });
    }
    // The parts of a nearly parallel pair: b1 over the edge a.
    ProximityPair pair = pair_of(ElementaryKind::vertex_edge);
    pair.nearly_parallel = true;
    pair.vertices = {0, 1, 2, 3};
    pair.closest = 1 | 2 | 8;
    if (length(x[1] - x[0]) > 0.3)
      expect_derivatives(squared(pair, x), points_of(x), [&](const Points& p) {
        return squared_distance(ElementaryKind::vertex_edge, {p[3], p[0], p[1], p[1]});
      });
    std::array<Vec3, 4> rest;
    for (Vec3& p : rest) p = oracle::real_point(random) * 2;
    Derivatives d;
    edge_mollifiers({&pair, 1}, x, rest, 1.0, {&d.value, 1}, d.gradient, d.hessian);
    const Points r = points_of(rest);
    const Real limit = dot(r[1] - r[0], r[1] - r[0]) * dot(r[3] - r[2], r[3] - r[2]);
    const Real now = mollified(points_of(x), limit);
    if (limit < 0.3L || now > 0.98L) continue;
    expect_derivatives(d, points_of(x), [&](const Points& p) { return mollified(p, limit); });
  }
}

/// A motion of all points together changes no distance: rows of the Hessian add up to 0 by axes, the gradient, too.
TEST(NearDerivatives, AreIndependentOfTheOriginAndOfTheScale) {
  oracle::Random random(5);
  for (int round = 0; round < 50; ++round) {
    std::array<Vec3, 4> x, far;
    for (std::size_t k = 0; k < 4; ++k) x[k] = oracle::grid_point(random, 9);
    for (const ElementaryKind kind : {ElementaryKind::vertex_vertex, ElementaryKind::vertex_edge,
                                      ElementaryKind::edge_edge, ElementaryKind::vertex_face}) {
      const Derivatives d = squared(pair_of(kind), x);
      for (std::size_t k = 0; k < 4; ++k) far[k] = (x[k] + Vec3{4096, -8192, 1024}) * 0x1p-300;
      const Derivatives e = squared(pair_of(kind), far);
      EXPECT_EQ(d.gradient == d.gradient, true);
      EXPECT_EQ(d.value * 0x1p-600, e.value);
      EXPECT_EQ(d.hessian, e.hessian);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double sum = 0, most = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          sum += d.gradient[3 * k + axis];
          most = std::max(most, std::fabs(d.gradient[3 * k + axis]));
        }
        EXPECT_LE(std::fabs(sum), 1e-12 * most);
      }
    }
  }
}

TEST(NearDerivatives, CollapsedAndParallelPartsHaveDefinedAnswers) {
  const std::array<Vec3, 4> line{Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  ProximityPair pair = pair_of(ElementaryKind::edge_edge);
  pair.weights = {0.5, 0.5, 0.5, 0.5};
  const Derivatives d = squared(pair, line);
  EXPECT_EQ(d.value, 1);
  EXPECT_EQ(d.gradient[1], -1);
  for (const double h : d.hessian) EXPECT_TRUE(std::isfinite(h));
  const std::array<Vec3, 4> point{Vec3{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  for (const ElementaryKind kind : {ElementaryKind::vertex_edge, ElementaryKind::vertex_face}) {
    ProximityPair p = pair_of(kind);
    p.weights = kind == ElementaryKind::vertex_edge ? std::array{1.0, 0.5, 0.5, 0.0} : std::array{1.0, 0.5, 0.25, 0.25};
    EXPECT_EQ(squared(p, point).value, 1);
  }
}

TEST(NearDerivatives, RefusesWrongLengths) {
  const ProximityPair pair = pair_of(ElementaryKind::edge_edge);
  const std::array<Vec3, 4> x{};
  std::array<double, 12> gradient{};
  std::array<double, 11> shorter{};
  squared_distances({&pair, 1}, x, {}, gradient, {});
  EXPECT_THROW(squared_distances({&pair, 1}, x, {}, shorter, {}), Error);
  EXPECT_THROW(squared_distances({&pair, 1}, std::span(x).first(3), {}, gradient, {}), Error);
  EXPECT_THROW(edge_mollifiers({&pair, 1}, x, {}, 1e-3, {}, gradient, {}), Error);
  EXPECT_THROW(squared_distances({&pair, 1}, x, {}, gradient, {}, 0), Error);
}

}  // namespace
}  // namespace graze
