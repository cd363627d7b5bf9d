// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <graze/ask/elementary.hpp>

#include "prim/moving/exact_moving.hpp"
#include "random_budget.hpp"

namespace graze {
namespace {

using Points = std::array<Vec3, 8>;

ElementaryQuery query_of(ElementaryKind kind, const Points& p) {
  return {kind, {p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}};
}
prim::MovingPair pair_of(ElementaryKind kind) {
  constexpr prim::MovingPair pairs[] = {prim::MovingPair::vertex_face, prim::MovingPair::edge_edge,
                                        prim::MovingPair::vertex_edge, prim::MovingPair::vertex_vertex};
  return pairs[static_cast<int>(kind)];
}
constexpr ElementaryKind kinds[] = {ElementaryKind::vertex_face, ElementaryKind::edge_edge, ElementaryKind::vertex_edge,
                                    ElementaryKind::vertex_vertex};

/// General, on a grid, in a plane, standing still, sliding along: what hurts.
Points random_points(std::mt19937_64& random, int kind) {
  std::uniform_real_distribution<double> real(-1, 1);
  const auto grid = [&] { return static_cast<double>(static_cast<int>(random() % 5) - 2); };
  Points p;
  for (std::size_t i = 0; i < 8; ++i) {
    p[i] = kind == 0 ? Vec3{real(random), real(random), real(random)} : Vec3{grid(), grid(), grid()};
    if (kind == 2) p[i].z = 0;
    if (kind == 3 && i >= 4) p[i] = p[i - 4];
    if (kind == 4 && i >= 4) p[i] = p[i - 4] + Vec3{1, 0, 0} * grid();
    if (kind == 5) p[i] = p[i] * 1e-3 + Vec3{1e3, -1e3, 1e3};
  }
  return p;
}

TEST(Elementary, NeverMissesWhatExactArithmeticFinds) {
  std::mt19937_64 random(testing::RandomBudget::seed(31));
  testing::RandomBudget budget(600);
  std::size_t meet = 0;
  for (int i = 0; budget.more(); ++i) {
    const ElementaryKind kind = kinds[static_cast<std::size_t>(i / 6 % 4)];
    const ElementaryQuery q = query_of(kind, random_points(random, i % 6));
    const auto first = prim::exact_first_time(pair_of(kind), {q.start, q.end});
    meet += first.has_value();
    for (const ElementaryTraits& method : elementary_methods()) {
      if (!method.certified) continue;
      ElementaryOptions options;
      options.method = method.name;
      const ElementaryResult r = elementary_contact(q, options);
      if (first) {
        ASSERT_NE(r.status, Status::free) << method.name << " case " << i;
        ASSERT_LE(r.time.safe, first->hi) << method.name << " case " << i;
      }
      options.exact = true;
      ASSERT_EQ(elementary_contact(q, options).status == Status::free, !first) << method.name << " case " << i;
    }
  }
  EXPECT_GT(meet, 20u);
}

TEST(Elementary, ABatchAnswersLikeOneByOne) {
  std::mt19937_64 random(32);
  for (const ElementaryKind kind : kinds) {
    std::vector<Points> points;
    for (int i = 0; i < 2001; ++i) points.push_back(random_points(random, i % 6));
    std::vector<ElementaryResult> one(points.size()), three(points.size());
    elementary_contacts(kind, points, {}, 1, one);
    elementary_contacts(kind, points, {}, 3, three);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ElementaryResult alone = elementary_contact(query_of(kind, points[i]));
      ASSERT_EQ(one[i].status, alone.status) << i;
      ASSERT_EQ(three[i].status, alone.status) << i;
      if (alone.status != Status::contact) continue;
      ASSERT_EQ(one[i].time.touch, alone.time.touch);
      ASSERT_EQ(three[i].time.touch, alone.time.touch);
      ASSERT_LE(alone.gap, alone.tolerance) << static_cast<int>(kind) << ' ' << i;
    }
  }
}

/// A vertex falls through the plane of a face, or an edge through another, sliding outwards: at the plane it is
/// `beyond` the border, a moment before, already within the tolerance, not yet. A plain contact, which the lanes find;
/// it touches only if `beyond` is not positive.
Points slips_off(ElementaryKind kind, double beyond) {
  const Vec3 from{-1 + beyond, 0, 1}, to{1 + beyond, 0, -1};
  if (kind == ElementaryKind::vertex_face) {
    const Points face{Vec3{}, {0, -1, 0}, {0, 1, 0}, {-3, 0, 0}};
    return {from, face[1], face[2], face[3], to, face[1], face[2], face[3]};
  }
  const Vec3 across{0, 1, 0}, a{-3, 0, 0}, b{0, 0, 0};
  return {from - across, from + across, a, b, to - across, to + across, a, b};
}

TEST(Elementary, ContactsFromTheLanesAreSettledExactly) {
  for (const ElementaryKind kind : {ElementaryKind::vertex_face, ElementaryKind::edge_edge}) {
    std::vector<Points> points;
    for (int i = 0; i < 300; ++i) points.push_back(slips_off(kind, i % 3 == 0 ? -0x1p-13 : 0x1p-13));
    ElementaryOptions options;
    options.tolerance = 1e-3;
    std::vector<ElementaryResult> within(points.size()), exact(points.size());
    elementary_contacts(kind, points, options, 1, within);
    options.exact = true;
    elementary_contacts(kind, points, options, 1, exact);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ElementaryQuery q = query_of(kind, points[i]);
      ASSERT_EQ(prim::exactly_meet(pair_of(kind), {q.start, q.end}), i % 3 == 0) << i;
      ASSERT_EQ(within[i].status, Status::contact) << i;
      ASSERT_EQ(within[i].steps, 1u) << i << ": the lanes find this one at once; if they do not, take another";
      ASSERT_EQ(exact[i].status, i % 3 == 0 ? Status::contact : Status::free) << i;
      ASSERT_EQ(elementary_contact(q, options).status, exact[i].status) << i;
    }
  }
}

TEST(Elementary, KnownTimes) {
  // A vertex falls from 1 to -1 onto a face in the plane 0: at one half.
  const ElementaryQuery fall{ElementaryKind::vertex_face,
                             {{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                             {{{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}};
  const ElementaryResult r = elementary_contact(fall);
  ASSERT_EQ(r.status, Status::contact);
  EXPECT_NEAR(r.time.touch, 0.5, 1e-11);
  EXPECT_LE(r.time.safe, 0.5);
  EXPECT_NEAR(r.weights[1], 0.5, 1e-9);
  EXPECT_NEAR(r.weights[2], 0.25, 1e-9);
  EXPECT_NEAR(r.weights[3], 0.25, 1e-9);
  // With a minimum separation, earlier.
  ElementaryOptions thick;
  thick.min_separation = 0.5;
  EXPECT_NEAR(elementary_contact(fall, thick).time.touch, 0.25, 1e-9);
  // Two edges that cross each other's way at one quarter.
  const ElementaryQuery cross{ElementaryKind::edge_edge,
                              {{{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}}},
                              {{{-1, 0, -3}, {1, 0, -3}, {0, -1, 0}, {0, 1, 0}}}};
  EXPECT_NEAR(elementary_contact(cross).time.touch, 0.25, 1e-11);
  EXPECT_EQ(elementary_contact({ElementaryKind::vertex_face,
                                {{{0.25, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                                {{{0.25, 0.25, 5}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}})
                .status,
            Status::touching_at_start);
}

TEST(Elementary, BadInputIsRefusedByName) {
  ElementaryQuery q;
  q.start[0].x = std::nan("");
  EXPECT_EQ(elementary_contact(q).error, ErrorCode::not_finite);
  ElementaryOptions options;
  options.method = "nothing";
  EXPECT_EQ(elementary_contact(ElementaryQuery{}, options).error, ErrorCode::bad_option);
  options = {};
  options.min_separation = -1;
  EXPECT_EQ(elementary_contact(ElementaryQuery{}, options).status, Status::invalid_request);
}

}  // namespace
}  // namespace graze
