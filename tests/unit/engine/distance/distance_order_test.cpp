// SPDX-License-Identifier: MIT
// In which order a search comes upon its pairs depends on method, threads and instruction set; the answer must not.
#include <gtest/gtest.h>

#include <graze/ask/distance.hpp>
#include <graze/mesh/make.hpp>

#include "instruction_sets.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

void expect_same(const DistanceResult& x, const DistanceResult& y, const char* what) {
  EXPECT_EQ(x.status, y.status) << what;
  EXPECT_EQ(x.distance, y.distance) << what;
  EXPECT_EQ(x.pair, y.pair) << what;
  EXPECT_EQ(x.feature, y.feature) << what;
  EXPECT_EQ(x.points, y.points) << what;
  EXPECT_EQ(x.normal, y.normal) << what;
}

void expect_one_answer(const Body& a, const Pose& pa, const Body& b, const Pose& pb) {
  const DistanceResult tree = distance(a, pa, b, pb);
  expect_same(tree, distance(a, pa, b, pb, {.method = "brute"}), "brute");
  expect_same(tree, distance(a, pa, b, pb, {.threads = 3}), "threads");
  testing::for_lesser_instruction_sets([&] { expect_same(tree, distance(a, pa, b, pb), "instruction set"); });
}

/// A flat sheet of n x n squares of side 1 / n, halved.
Mesh flat_sheet(int n) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  const auto at = [n](int i, int j) { return static_cast<std::uint32_t>(i * (n + 1) + j); };
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) positions.push_back({static_cast<double>(i) / n, static_cast<double>(j) / n, 0});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return Mesh(positions, triangles);
}

TEST(DistanceOrder, SmoothBodiesAtAnyGap) {
  const std::uint64_t seed = RandomBudget::seed(71);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  const Body a(make::torus_knot({.triangles = 600})), b(make::sphere({.triangles = 300}));
  for (RandomBudget budget(6); budget.more();) {
    const Pose pa({0, 0, 0}, oracle::unit_quaternion(random));
    expect_one_answer(a, pa, b,
                      Pose({2.0 + 0.5 * oracle::real_point(random).x, 0, 0}, oracle::unit_quaternion(random)));
    expect_one_answer(a, pa, a, Pose({0, 2.5 + oracle::real_point(random).x, 0}, oracle::unit_quaternion(random)));
  }
}

TEST(DistanceOrder, FlatSheetsThatAllTieOrNearlySo) {
  const Body a(flat_sheet(12));
  expect_one_answer(a, Pose(), a, Pose({0.3, 0.1, 0.5}));
  for (double tilt : {0.0, 1e-12, 1e-8, 1e-4})
    for (double gap : {1e-6, 1e-2, 1.0})
      expect_one_answer(a, Pose(), a, Pose({0.31, 0.17, gap}, {1, tilt, tilt / 3, 0.1}));
}

TEST(DistanceOrder, Needles) {
  const std::uint64_t seed = RandomBudget::seed(72);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  const auto needles = [&] {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
    for (std::uint32_t i = 0; i < 60; ++i) {
      const Vec3 p = oracle::real_point(random), along = oracle::real_point(random), off = oracle::real_point(random);
      positions.insert(positions.end(), {p, p + along, p + along * 0.5 + off * 1e-13});
      triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return Mesh(positions, triangles);
  };
  for (RandomBudget budget(10); budget.more();) {
    const Body a(needles()), b(needles());
    expect_one_answer(a, Pose(), b, Pose({2.5, 0, 0}, oracle::unit_quaternion(random)));
    expect_one_answer(a, Pose(), b, Pose({0.1, 0, 0}, oracle::unit_quaternion(random)));
  }
}

TEST(DistanceOrder, WithinAgreesWithTheDistance) {
  const std::uint64_t seed = RandomBudget::seed(73);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  const Body a(make::torus_knot({.triangles = 600}));
  for (RandomBudget budget(10); budget.more();) {
    const Pose pa({0, 0, 0}, oracle::unit_quaternion(random)), pb({0, 2.2, 0}, oracle::unit_quaternion(random));
    const double d = distance(a, pa, a, pb).distance;
    if (d == 0) continue;
    EXPECT_EQ(within(d * (1 + 1e-9), a, pa, a, pb).status, Status::contact);
    EXPECT_EQ(within(d * (1 - 1e-9), a, pa, a, pb).status, Status::free);
  }
}

}  // namespace
}  // namespace graze
