// SPDX-License-Identifier: MIT
#include "core/disjoint_sets.hpp"

#include <gtest/gtest.h>

namespace graze::core {
namespace {

TEST(DisjointSets, TheRootIsTheLowestElement) {
  DisjointSets sets(7);
  sets.unite(6, 4);
  sets.unite(2, 4);
  sets.unite(5, 5);
  sets.unite(1, 3);
  EXPECT_EQ(sets.root(6), 2u);
  EXPECT_EQ(sets.root(5), 5u);
  EXPECT_EQ(std::move(sets).roots(), (std::vector<std::uint32_t>{0, 1, 2, 1, 2, 5, 2}));
}

}  // namespace
}  // namespace graze::core
