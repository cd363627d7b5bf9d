// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "engine/first_contact/clocks/clocks.hpp"
#include "random_budget.hpp"

namespace graze::engine::first_contact {
namespace {

using Kept = std::multimap<double, std::pair<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>>;

/// Takes one of the clocks with the least time out of both.
void pop_both(ClockQueue& queue, Kept& kept) {
  ASSERT_EQ(queue.earliest(), kept.begin()->first);
  const Clock c = queue.pop();
  const auto [first, end] = kept.equal_range(c.time);
  for (auto i = first; i != end; ++i)
    if (i->second.first == std::pair(c.a.code, c.b.code)) {
      EXPECT_EQ(i->second.second, c.proof);
      kept.erase(i);
      return;
    }
  FAIL() << "a clock that was never put in, or not at this time: " << c.time;
}

// A queue that kept its late clocks apart lost sight of one that was earlier than those in front, and the search said
// `contact` too late.
TEST(ClockQueue, GivesTheEarliestOfAllThatWait) {
  const std::uint64_t seed = testing::RandomBudget::seed(71);
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (testing::RandomBudget budget(40); budget.more();) {
    ClockQueue queue;
    Kept kept;
    const bool proofs = random() % 2 == 0;
    const std::uint64_t most = 1 + random() % 2000, times = 1 + random() % 300;  // few times: many at once
    std::uint32_t next = 1;
    for (int i = 0; i < 3000; ++i) {
      ASSERT_EQ(queue.empty(), kept.empty());
      ASSERT_EQ(queue.size(), kept.size());
      if (!kept.empty() && (kept.size() >= most || random() % 3 == 0)) {
        pop_both(queue, kept);
        continue;
      }
      const double time = static_cast<double>(random() % times) / 256 + static_cast<double>(i) / 4096;
      const Clock c{time, Part::node(next), Part::triangle(next / 2, next % 8), proofs ? next : 0};
      ++next;
      queue.push(c);
      kept.emplace(time, std::pair(std::pair(c.a.code, c.b.code), c.proof));
    }
    const std::vector<Clock> rest = queue.take_all();
    EXPECT_TRUE(queue.empty());
    ASSERT_EQ(rest.size(), kept.size());
    auto expected = kept.rbegin();
    for (const Clock& c : rest) EXPECT_EQ(c.time, (expected++)->first);
  }
}

}  // namespace
}  // namespace graze::engine::first_contact
