// SPDX-License-Identifier: MIT
// Directed advancement against exact arithmetic, on every family of queries that hurts.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <graze/ask/elementary.hpp>

#include "engine/elementary/touch_now.hpp"
#include "oracle/moving_features.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using oracle::MotionFamily;
using oracle::Random;
using testing::RandomBudget;

constexpr ElementaryKind kinds[] = {ElementaryKind::vertex_face, ElementaryKind::edge_edge, ElementaryKind::vertex_edge,
                                    ElementaryKind::vertex_vertex};
/// Whatever the query, its solution takes so many steps at most; what is typical is two.
constexpr std::uint64_t most_steps = 300;

/// The distance of the points that the weights name.
double gap_by_weights(const ElementaryQuery& q, const std::array<double, 4>& w, double t) {
  const std::size_t firsts = q.kind == ElementaryKind::edge_edge ? 2 : 1;
  Vec3 x;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 p = q.start[i] * (1 - t) + q.end[i] * t;
    x = i < firsts ? x + p * w[i] : x - p * w[i];
  }
  return length(x);
}

void compare_with_exact(const ElementaryQuery& q, bool ordinary_sizes) {
  const ElementaryResult r = elementary_contact(q);
  ElementaryOptions exactly;
  exactly.method = "exact";
  const ElementaryResult truth = elementary_contact(q, exactly);
  ASSERT_LE(r.steps, most_steps);
  if (truth.status != Status::free) {
    ASSERT_NE(r.status, Status::free) << "missed";
    ASSERT_LE(r.time.safe, truth.time.touch) << "late";
  }
  ASSERT_EQ(r.status == Status::touching_at_start, truth.status != Status::free && truth.time.touch == 0);
  if (r.status == Status::free) {
    ASSERT_TRUE(r.time.safe == 1 && std::isnan(r.time.touch) && std::isnan(r.gap));
    return;
  }
  ASSERT_LE(r.gap, r.tolerance);
  ASSERT_LE(r.time.safe, r.time.touch);
  const std::array<double, 4>& w = r.weights;
  const bool edges = q.kind == ElementaryKind::edge_edge;
  ASSERT_NEAR(edges ? w[0] + w[1] : w[0], 1, 1e-12);
  ASSERT_NEAR(edges ? w[2] + w[3] : w[1] + w[2] + w[3], 1, 1e-12);
  for (const double x : w) ASSERT_TRUE(x >= -1e-15 && x <= 1 + 1e-15);
  // What points in doubles, far from the origin, can say about it.
  if (ordinary_sizes) {
    ASSERT_NEAR(gap_by_weights(q, w, r.time.touch), r.gap, 1e-12);
  }
}

/// How many queries of a family are drawn in one round, for what exact arithmetic costs there.
int share(MotionFamily family, int round) {
  switch (family) {
    case MotionFamily::still:
    case MotionFamily::sliding: return 100;
    case MotionFamily::drifting: return 70;
    case MotionFamily::nudged:
    case MotionFamily::mixed_scale: return round % 40 == 0 ? 1 : 0;
    default: return 1;
  }
}

TEST(ElementaryFamilies, NeverMissedNeverLateAndWithinTheTolerance) {
  const std::uint64_t seed = RandomBudget::seed(413);
  Random random(seed);
  RandomBudget budget(250);
  for (int round = 0; budget.more(); ++round)
    for (int f = 0; f < oracle::motion_family_count; ++f) {
      const auto family = static_cast<MotionFamily>(f);
      const bool ordinary = family < MotionFamily::drifting || family == MotionFamily::needle;
      for (const ElementaryKind kind : kinds)
        for (int i = share(family, round); i > 0; --i) {
          const ElementaryQuery q = oracle::random_motion(random, kind, family);
          compare_with_exact(q, ordinary);
          ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ", family " << f << "\n" << oracle::describe(q);
        }
    }
}

TEST(ElementaryFamilies, ABatchGivesTheSameBits) {
  const std::uint64_t seed = RandomBudget::seed(414);
  Random random(seed);
  for (const ElementaryKind kind : kinds) {
    std::vector<ElementaryQuery> queries;
    std::vector<std::array<Vec3, 8>> points;
    for (int i = 0; i < 3001; ++i) {
      const ElementaryQuery& q =
          queries.emplace_back(oracle::random_motion(random, kind, static_cast<MotionFamily>(i % 19)));
      points.push_back({q.start[0], q.start[1], q.start[2], q.start[3], q.end[0], q.end[1], q.end[2], q.end[3]});
    }
    std::vector<ElementaryResult> one(points.size()), three(points.size());
    elementary_contacts(kind, points, {}, 1, one);
    elementary_contacts(kind, points, {}, 3, three);
    const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ElementaryResult alone = elementary_contact(queries[i]);
      for (const ElementaryResult* r : {&one[i], &three[i]}) {
        ASSERT_TRUE(r->status == alone.status && same(r->time.safe, alone.time.safe) &&
                    same(r->time.touch, alone.time.touch) && same(r->gap, alone.gap) && r->weights == alone.weights &&
                    r->tolerance == alone.tolerance && r->steps == alone.steps)
            << "seed " << seed << "\n"
            << oracle::describe(queries[i]);
      }
    }
  }
}

/// Edges that only just touch, turning: steps along fixed directions would be 100,000.
TEST(ElementaryFamilies, TangentialContactsTakeFewSteps) {
  const ElementaryQuery grazing{ElementaryKind::edge_edge,
                                {{{1, 1, 0}, {-2, -1, -1}, {2, 0, 2}, {0, 0, 0}}},
                                {{{-2, 0, -2}, {0, 1, -1}, {2, 0, 2}, {-1, 1, -2}}}};
  compare_with_exact(grazing, true);
  EXPECT_LE(elementary_contact(grazing).steps, 100u);
  // In a plane all the time: the vertex reaches a corner of the face just as an edge of the face rotates into its path.
  const ElementaryQuery corner{ElementaryKind::vertex_face,
                               {{{2, -2, 0}, {1, -2, 0}, {0, 0, 0}, {2, 0, 0}}},
                               {{{-1, 0, 0}, {0, -1, 0}, {-1, 0, 0}, {-2, -2, 0}}}};
  compare_with_exact(corner, true);
  EXPECT_LE(elementary_contact(corner).steps, 100u);
}

/// Places far larger than what is between them: brought to a size near 1 they would be infinite.
TEST(ElementaryFamilies, LeastDifferencesFarOut) {
  const double least = std::numeric_limits<double>::denorm_min();
  const ElementaryQuery q{ElementaryKind::vertex_vertex,
                          {{{2, -2, 2 * least}, {2, -2, 0}, {2, -2, 0}, {2, -2, 0}}},
                          {{{2, -2, 0}, {2, -2, 0}, {2, -2, 0}, {2, -2, 0}}}};
  for (const ElementaryTraits& method : elementary_methods()) {
    ElementaryOptions options;
    options.method = method.name;
    const ElementaryResult r = elementary_contact(q, options);
    EXPECT_EQ(r.status, Status::contact) << method.name;
    EXPECT_LE(r.gap, 2 * least) << method.name;
  }
  ElementaryOptions apart;
  apart.min_separation = 0.125;
  EXPECT_LE(elementary_contact(q, apart).gap, 2 * least);
}

/// At the time of contact the face is a line: which of its points is met?
TEST(ElementaryFamilies, WeightsInAFaceThatIsALine) {
  const ElementaryQuery q{ElementaryKind::vertex_face,
                          {{{3, -1, 4}, {-3, 1, -4}, {0, 0, 0}, {2, -2, 4}}},
                          {{{-3, 1, -4}, {1, -3, 4}, {3, -1, 4}, {-1, 3, -4}}}};
  for (const ElementaryTraits& method : elementary_methods()) {
    if (!method.certified) continue;
    ElementaryOptions options;
    options.method = method.name;
    const ElementaryResult r = elementary_contact(q, options);
    ASSERT_EQ(r.status, Status::contact) << method.name;
    Vec3 left;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3 p = q.start[i] * (1 - r.time.touch) + q.end[i] * r.time.touch;
      left = i == 0 ? p : left - p * r.weights[i];
    }
    EXPECT_LE(length(left), 1e-9) << method.name;
  }
}

/// With a minimum separation no plane helps, only directions: the same contract, against sampling.
TEST(ElementaryFamilies, MinimumSeparation) {
  const std::uint64_t seed = RandomBudget::seed(415);
  Random random(seed);
  RandomBudget budget(300);
  while (budget.more())
    for (const ElementaryKind kind : kinds) {
      const ElementaryQuery q = oracle::random_motion(random, kind, static_cast<MotionFamily>(random() % 12));
      ElementaryOptions options;
      options.min_separation = 0.125;
      const ElementaryResult r = elementary_contact(q, options);
      ASSERT_LE(r.steps, most_steps) << "seed " << seed << "\n" << oracle::describe(q);
      if (r.status == Status::contact) {
        ASSERT_LE(r.gap, 0.125 + r.tolerance);
      }
      // Standing still at any time before t_safe, they are further apart.
      for (int k = 0; k < 8; ++k) {
        const double t = r.time.safe * k / 8;
        ElementaryQuery still = q;
        for (std::size_t i = 0; i < 4; ++i) still.start[i] = still.end[i] = q.start[i] * (1 - t) + q.end[i] * t;
        options.min_separation = 0.125 - 1e-9;
        if (r.status != Status::touching_at_start) {
          ASSERT_EQ(elementary_contact(still, options).status, Status::free) << "seed " << seed << ", t " << t << "\n"
                                                                             << oracle::describe(q);
        }
      }
    }
}

TEST(ElementaryFamilies, TouchingAtTheStartIsExact) {
  const std::uint64_t seed = RandomBudget::seed(416);
  Random random(seed);
  ElementaryOptions exactly;
  exactly.method = "exact";
  int touching = 0;
  for (RandomBudget budget(300); budget.more();)
    for (int f = 0; f < oracle::motion_family_count; ++f) {
      if (static_cast<MotionFamily>(f) == MotionFamily::mixed_scale) continue;
      const ElementaryKind kind = kinds[random() % 4];
      ElementaryQuery q = oracle::random_motion(random, kind, static_cast<MotionFamily>(f));
      q.end = q.start;
      const bool truth = elementary_contact(q, exactly).status != Status::free;
      touching += truth;
      ASSERT_EQ(engine::elementary::touch_now(kind, q.start), truth) << "seed " << seed << "\n" << oracle::describe(q);
    }
  EXPECT_TRUE(touching > 300 || !testing::RandomBudget::is_whole()) << touching;
}

/// Where plain formulas are taken to be exact, on grids up to the largest that they are for and beyond it.
TEST(ElementaryFamilies, TouchingOnGridsIsExact) {
  const std::uint64_t seed = RandomBudget::seed(417);
  Random random(seed);
  ElementaryOptions exactly;
  exactly.method = "exact";
  int touching = 0, apart = 0;
  for (RandomBudget budget(1500); budget.more();) {
    const ElementaryKind kind = kinds[random() % 4];
    const auto range = static_cast<std::int64_t>(random() % 2 ? 4 : 1 << (13 + random() % 5));
    const double step = std::ldexp(1.0, static_cast<int>(random() % 60) - 30);
    const auto whole = [&] { return static_cast<double>(static_cast<std::int64_t>(random()) % range); };
    ElementaryQuery q{kind, {}, {}};
    for (Vec3& p : q.start) p = Vec3{whole(), whole(), random() % 2 ? 0 : whole()} * step;
    // Often the last point is on the line of two others, or beside it by the least that the grid has.
    if (random() % 2) q.start[3] = q.start[1] * 2 - q.start[0];
    if (random() % 4 == 0) q.start[3].x += random() % 2 ? step : step / 4;
    q.end = q.start;
    const bool truth = elementary_contact(q, exactly).status != Status::free;
    ++(truth ? touching : apart);
    ASSERT_EQ(engine::elementary::touch_now(kind, q.start), truth) << "seed " << seed << "\n" << oracle::describe(q);
  }
  EXPECT_TRUE((touching > 20 && apart > 20) || !testing::RandomBudget::is_whole()) << touching << ' ' << apart;
}

/// Neither several queries an instruction nor one by one.
TEST(ElementaryFamilies, NothingIsFreeFromNumbersThatAreNone) {
  std::array<Vec3, 8> apart;
  for (std::size_t i = 0; i < 8; ++i) apart[i] = {i % 4 == 0 ? 10.0 : double(i), double(i * i % 5), double(i % 3)};
  for (const ElementaryKind kind : {ElementaryKind::vertex_face, ElementaryKind::edge_edge})
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      std::vector<std::array<Vec3, 8>> queries;
      for (std::size_t i = 0; i < 24; ++i) {
        queries.push_back(apart);
        queries.back()[i / 3][static_cast<int>(i % 3)] = bad;
      }
      std::vector<ElementaryResult> results(queries.size());
      elementary_contacts(kind, queries, {}, 1, results);
      for (const ElementaryResult& r : results) EXPECT_EQ(r.error, ErrorCode::not_finite);
    }
}

}  // namespace
}  // namespace graze
