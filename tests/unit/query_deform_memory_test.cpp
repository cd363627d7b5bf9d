// SPDX-License-Identifier: MIT
// A warm step takes nothing from the heap, and what is kept is small.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include <graze/mesh/make.hpp>
#include <graze/query/deform.hpp>

#include "counted_new.hpp"

namespace {

std::atomic<std::size_t> requests{0};

}  // namespace

void counted_request(std::size_t) { ++requests; }

namespace graze {
namespace {

TEST(DeformMemory, AWarmStepAllocatesNothing) {
  const Mesh sheet = make::cloth_sheet({.triangles = 800});
  std::vector<Vec3> flat(sheet.positions().begin(), sheet.positions().end()), folded;
  for (Vec3& x : flat) x.z += 0.2 * x.x * x.x;
  for (const Vec3& x : flat) folded.push_back(x.x < 0 ? Vec3{-x.x, x.y, x.z + 0.05 * x.y + 0.0131 - 0.002 * x.x} : x);
  Deformable d(sheet);
  DeformResult result;
  for (const bool all : {true, false}) {
    DeformOptions options;
    options.crossing_at_start = false;
    options.all = all;
    for (int i = 0; i < 2; ++i) {
      d.step(folded, options, result);
      d.step(flat, options, result);
    }
    // (Where a start touches, which is decided by big integers, they take memory.)
    const std::size_t before = requests;
    d.step(folded, options, result);
    EXPECT_EQ(requests - before, 0u) << "all " << all;
    EXPECT_GT(result.contacts.size(), 0u);
    d.step(flat, options, result);
  }
}

TEST(DeformMemory, AtMost250BytesATriangle) {
  const Mesh sheet = make::cloth_sheet({.triangles = 20000});
  Deformable d(sheet);
  DeformOptions options;
  options.crossing_at_start = false;
  d.step(std::vector<Vec3>(sheet.positions().begin(), sheet.positions().end()), options);
  EXPECT_LE(static_cast<double>(d.bytes()) / static_cast<double>(sheet.triangle_count()), 250.0);
}

}  // namespace
}  // namespace graze
