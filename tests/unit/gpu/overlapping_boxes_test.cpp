// SPDX-License-Identifier: MIT
#include <graze/gpu/overlapping_boxes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <graze/core/error.hpp>

namespace {

using namespace graze;

std::vector<BoxPair> all_pairs(const std::vector<Box3>& boxes) {
  std::vector<BoxPair> pairs;
  for (std::uint32_t a = 0; a < boxes.size(); ++a)
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
      if (boxes[a].overlaps(boxes[b])) pairs.push_back({a, b});
  return pairs;
}

void expect_all_pairs(const std::vector<Box3>& boxes) {
  gpu::OverlappingBoxes question;
  std::vector<BoxPair> pairs;
  for (int again = 0; again < 2; ++again) {
    const gpu::BoxPairsFound found = question.find(boxes);
    if (again == 1) {
      EXPECT_EQ(found.repeated, 0u);
    }
    question.download(pairs);
    EXPECT_EQ(pairs, all_pairs(boxes));
    EXPECT_EQ(found.on_device.size(), pairs.size());
  }
}

Box3 box_at(const Vec3& c, const Vec3& h) { return {c - h, c + h}; }

TEST(OverlappingBoxesOnGpu, AnyNumberOfBoxes) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-1, 1), size(0, 0.2);
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 64, 1000, 1025, 2500}) {
    std::vector<Box3> boxes;
    for (std::size_t i = 0; i < n; ++i)
      boxes.push_back(
          box_at({place(random), place(random), place(random)}, {size(random), size(random), size(random)}));
    expect_all_pairs(boxes);
  }
}

TEST(OverlappingBoxesOnGpu, BoxesThatTouchAndPoints) {
  std::vector<Box3> grid;
  for (int x = 0; x < 9; ++x)
    for (int y = 0; y < 9; ++y)
      for (int z = 0; z < 9; ++z) {
        const Vec3 at{1.0 * x, 1.0 * y, 1.0 * z};
        grid.push_back({at, at + Vec3{1, 1, 1}});  // all neighbours share a face, an edge or a corner
        grid.push_back({at, at});
      }
  expect_all_pairs(grid);
}

TEST(OverlappingBoxesOnGpu, AllInOnePlaceFarSmallAndLarge) {
  std::vector<Box3> same(300, box_at({5, 5, 5}, {1, 1, 1}));
  expect_all_pairs(same);
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::vector<Box3> mixed;
  for (int i = 0; i < 700; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(random() % 60) - 30);
    const Vec3 c{normal(random), normal(random), normal(random)};
    mixed.push_back(box_at(c * scale, Vec3{1, 0.01, 0.3} * scale));
  }
  mixed.push_back(box_at({1e300, 0, 0}, {1e290, 1, 1}));
  const double most = std::numeric_limits<double>::max();
  mixed.push_back({{-most, -most, -most}, {most, most, most}});
  mixed.push_back({{-0.0, -0.0, -0.0}, {0.0, 0.0, 0.0}});
  mixed.push_back(box_at({1e-320, 0, 0}, {5e-324, 0, 0}));
  expect_all_pairs(mixed);
}

TEST(OverlappingBoxesOnGpu, RefusesWhatIsNoBox) {
  gpu::OverlappingBoxes question;
  std::vector<Box3> boxes(40, box_at({0, 0, 0}, {1, 1, 1}));
  for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    std::vector<Box3> bad = boxes;
    bad[33].hi.y = wrong;
    bad[37].lo.x = wrong;
    try {
      question.find(bad);
      ADD_FAILURE() << "accepted " << wrong;
    } catch (const Error& e) {
      EXPECT_EQ(e.detail().code, ErrorCode::not_finite);
      EXPECT_EQ(e.detail().id, 33u);
    }
  }
  EXPECT_THROW(question.find(std::vector<Box3>(1)), Error);  // empty
  EXPECT_EQ(question.find(boxes).on_device.size(), 780u);    // the object still works
}

TEST(OverlappingBoxesOnGpu, TheSamePairsAsTheCpu) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(0, 1);
  std::vector<Box3> boxes;
  BroadPhase cpu;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    boxes.push_back(box_at({place(random), place(random), place(random)}, {0.01, 0.02, 0.015}));
    cpu.insert(i, boxes.back());
  }
  std::vector<BoxPair> expected, pairs;
  cpu.pairs(expected);
  gpu::OverlappingBoxes question;
  question.find(boxes);
  question.download(pairs);
  EXPECT_EQ(pairs, expected);
}

}  // namespace
