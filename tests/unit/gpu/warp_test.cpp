// SPDX-License-Identifier: MIT
#include "gpu/warp.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "gpu/buffer.hpp"
#include "gpu/launch.hpp"

namespace {

using namespace graze::gpu;

/// Appends the even numbers below `n`, 32 at a time.
struct EvenNumbers {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 4, blocks_at_least = 1;
  std::uint32_t n;
  List<std::uint32_t> out;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for (std::uint32_t first = number * lanes; first < n; first += count * lanes) {
      const std::uint32_t chosen = warp.ballot([&](int lane) {
        const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
        return i < n && i % 2 == 0;
      });
      const std::uint64_t at =
          warp.once([&] { return fetch_add(out.count, static_cast<std::uint64_t>(count_bits(chosen))); });
      warp.each([&](int lane) {
        if ((chosen >> lane & 1) == 0) return;
        const std::uint64_t k = at + static_cast<std::uint32_t>(count_bits(chosen & ((1u << lane) - 1)));
        if (k < out.room) out.items[k] = first + static_cast<std::uint32_t>(lane);
      });
    }
  }
};

TEST(Warp, AppendsToAListAndCountsBeyondItsEnd) {
  const Stream stream;
  for (const std::uint32_t room : {1000u, 10u}) {
    Buffer<std::uint32_t> items(room);
    Buffer<std::uint64_t> count(1);
    stream.fill(count.data(), 0, count.bytes());
    launch(stream, 3, EvenNumbers{777, {items.data(), count.data(), room}});
    std::uint64_t found = 0;
    stream.copy_to_host(&found, count.data(), sizeof(found));
    stream.wait();
    EXPECT_EQ(found, 389u);
    std::vector<std::uint32_t> list(std::min(found, std::uint64_t{room}));
    stream.copy_to_host(list.data(), items.data(), list.size() * sizeof(list[0]));
    stream.wait();
    for (const std::uint32_t i : list) EXPECT_EQ(i % 2, 0u);
  }
}

TEST(Warp, SumsBeforeALane) {
  Warp warp;
  PerLane<std::uint32_t> x;
  warp.each([&](int lane) { x[lane] = static_cast<std::uint32_t>(lane) + 1; });
  const auto before = warp.sums_before(x);
  EXPECT_EQ(warp.sum(x), 528u);
  warp.each([&](int lane) { EXPECT_EQ(before[lane], static_cast<std::uint32_t>(lane * (lane + 1) / 2)); });
}

}  // namespace
