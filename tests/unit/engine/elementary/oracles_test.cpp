// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include <graze/ask/elementary.hpp>

#include "classic/contact/elementary_interval.hpp"
#include "classic/cubic/cubic.hpp"
#include "engine/elementary/closest_now.hpp"
#include "engine/elementary/exact.hpp"
#include "oracle/generators.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::Random;
using testing::RandomBudget;

/// A bound for what doubles lose on coordinates up to a few, as elementary.cpp would hand it on.
constexpr double rounding = 0x1p-46;

template <class Method>
ElementaryResult ask(const ElementaryQuery& q, const ElementaryOptions& options = {}, double tolerance = 1e-6) {
  ElementaryResult r;
  Method::run({q, options, tolerance, rounding}, r);
  return r;
}

std::string describe(const ElementaryQuery& q) {
  std::ostringstream out;
  out << std::hexfloat << "kind " << static_cast<int>(q.kind);
  for (std::size_t i = 0; i < 4; ++i)
    out << "\n{" << q.start[i].x << ", " << q.start[i].y << ", " << q.start[i].z << "} -> {" << q.end[i].x << ", "
        << q.end[i].y << ", " << q.end[i].z << "}";
  return out.str();
}

ElementaryQuery random_query(Random& random) {
  ElementaryQuery q;
  q.kind = static_cast<ElementaryKind>(oracle::whole(random, 0, 3));
  const int style = oracle::whole(random, 0, 3);
  const auto point = [&] {
    Vec3 p = style == 0 ? oracle::real_point(random, 1) : oracle::grid_point(random, style);
    if (style == 3) p.z = p.x - p.y;
    return p;
  };
  for (std::size_t i = 0; i < 4; ++i) {
    q.start[i] = point();
    q.end[i] = oracle::whole(random, 0, 4) == 0 ? q.start[i] : point();
  }
  const std::size_t used = q.kind == ElementaryKind::vertex_vertex ? 2 : q.kind == ElementaryKind::vertex_edge ? 3 : 4;
  for (std::size_t i = used; i < 4; ++i) {
    q.start[i] = q.start[used - 1];
    q.end[i] = q.end[used - 1];
  }
  return q;
}

void expect_weights(const ElementaryQuery& q, const std::array<double, 4>& w) {
  const bool edges = q.kind == ElementaryKind::edge_edge;
  for (const double x : w) {
    EXPECT_GE(x, 0);
    EXPECT_LE(x, 1);
  }
  EXPECT_NEAR(edges ? w[0] + w[1] : w[0], 1, 1e-12);
  EXPECT_NEAR(edges ? w[2] + w[3] : w[1] + w[2] + w[3], 1, 1e-12);
}

/// The distance of the points that the weights name.
double gap_by_weights(const ElementaryQuery& q, const std::array<double, 4>& w, double t) {
  Vec3 x;
  const std::size_t firsts = q.kind == ElementaryKind::edge_edge ? 2 : 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 p = q.start[i] * (1 - t) + q.end[i] * t;
    x = i < firsts ? x + p * w[i] : x - p * w[i];
  }
  return length(x);
}

TEST(ElementaryInterval, NeverMissesAndIsNeverLate) {
  const std::uint64_t seed = RandomBudget::seed(411);
  Random random(seed);
  int contacts = 0, frees = 0;
  for (RandomBudget budget(3000); budget.more();) {
    const ElementaryQuery q = random_query(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + describe(q));
    const ElementaryResult truth = ask<engine::elementary::ElementaryExact>(q),
                           r = ask<classic::contact::ElementaryInterval>(q);
    if (truth.status == Status::contact) {
      ++contacts;
      ASSERT_EQ(r.status, Status::contact);
      EXPECT_LE(r.time.safe, truth.time.touch);
      EXPECT_LE(truth.gap, 1e-9);
      expect_weights(q, truth.weights);
      EXPECT_LE(gap_by_weights(q, truth.weights, truth.time.touch), 1e-9);
    } else {
      ASSERT_EQ(truth.status, Status::free);
      EXPECT_TRUE(truth.time.safe == 1 && std::isnan(truth.time.touch) && std::isnan(truth.gap));
      frees += r.status == Status::free;
    }
    if (r.status == Status::contact) {
      EXPECT_LE(r.gap, 1e-6);
      EXPECT_EQ(r.time.safe, r.time.touch);
      expect_weights(q, r.weights);
      EXPECT_NEAR(gap_by_weights(q, r.weights, r.time.touch), r.gap, 1e-13);
    } else {
      EXPECT_TRUE(r.time.safe == 1 && std::isnan(r.time.touch) && std::isnan(r.gap));
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(contacts, 100);
  EXPECT_GT(frees, 100);
}

/// Closed forms: a vertex above a big face, an edge above an edge, points.
ElementaryQuery falling(ElementaryKind kind, double from, double to) {
  ElementaryQuery q;
  q.kind = kind;
  const bool edges = kind == ElementaryKind::edge_edge;
  q.start = {{{0.25, 0.25, from}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  if (edges) q.start = {{{0, -1, from}, {0, 1, from}, {-1, 0, 0}, {1, 0, 0}}};
  if (kind == ElementaryKind::vertex_edge) q.start = {{{0, 0, from}, {-1, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
  if (kind == ElementaryKind::vertex_vertex) q.start = {{{0, 0, from}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  q.end = q.start;
  q.end[0].z = to;
  if (edges) q.end[1].z = to;
  return q;
}
constexpr ElementaryKind kinds[] = {ElementaryKind::vertex_face, ElementaryKind::edge_edge, ElementaryKind::vertex_edge,
                                    ElementaryKind::vertex_vertex};

TEST(ElementaryInterval, MinimumSeparation) {
  for (const ElementaryKind kind : kinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    // The gap is 1 - t / 2.
    const ElementaryQuery q = falling(kind, 1, 0.5);
    EXPECT_EQ(ask<classic::contact::ElementaryInterval>(q).status, Status::free);
    EXPECT_EQ(ask<classic::contact::ElementaryInterval>(q, {.min_separation = 0.499}).status, Status::free);
    const ElementaryResult r = ask<classic::contact::ElementaryInterval>(q, {.min_separation = 0.75});
    EXPECT_EQ(r.status, Status::contact);
    EXPECT_LE(r.time.safe, 0.5);
    EXPECT_GE(r.time.safe, 0.5 - 4e-6);
    EXPECT_NEAR(r.gap, 0.75, 2e-6);
  }
}

TEST(ElementaryInterval, ABudgetOfSteps) {
  const ElementaryQuery q = falling(ElementaryKind::vertex_face, 1, -1);
  const ElementaryResult all = ask<classic::contact::ElementaryInterval>(q);
  EXPECT_EQ(all.status, Status::contact);
  EXPECT_GT(all.steps, 4u);
  const ElementaryResult some = ask<classic::contact::ElementaryInterval>(q, {.work = 4});
  EXPECT_EQ(some.status, Status::undecided);
  EXPECT_EQ(some.steps, 4u);
  EXPECT_LE(some.time.safe, 0.5);
  EXPECT_EQ(ask<classic::contact::ElementaryInterval>(q, {.work = all.steps}).status, Status::contact);
}

/// Near misses and edges that are nearly parallel must not cost steps or digits.
TEST(ElementaryInterval, NearMissesAreCheap) {
  ElementaryQuery q;
  q.kind = ElementaryKind::vertex_edge;
  q.start = {{{-1, -5e-10, -2e-10}, {-1, 1, -1}, {2, 1, 2}, {2, 1, 2}}};
  q.end = {{{2, -2, -9e-10}, {2, 2, -6e-10}, {2, -2, -4e-10}, {2, -2, -4e-10}}};
  const ElementaryResult miss = ask<classic::contact::ElementaryInterval>(q, {}, 4e-12);
  EXPECT_EQ(miss.status, Status::free);
  EXPECT_LT(miss.steps, 300u);
  // In contact at the start, 1e-9 from parallel.
  q.kind = ElementaryKind::edge_edge;
  q.start = {{{-1, -1e-9, 0}, {1, 1e-9, 0}, {-1.5, 1.5e-9, 0}, {0.5, -0.5e-9, 0}}};
  q.end = q.start;
  for (Vec3& p : q.end) p.z = 1;
  const ElementaryResult start = ask<classic::contact::ElementaryInterval>(q, {}, 1e-13);
  EXPECT_EQ(start.status, Status::contact);
  EXPECT_EQ(start.time.touch, 0);
  EXPECT_LE(start.gap, 1e-15);
}

template <class Method>
void expect_closed_forms() {
  for (const ElementaryKind kind : kinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    const ElementaryResult half = ask<Method>(falling(kind, 1, -1));
    EXPECT_EQ(half.status, Status::contact);
    EXPECT_NEAR(half.time.touch, 0.5, 1e-6);
    EXPECT_LE(half.time.safe, 0.5);
    const ElementaryResult start = ask<Method>(falling(kind, 0, 1));
    EXPECT_EQ(start.status, Status::contact);
    EXPECT_EQ(start.time.touch, 0);
    EXPECT_EQ(ask<Method>(falling(kind, 1, 0)).status, Status::contact);
    EXPECT_EQ(ask<Method>(falling(kind, 1, 0.125)).status, Status::free);
    EXPECT_EQ(ask<Method>(falling(kind, 1, 1)).status, Status::free);
  }
}

TEST(ElementaryOracles, ClosedForms) {
  expect_closed_forms<engine::elementary::ElementaryExact>();
  expect_closed_forms<classic::contact::ElementaryInterval>();
  expect_closed_forms<classic::cubic::ElementaryCubic>();
}

TEST(ElementaryOracles, TheWholeRangeOfDoubles) {
  for (const ElementaryKind kind : kinds)
    for (const double scale : {0x1p1000, 0x1p-900, 0x1p-1060}) {
      SCOPED_TRACE(scale);
      const auto scaled = [&](double from, double to) {
        ElementaryQuery q = falling(kind, from, to);
        for (auto* place : {&q.start, &q.end})
          for (Vec3& p : *place) p = p * scale;
        return q;
      };
      const auto check = [&](auto method, const ElementaryQuery& q, Status status) {
        const ElementaryOptions options;
        ElementaryResult r;
        method.run({q, options, 1e-3 * scale, 1e-6 * scale}, r);
        EXPECT_EQ(r.status, status);
        if (status == Status::contact) {
          EXPECT_NEAR(r.time.touch, 0.5, 1e-3);
        }
      };
      check(engine::elementary::ElementaryExact{}, scaled(1, -1), Status::contact);
      check(classic::contact::ElementaryInterval{}, scaled(1, -1), Status::contact);
      check(classic::cubic::ElementaryCubic{}, scaled(1, -1), Status::contact);
      check(engine::elementary::ElementaryExact{}, scaled(1, 0.125), Status::free);
      check(classic::contact::ElementaryInterval{}, scaled(1, 0.125), Status::free);
      check(classic::cubic::ElementaryCubic{}, scaled(1, 0.125), Status::free);
    }
}

/// Good enough to compare with: on general queries it is rarely wrong.
TEST(ElementaryCubic, MostlyRight) {
  Random random(RandomBudget::seed(412));
  int wrong = 0, contacts = 0;
  for (int i = 0; i < 3000; ++i) {
    ElementaryQuery q;
    q.kind = i % 2 ? ElementaryKind::edge_edge : ElementaryKind::vertex_face;
    for (Vec3& p : q.start) p = oracle::real_point(random);
    for (Vec3& p : q.end) p = oracle::real_point(random);
    const ElementaryResult truth = ask<engine::elementary::ElementaryExact>(q),
                           r = ask<classic::cubic::ElementaryCubic>(q, {}, 1e-10);
    contacts += truth.status == Status::contact;
    wrong += truth.status != r.status;
    if (truth.status == Status::contact && r.status == Status::contact) {
      EXPECT_NEAR(truth.time.touch, r.time.touch, 1e-6);
    }
  }
  EXPECT_GT(contacts, 100);
  EXPECT_EQ(wrong, 0);
}

TEST(ElementaryOracles, WhatTheyRefuse) {
  const ElementaryQuery q = falling(ElementaryKind::vertex_face, 1, -1);
  for (const ElementaryResult& r : {ask<engine::elementary::ElementaryExact>(q, {.min_separation = 0.1}),
                                    ask<classic::cubic::ElementaryCubic>(q, {.min_separation = 0.1})}) {
    EXPECT_EQ(r.status, Status::invalid_request);
    EXPECT_EQ(r.error, ErrorCode::unsupported);
  }
}

}  // namespace
}  // namespace graze
