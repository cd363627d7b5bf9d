// SPDX-License-Identifier: MIT
// The ways in which a step is answered on a device (graze/gpu/step_variants.hpp): each must find the same contacts, and
// a step changes from one to another where the first does not fit.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/gpu/deform.hpp>
#include <graze/gpu/step_variants.hpp>

#include "gpu/deform/frame.hpp"
#include "oracle/generators.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

/// Sets the ways and restores them.
struct Ways {
  explicit Ways(const gpu::StepVariants& v) { gpu::step_variants() = v; }
  ~Ways() { gpu::step_variants() = {}; }
};

void expect_same_pairs(const DeformResult& want, const DeformResult& got) {
  EXPECT_EQ(want.status, got.status);
  ASSERT_EQ(want.contacts.size(), got.contacts.size());
  for (std::size_t i = 0; i < want.contacts.size(); ++i) {
    EXPECT_EQ(want.contacts[i].kind, got.contacts[i].kind);
    EXPECT_EQ(want.contacts[i].vertices, got.contacts[i].vertices);
    EXPECT_NEAR(want.contacts[i].time.touch, got.contacts[i].time.touch, 1e-6);
    EXPECT_LE(got.contacts[i].time.safe, got.contacts[i].time.touch);
  }
}

std::vector<gpu::StepVariants> ways() {
  std::vector<gpu::StepVariants> all(6);
  all[1].packed = false;
  all[2].projected = false;
  all[3].early_first = false;
  all[4].shared_rest = false;
  all[5].branches = false;
  all[5].waves = 4;
  return all;
}

struct Step {
  Mesh mesh;
  std::vector<Vec3> end;
};
/// `far`: how far vertices move, as a share of their coordinates.
Step random_step(oracle::Random& random, int triangles, bool grid, double far = 0.5, double size = 0.5) {
  Mesh mesh = testing::soup(random, triangles, grid, size);
  std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& p : end) p = grid && random() % 2 ? oracle::grid_point(random, 2) : p + oracle::real_point(random, far);
  return {std::move(mesh), std::move(end)};
}

TEST(GpuStepWays, EachFindsTheSame) {
  const std::uint64_t seed = RandomBudget::seed(521);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  std::size_t contacts = 0;
  for (RandomBudget budget(2); budget.more();)
    for (const bool grid : {false, true}) {
      const Step s = random_step(random, grid ? 40 : 70, grid, 0.4, 0.35);
      for (const double tolerance : {0.0, 0.004}) {
        DeformOptions options{.exact = tolerance == 0, .patches = false};
        options.crossing_at_start = false;
        if (tolerance > 0) options.tolerance = tolerance;
        const DeformResult want = deform_brute(s.mesh, s.mesh.positions(), s.end, options);
        contacts += want.contacts.size();
        options.all = false;
        const DeformResult first = deform_brute(s.mesh, s.mesh.positions(), s.end, options);
        for (const gpu::StepVariants& v : ways()) {
          const Ways set(v);
          gpu::Deformable on_gpu(s.mesh);
          options.all = true;
          expect_same_pairs(want, on_gpu.contacts(s.end, options));
          options.all = false;
          expect_same_pairs(first, on_gpu.contacts(s.end, options));
        }
      }
    }
  EXPECT_GT(contacts, 200u);
}

/// The earliest contact is looked for in the first sixteenth of the step: contacts before, at, and after its end, and
/// none at all, one after the other with the same object.
TEST(GpuStepWays, EarliestBeforeAndAfterTheFirstPart) {
  oracle::Random random(RandomBudget::seed(522));
  const Step s = random_step(random, 60, false, 0.5, 0.2);
  const std::vector<Vec3> start(s.mesh.positions().begin(), s.mesh.positions().end());
  DeformOptions options{.all = false, .exact = true, .patches = false};
  options.crossing_at_start = false;
  gpu::Deformable on_gpu(s.mesh);
  const DeformResult whole = deform_brute(s.mesh, start, s.end, options);
  ASSERT_EQ(whole.contacts.size(), 1u);
  const double touch = whole.time.touch;
  int early = 0, late = 0;
  for (const double at : {0.9, 0.03, 0.0624, 0.0626, 0.5, 0.01, 2.0, 0.06, 0.0625, 1.1, 0.3}) {
    std::vector<Vec3> end = s.end;  // the first contact at this share of the step
    for (std::size_t i = 0; i < end.size(); ++i) end[i] = start[i] + (end[i] - start[i]) * (touch / at);
    const DeformResult want = deform_brute(s.mesh, start, end, options);
    expect_same_pairs(want, on_gpu.contacts(end, options));
    const StepSize size = on_gpu.step_size(end, {.ignore_start_crossings = true});
    EXPECT_EQ(want.contacts.empty(), !size.first.has_value());
    if (size.first) {
      EXPECT_NEAR(size.time.touch, want.time.touch, 1e-9);
      (want.time.touch < 1.0 / 16 ? early : late) += 1;
    }
  }
  EXPECT_GT(early, 2);
  EXPECT_GT(late, 2);
}

TEST(GpuStepWays, StepsThatLeaveTheFrame) {
  oracle::Random random(RandomBudget::seed(523));
  const Step s = random_step(random, 40, false, 0.4, 0.4);
  std::vector<Vec3> start(s.mesh.positions().begin(), s.mesh.positions().end());
  DeformOptions options{.exact = true, .patches = false};
  options.crossing_at_start = false;
  gpu::Deformable on_gpu(s.mesh);
  int repeats = 0;
  for (const double away : {0.0, 3.0, 3.0, 1e4, 1e4, 1e9, 1e18, -5.0, 1e200}) {
    std::vector<Vec3> from = start, to = s.end;
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i].x += away;
      to[i].x += i % 7 == 0 ? away * (1 + 1e-3) : away;
    }
    on_gpu.set_positions(from);
    const DeformResult got = on_gpu.contacts(to, options);
    repeats += on_gpu.work().repeats;
    expect_same_pairs(deform_brute(s.mesh, from, to, options), got);
    expect_same_pairs(got, on_gpu.contacts(to, options));
    EXPECT_EQ(on_gpu.work().repeats, 0) << away;
  }
  EXPECT_GT(repeats, 2);
}

/// A small heap on a large ground: cells of the frame are larger than the heap. It is asked about at any scale after
/// the first step, so candidates do not grow with the square of its features.
TEST(GpuStepWays, SmallThingsInLargeScenes) {
  oracle::Random random(RandomBudget::seed(524));
  const Step heap = random_step(random, 600, false, 0.05, 0.08);
  std::vector<Vec3> start(heap.mesh.positions().begin(), heap.mesh.positions().end()), end = heap.end;
  std::vector<Triangle> triangles(heap.mesh.triangles().begin(), heap.mesh.triangles().end());
  const auto ground = static_cast<std::uint32_t>(start.size());
  for (const Vec3& p : {Vec3{-1e7, -1e7, -1e3}, Vec3{1e7, -1e7, -1e3}, Vec3{1e7, 1e7, -1e3}, Vec3{-1e7, 1e7, -1e3}}) {
    start.push_back(p);
    end.push_back(p);
  }
  triangles.push_back({ground, ground + 1, ground + 2});
  triangles.push_back({ground, ground + 2, ground + 3});
  const Mesh mesh(start, triangles);
  DeformOptions options{.exact = true, .patches = false};
  options.crossing_at_start = false;
  const DeformResult want = graze::Deformable(mesh).contacts(end, options);
  EXPECT_GT(want.contacts.size(), 20u);
  gpu::Deformable on_gpu(mesh), alone(heap.mesh);
  expect_same_pairs(want, on_gpu.contacts(end, options));
  expect_same_pairs(want, on_gpu.contacts(end, options));
  EXPECT_EQ(on_gpu.work().repeats, 0);
  alone.contacts(heap.end, options);
  EXPECT_LT(on_gpu.work().candidates, 2 * alone.work().candidates + 1000);
}

/// Packed boxes are near wherever boxes of floats are.
TEST(GpuStepWays, PackedBoxesAreNeverApartWhereBoxesAreNot) {
  oracle::Random random(RandomBudget::seed(525));
  int apart_both = 0, apart_floats = 0;
  for (int k = 0; k < 20000; ++k) {
    gpu::BoxPair box[2];
    const double size = std::ldexp(1.0, -static_cast<int>(random() % 18));
    for (gpu::BoxPair& b : box)
      for (int end = 0; end < 2; ++end)
        for (int axis = 0; axis < 3; ++axis) {
          const auto x = static_cast<float>(oracle::real(random) * (random() % 2 ? 1 : size)),
                     w = static_cast<float>(std::fabs(oracle::real(random)) * size);
          b.lo[end][axis] = x - w;
          b.hi[end][axis] = x + w;
        }
    const bool near = gpu::near(gpu::swapped(gpu::packed(box[0])), gpu::packed(box[1]));
    EXPECT_EQ(near, gpu::near(gpu::swapped(gpu::packed(box[1])), gpu::packed(box[0])));
    const bool apart = gpu::apart(box[0], box[1]);
    EXPECT_TRUE(near || apart);
    apart_floats += apart;
    apart_both += !near;
    EXPECT_FALSE(gpu::near(gpu::swapped(gpu::packed(box[0])), gpu::empty_packed()));
  }
  EXPECT_GT(apart_both, apart_floats * 9 / 10);
}

TEST(GpuStepWays, PlacesInPackedFaces) {
  gpu::PackedBox b{};
  const std::uint32_t last = gpu::packed_places - 1;
  for (const auto& f :
       {std::vector<std::uint32_t>{0, 1, 2}, {last, 5, 4097}, {7, last, last - 1}, {2048, 2047, last}}) {
    gpu::pack_face(b, f[0], f[1], f[2]);
    for (const std::uint32_t v : f) EXPECT_TRUE(gpu::has_vertex(b, v));
    for (const std::uint32_t v : {3u, 4096u, 1048576u, last - 2, last + 1, 0xFFFFFFFFu})
      EXPECT_FALSE(gpu::has_vertex(b, v));
  }
  gpu::pack_face(b, 1, 2, last + 1);  // does not fit: nothing is found
  for (const std::uint32_t v : {1u, 2u, last, last + 1, 0u, 0xFFFFFFFFu}) EXPECT_FALSE(gpu::has_vertex(b, v));
}

}  // namespace
}  // namespace graze
