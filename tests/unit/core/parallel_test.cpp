// SPDX-License-Identifier: MIT
#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using graze::core::parallel_for;

TEST(ParallelFor, CallsEveryItemOnceForAnyThreadCount) {
  for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
    for (const int threads : {-1, 0, 1, 2, 3, 16}) {
      std::vector<int> calls(count, 0);
      parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; });
      EXPECT_EQ(calls, std::vector<int>(count, 1)) << count << " items, " << threads << " threads";
    }
  }
}

TEST(ParallelFor, OneThreadIsTheCallersAndKeepsTheOrder) {
  const auto caller = std::this_thread::get_id();
  std::vector<std::size_t> order;
  parallel_for(5, 1, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, NeverUsesMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(200, 2, [&](std::size_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(seen.size(), 2u);
}

TEST(ParallelFor, TheErrorOfTheLowestItemWins) {
  for (const int threads : {1, 2, 4}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      try {
        parallel_for(64, threads, [&](std::size_t i) {
          if (i % 8 == 5) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "nothing was thrown with " << threads << " threads";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "5") << threads << " threads";
      }
    }
  }
}

TEST(ParallelFor, AllItemsAreCalledAlsoIfOneThrows) {
  for (const int threads : {1, 4}) {
    std::vector<int> calls(64, 0);
    EXPECT_THROW(parallel_for(64, threads,
                              [&](std::size_t i) {
                                ++calls[i];
                                if (i == 5) throw std::runtime_error("five");
                              }),
                 std::runtime_error);
    EXPECT_EQ(calls, std::vector<int>(64, 1)) << threads << " threads";
  }
}

TEST(ParallelFor, NestsWithoutDeadlock) {
  std::atomic<int> calls{0};
  parallel_for(8, 4, [&](std::size_t) { parallel_for(8, 4, [&](std::size_t) { ++calls; }); });
  EXPECT_EQ(calls, 64);
}

TEST(ParallelFor, EveryThreadComputesInRoundToNearest) {
  volatile double one = 1;
  volatile double three = 3;
  const double nearest = one / three;
  std::fenv_t before;
  std::fegetenv(&before);
  std::fesetround(FE_UPWARD);
  std::vector<double> quotients(64, 0);
  parallel_for(quotients.size(), 4, [&](std::size_t i) { quotients[i] = one / three; });
  const int rounding_after = std::fegetround();
  const double outside = one / three;
  std::fesetenv(&before);
  EXPECT_EQ(quotients, std::vector<double>(quotients.size(), nearest));
  EXPECT_EQ(rounding_after, FE_UPWARD);
  EXPECT_GT(outside, nearest);
}

}  // namespace
