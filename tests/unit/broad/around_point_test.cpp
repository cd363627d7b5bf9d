// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <graze/broad/broad_phase.hpp>
#include <graze/core/error.hpp>

namespace graze {
namespace {

double distance_to(const Box3& box, const Vec3& p) {
  Vec3 gap;
  for (int k = 0; k < 3; ++k) gap[k] = std::max({box.lo[k] - p[k], p[k] - box.hi[k], 0.0});
  return std::hypot(gap.x, gap.y, gap.z);
}

class AroundPoint : public ::testing::TestWithParam<BroadTraits> {};

/// Every body once, in the order of bounds that are hardly below the distances of the boxes.
TEST_P(AroundPoint, AllInOrder) {
  std::mt19937_64 random(12);
  const auto number = [&](double side) { return side * static_cast<double>(random() >> 11) * 0x1p-53; };
  for (const std::size_t n : {0, 1, 5, 40, 700}) {
    BroadPhase phase({.method = GetParam().name});
    for (std::uint32_t i = 0; i < n; ++i) {
      const Vec3 lo{number(50), number(50), number(50)};
      const double size = i % 100 == 3 ? 1000 : number(2);
      phase.insert(3 * i, {lo, lo + Vec3{size, size * number(1), size}});
    }
    std::vector<BoxPair> pairs;
    phase.pairs(pairs);
    if (n > 5) phase.remove(9);
    for (int question = 0; question < 12; ++question) {
      const double far = question < 8 ? 60 : std::ldexp(1.0, 100 * (question - 7));
      const Vec3 p{number(far) - 5, number(far), number(far)};
      std::vector<std::uint32_t> seen;
      double before = 0;
      const std::uint64_t compared = phase.around_point(p, [&](std::uint32_t id, double bound) {
        EXPECT_GE(bound, before);
        before = bound;
        const double d = distance_to(phase.box(id), p);
        EXPECT_LE(bound, d);
        EXPECT_GE(bound, d * (1 - 1e-14));
        seen.push_back(id);
        return true;
      });
      EXPECT_GE(compared, seen.size());
      std::sort(seen.begin(), seen.end());
      EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
      EXPECT_EQ(seen.size(), phase.size());
      // Ended early: the first ones only.
      std::size_t calls = 0;
      phase.around_point(p, [&](std::uint32_t, double) { return ++calls < 3; });
      EXPECT_EQ(calls, std::min<std::size_t>(phase.size(), 3));
    }
    EXPECT_THROW(phase.around_point({std::nan(""), 0, 0}, [](std::uint32_t, double) { return true; }), Error);
  }
}

/// The default search ended only when all bodies were found, and its largest cube around the point did not reach those
/// on the other side of space.
TEST_P(AroundPoint, FindsBodiesFartherAwayThanAnyNumber) {
  BroadPhase phase({.method = GetParam().name});
  phase.insert(0, {{0, 0, 0}, {1, 1, 1}});
  phase.insert(1, {{1e308, 1e308, 1e308}, {1e308, 1e308, 1.1e308}});
  std::vector<std::uint32_t> seen;
  phase.around_point({-1e308, -1e308, -1e308}, [&](std::uint32_t id, double) {
    seen.push_back(id);
    return true;
  });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Methods, AroundPoint, ::testing::ValuesIn(broad_phases().begin(), broad_phases().end()),
                         [](const auto& method) { return std::string(method.param.name); });

}  // namespace
}  // namespace graze
