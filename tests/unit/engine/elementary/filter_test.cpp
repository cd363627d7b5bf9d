// SPDX-License-Identifier: MIT
#include "engine/elementary/filter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "prim/moving/exact_moving.hpp"
#include "random_budget.hpp"

namespace graze::engine::elementary {
namespace {

using Points = std::array<Vec3, 8>;

bool meet(ElementaryKind kind, const Points& p) {
  return prim::exactly_meet(
      kind == ElementaryKind::vertex_face ? prim::MovingPair::vertex_face : prim::MovingPair::edge_edge,
      {{p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}});
}

/// Features that pass each other: no direction is free at both ends, but one is at the start and another at the end.
/// Some only just touch: at a point of a grid, at the same time.
Points passing(std::mt19937_64& random, bool grid) {
  std::uniform_real_distribution<double> real(-1, 1);
  const auto whole = [&] { return static_cast<double>(static_cast<int>(random() % 9) - 4) / 4; };
  const auto some = [&] { return grid ? whole() : real(random); };
  Points p;
  const Vec3 gone{some(), some(), 2 * some()};
  for (std::size_t i = 0; i < 4; ++i) {
    p[i] = {some(), some(), 0.25 * some()};
    p[4 + i] = p[i];
  }
  p[4] = p[0] + gone;
  p[5] = p[1] + (random() % 2 ? gone : Vec3{some(), some(), some()});
  return p;
}

TEST(ElementaryFilter, FreesNothingThatMeetsAndMostOfTheRest) {
  std::mt19937_64 random(testing::RandomBudget::seed(611));
  std::size_t free = 0, apart = 0, meeting = 0;
  testing::RandomBudget budget(60);
  for (int round = 0; budget.more(); ++round)
    for (const ElementaryKind kind : {ElementaryKind::vertex_face, ElementaryKind::edge_edge}) {
      std::vector<Points> queries;
      for (std::size_t i = 0; i < batch_size; ++i) queries.push_back(passing(random, i % 2 == 0));
      for (const BatchOrder order : {BatchOrder::axes_first, BatchOrder::axes_last}) {
        FilterLeft left;
        filter_elementary(kind, queries, {0, 0, 1e-12}, order, left);
        std::vector<bool> kept(queries.size(), false);
        for (std::size_t k = 0; k < left.count; ++k) kept[left.numbers[k]] = true;
        for (std::size_t k = 0; k < left.flat_count; ++k) kept[left.flat[k]] = true;
        for (std::size_t i = 0; i < queries.size(); ++i) {
          const bool touches = meet(kind, queries[i]);
          ASSERT_TRUE(kept[i] || !touches) << "round " << round << " query " << i;
          meeting += touches;
          apart += !touches;
          free += !kept[i];
        }
      }
    }
  EXPECT_GT(meeting, 500u);
  EXPECT_GT(free, apart * 9 / 10);
}

}  // namespace
}  // namespace graze::engine::elementary
