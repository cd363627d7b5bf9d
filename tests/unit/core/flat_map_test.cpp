// SPDX-License-Identifier: MIT
#include "core/flat_map.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace graze::core {
namespace {

TEST(FlatMap, AnswersLikeTheStandardMap) {
  std::mt19937_64 random(1);
  for (const std::uint64_t keys : {1u, 5u, 60u, 3000u}) {
    FlatMap map;
    std::unordered_map<std::uint64_t, std::uint32_t> truth;
    EXPECT_EQ(map.take(7), 0u);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t key = (random() % keys) << (i % 2 ? 32 : 0);  // keys that differ in high and in low bits
      if (random() % 2) {
        const std::uint32_t value = 1 + static_cast<std::uint32_t>(random() % 1000);
        map.set(key, value);
        truth[key] = value;
      } else {
        const auto found = truth.find(key);
        ASSERT_EQ(map.take(key), found == truth.end() ? 0 : found->second) << keys << " " << i;
        if (found != truth.end()) truth.erase(found);
      }
      ASSERT_EQ(map.empty(), truth.empty());
    }
    for (const auto& [key, value] : truth) EXPECT_EQ(map.take(key), value);
    EXPECT_TRUE(map.empty());
  }
}

}  // namespace
}  // namespace graze::core
