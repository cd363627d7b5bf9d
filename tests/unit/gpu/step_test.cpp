// SPDX-License-Identifier: MIT
// Steps by the sources of graze::gpu, compiled for the CPU, beside the CPU's own answers: the same contacts in the same
// order, at the same times.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/core/error.hpp>
#include <graze/gpu/deform.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/mesh/make.hpp>

#include "oracle/generators.hpp"
#include "random_budget.hpp"
#include "soups.hpp"

namespace graze {
namespace {

using testing::RandomBudget;

void expect_same(const DeformResult& want, const DeformResult& got) {
  EXPECT_EQ(want.status, got.status);
  ASSERT_EQ(want.contacts.size(), got.contacts.size());
  for (std::size_t i = 0; i < want.contacts.size(); ++i) {
    const DeformContact &x = want.contacts[i], &y = got.contacts[i];
    EXPECT_EQ(x.kind, y.kind);
    EXPECT_EQ(x.vertices, y.vertices);
    EXPECT_EQ(x.at_start, y.at_start);
    // Where features only just reach each other, they are within the tolerance for longer.
    const double near = x.gap < 1e-11 && y.gap < 1e-11 ? 1e-6 : 1e-9;
    EXPECT_NEAR(x.time.safe, y.time.safe, near) << i;
    EXPECT_NEAR(x.time.touch, y.time.touch, near) << i;
    EXPECT_LE(y.time.safe, y.time.touch) << i;
    EXPECT_GE(y.gap, 0) << i;
  }
  if (want.time.touch == want.time.touch) {
    EXPECT_NEAR(want.time.safe, got.time.safe, 1e-9);
    EXPECT_NEAR(want.time.touch, got.time.touch, 1e-9);
  } else {
    EXPECT_NE(got.time.touch, got.time.touch);
  }
}

/// The kinds of questions.
std::vector<DeformOptions> questions() {
  std::vector<DeformOptions> all(5);
  all[1].exact = true;
  all[2].min_separation = 0.05;
  all[3].tolerance = 0.01;
  all[4].self = false;
  for (DeformOptions& o : all) o.crossing_at_start = false;
  return all;
}

TEST(GpuStep, FindsWhatTestingAllPairsFinds) {
  const std::uint64_t seed = RandomBudget::seed(511);
  SCOPED_TRACE(seed);
  oracle::Random random(seed);
  for (RandomBudget budget(12); budget.more();) {
    const bool grid = random() % 3 == 0;
    const Mesh mesh = testing::soup(random, 12, grid);
    std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
    for (Vec3& p : end) p = grid ? oracle::grid_point(random, 2) : p + oracle::real_point(random, 0.5);
    gpu::Deformable on_gpu(mesh);
    for (DeformOptions options : questions()) {
      const DeformResult want = deform_brute(mesh, mesh.positions(), end, options);
      expect_same(want, on_gpu.contacts(end, options));
      options.all = false;
      const DeformResult first = deform_brute(mesh, mesh.positions(), end, options);
      expect_same(first, on_gpu.contacts(end, options));
    }
  }
}

/// Coordinates of other sizes, far from the origin, and beyond the range of floats.
TEST(GpuStep, AtAnyScale) {
  oracle::Random random(RandomBudget::seed(512));
  std::size_t contacts = 0;
  for (const double scale : {1e-250, 1e-60, 1e-6, 1e30, 1e200})
    for (const double far : {0.0, 1e6}) {
      const Mesh mesh = testing::soup(random, 10, false);
      std::vector<Vec3> start, end;
      for (const Vec3& p : mesh.positions()) {
        start.push_back((p + Vec3{far, -far, far}) * scale);
        end.push_back((p + Vec3{far, -far, far} + oracle::real_point(random, 0.5)) * scale);
      }
      const Mesh scaled(start, std::vector<Triangle>(mesh.triangles().begin(), mesh.triangles().end()));
      gpu::Deformable on_gpu(scaled);
      for (const bool exact : {false, true}) {
        const DeformOptions options{.exact = exact, .crossing_at_start = false};
        const DeformResult want = deform_brute(scaled, start, end, options);
        contacts += want.contacts.size();
        expect_same(want, on_gpu.contacts(end, options));
      }
    }
  EXPECT_GT(contacts, 30u);
}

/// More clusters than one level, many at the same place: nothing is found twice or lost between levels and lists that
/// overflow.
TEST(GpuStep, CrowdsOverflowEveryListAndLoseNothing) {
  oracle::Random random(RandomBudget::seed(513));
  const int sheets = 24, points = 6;
  std::vector<Vec3> start, end;
  std::vector<Triangle> triangles;
  for (int s = 0; s < sheets; ++s) {
    const auto first = static_cast<std::uint32_t>(start.size());
    for (int i = 0; i < points; ++i)
      for (int j = 0; j < points; ++j) {
        start.push_back({i + 0.1 * oracle::real(random), j + 0.1 * oracle::real(random), 0.3 * oracle::real(random)});
        end.push_back(start.back() + oracle::real_point(random, 0.4));
      }
    for (std::uint32_t i = 0; i + 1 < points; ++i)
      for (std::uint32_t j = 0; j + 1 < points; ++j) {
        const std::uint32_t a = first + i * points + j, b = a + 1, c = a + points, d = c + 1;
        triangles.push_back({a, b, c});
        triangles.push_back({b, d, c});
      }
  }
  const Mesh mesh(start, triangles);
  DeformOptions options{.exact = true, .patches = false};
  options.crossing_at_start = false;
  const DeformResult want = graze::Deformable(mesh).contacts(end, options);
  gpu::Deformable on_gpu(mesh);
  expect_same(want, on_gpu.contacts(end, options));
  EXPECT_GT(on_gpu.work().repeats, 0);
  EXPECT_GT(want.contacts.size(), 20000u);
  const DeformResult again = on_gpu.contacts(end, options);
  EXPECT_EQ(on_gpu.work().repeats, 0);
  expect_same(want, again);
  on_gpu.sort_in_space();
  expect_same(want, on_gpu.contacts(end, options));
}

/// A first question, whose lists are too short, and later ones were answered in two ways, with other times.
TEST(GpuStep, TheFirstQuestionHasTheBitsOfLaterOnes) {
  oracle::Random random(RandomBudget::seed(514));
  const Mesh mesh = testing::soup(random, 1500, false);
  std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& p : end) p = p + oracle::real_point(random, 0.5);
  gpu::Deformable on_gpu(mesh);
  DeformOptions options;
  options.crossing_at_start = false;
  const DeformResult first = on_gpu.contacts(end, options);
  EXPECT_GT(on_gpu.work().repeats, 0);
  EXPECT_GT(first.contacts.size(), 1000u);
  for (int again = 0; again < 2; ++again) {
    if (again == 1) on_gpu.sort_in_space();
    const DeformResult later = on_gpu.contacts(end, options);
    EXPECT_EQ(on_gpu.work().repeats, 0);
    ASSERT_EQ(later.contacts.size(), first.contacts.size());
    for (std::size_t i = 0; i < first.contacts.size(); ++i) {
      EXPECT_EQ(later.contacts[i].vertices, first.contacts[i].vertices);
      EXPECT_EQ(later.contacts[i].time.safe, first.contacts[i].time.safe);
      EXPECT_EQ(later.contacts[i].time.touch, first.contacts[i].time.touch);
      EXPECT_EQ(later.contacts[i].gap, first.contacts[i].gap);
    }
  }
}

TEST(GpuStep, LooseEdgesAndPoints) {
  oracle::Random random(RandomBudget::seed(514));
  for (int k = 0; k < 8; ++k) {
    const bool grid = k % 2 == 1;
    const int vertices = 14;
    const auto pick = [&] { return static_cast<std::uint32_t>(oracle::whole(random, 0, vertices - 1)); };
    std::vector<Vec3> start, end;
    for (int i = 0; i < vertices; ++i) {
      start.push_back(grid ? oracle::grid_point(random, 2) : oracle::real_point(random, 0.5));
      end.push_back(grid ? oracle::grid_point(random, 2) : start.back() + oracle::real_point(random, 0.5));
    }
    PolygonList list;
    for (int i = 0; i < 3; ++i) list.add(Triangle{pick(), pick(), pick()});
    LooseParts loose;
    for (int i = 0; i < 5; ++i) loose.edges.push_back({pick(), pick()});
    loose.points = {pick(), pick()};
    const Mesh mesh(start, list, {}, loose);
    gpu::Deformable on_gpu(mesh);
    for (const DeformOptions& options : questions())
      expect_same(deform_brute(mesh, start, end, options), on_gpu.contacts(end, options));
  }
}

TEST(GpuStep, FiltersAsOnTheCpu) {
  oracle::Random random(RandomBudget::seed(515));
  const Mesh mesh = testing::soup(random, 30, false, 0.8);
  std::vector<Vec3> end(mesh.positions().begin(), mesh.positions().end());
  for (Vec3& p : end) p = p + oracle::real_point(random, 0.6);
  DeformFilter filter;
  filter.bodies = vertex_bodies(mesh);
  filter.settings = {{.self = false}, {.group = 2, .mask = 1}, {.mask = 2}};
  filter.off = {{7, 5}, {3, 4}};
  for (std::uint32_t v = 0; v < mesh.vertex_count(); v += 3) filter.fixed.push_back(v);
  gpu::Deformable on_gpu(mesh);
  for (const bool predicate : {false, true}) {
    if (predicate) filter.may_touch = [](std::uint32_t a, std::uint32_t b) { return (a + b) % 2 == 0; };
    on_gpu.set_filter(filter);
    for (DeformOptions options : questions()) {
      const DeformResult want = deform_brute(mesh, mesh.positions(), end, filter, options);
      expect_same(want, on_gpu.contacts(end, options));
      options.all = false;
      expect_same(deform_brute(mesh, mesh.positions(), end, filter, options), on_gpu.contacts(end, options));
    }
  }
  filter.off = {{2, 2}};
  EXPECT_THROW(on_gpu.set_filter(filter), Error);
}

TEST(GpuStep, StepSizesAndStartsAsOnTheCpu) {
  const Mesh sheet = make::cloth_sheet({.triangles = 400}), ball = make::sphere({.triangles = 300});
  std::vector<Vec3> x(sheet.positions().begin(), sheet.positions().end());
  std::vector<Triangle> triangles(sheet.triangles().begin(), sheet.triangles().end());
  const auto first = static_cast<std::uint32_t>(x.size());
  for (const Vec3& p : ball.positions()) x.push_back(p * 0.3 + Vec3{0, 0, -0.5});
  for (const Triangle& t : ball.triangles()) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const Mesh mesh(x, triangles);
  graze::Deformable on_cpu(mesh);
  gpu::Deformable on_gpu(mesh);
  int contacts = 0;
  for (int k = 0; k < 6; ++k) {
    std::vector<Vec3> next = x;
    for (std::size_t i = 0; i < first; ++i) next[i] = next[i] + Vec3{0, 0, -0.15};
    for (const bool ignore : {false, true}) {
      StepSizeOptions options;
      options.ignore_start_crossings = ignore;
      const StepSize want = on_cpu.step_size(next, options), got = on_gpu.step_size(next, options);
      EXPECT_EQ(want.status, got.status);
      EXPECT_NEAR(want.step, got.step, 1e-9);
      EXPECT_EQ(want.first.has_value(), got.first.has_value());
      if (want.first && got.first) {
        EXPECT_EQ(want.first->vertices, got.first->vertices);
        EXPECT_NEAR(want.time.touch, got.time.touch, 1e-9);
      }
      contacts += want.status == Status::contact;
    }
    // Once through the contact, so that triangles cross at the next start.
    const double go = k == 4 ? 1 : on_cpu.step_size(next).step;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + (next[i] - x[i]) * go;
    DeformOptions options;
    options.patches = false;
    expect_same(on_cpu.step(x, options), on_gpu.step(x, options));
    EXPECT_EQ(on_cpu.contacts(x, options).crossing_at_start, on_gpu.contacts(x, options).crossing_at_start);
  }
  EXPECT_GT(contacts, 2);
}

TEST(GpuStep, NearAsOnTheCpu) {
  oracle::Random random(RandomBudget::seed(516));
  const Mesh mesh = testing::soup(random, 30, false);
  const std::span<const Vec3> start = mesh.positions();
  gpu::Deformable on_gpu(mesh);
  ProximityOptions options;
  for (const bool self : {false, true}) {
    options.self = self;
    const ProximityResult want = near_brute(mesh, start, 0.1, options);
    EXPECT_GT(want.pairs.size(), 10u);
    for (const ProximityResult& got : {on_gpu.near(start, 0.1, options),
                                       on_gpu.near(gpu::DevicePositions{&start[0].x, start.size()}, 0.1, options)}) {
      EXPECT_EQ(want.status, got.status);
      ASSERT_EQ(want.pairs.size(), got.pairs.size());
      for (std::size_t i = 0; i < want.pairs.size(); ++i) {
        EXPECT_EQ(want.pairs[i].vertices, got.pairs[i].vertices);
        EXPECT_NEAR(want.pairs[i].distance, got.pairs[i].distance, 1e-9);
      }
    }
  }
  EXPECT_EQ(on_gpu.near(start, -1).status, Status::invalid_request);
  EXPECT_EQ(on_gpu.near(gpu::DevicePositions{nullptr, start.size()}, 1).status, Status::invalid_request);
}

TEST(GpuStep, RefusesWhatIsWrong) {
  const Mesh mesh = make::sphere({.triangles = 20});
  gpu::Deformable on_gpu(mesh);
  std::vector<Vec3> next(mesh.positions().begin(), mesh.positions().end());
  next[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(on_gpu.contacts(next).status, Status::invalid_request);
  EXPECT_EQ(on_gpu.contacts(next).error->id, 3u);
  EXPECT_EQ(on_gpu.contacts(gpu::DevicePositions{&next[0].x, next.size()}).error->id, 3u);
  EXPECT_EQ(on_gpu.contacts(std::span(next).first(4)).status, Status::invalid_request);
  next[3].y = 0;
  EXPECT_EQ(on_gpu.contacts(next, {.min_separation = -1}).status, Status::invalid_request);
  EXPECT_EQ(on_gpu.contacts(next, {.min_separation = 1, .exact = true}).status, Status::invalid_request);
  EXPECT_EQ(on_gpu.contacts(next, {.work = 1}).error->code, ErrorCode::unsupported);
  EXPECT_EQ(on_gpu.contacts(next).status, on_gpu.contacts(gpu::DevicePositions{&next[0].x, next.size()}).status);
  EXPECT_THROW(on_gpu.set_positions(std::span(next).first(4)), Error);
  EXPECT_THROW(on_gpu.begin({&next[0].x, next.size()}, {}), Error);  // crossing_at_start
}

/// The recorded steps; all contacts by the exact method of the CPU are checked against their lists by the command
/// line's tests.
TEST(GpuStep, RecordedSteps) {
  for (const char* name : {"armadillo-rollers", "cloth-ball"}) {
    const std::string folder = std::string(GRAZE_SOURCE_DIR "/../shared/data/deform/") + name;
    if (!std::ifstream(folder + "/frame0.ply")) GTEST_SKIP() << folder << " is missing";
    const Mesh from = load_mesh(folder + "/frame0.ply"), to = load_mesh(folder + "/frame1.ply");
    gpu::Deformable on_gpu(from);
    for (const bool exact : {false, true}) {
      DeformOptions options{.exact = exact, .crossing_at_start = false, .patches = false};
      const DeformResult want = graze::Deformable(from).contacts(to.positions(), options);
      const DeformResult got = on_gpu.contacts(to.positions(), options);
      expect_same(want, got);
      const gpu::StepWork& w = on_gpu.work();
      std::printf("%s%s: %zu pairs of clusters, %zu candidates, %zu near, %zu contacts, %zu left to the host\n", name,
                  exact ? ", exact" : "", std::size_t{w.cluster_pairs}, std::size_t{w.candidates}, std::size_t{w.near},
                  std::size_t{w.contacts}, std::size_t{w.left_to_host});
      EXPECT_LT(w.left_to_host, 200u);
    }
  }
}

}  // namespace
}  // namespace graze
