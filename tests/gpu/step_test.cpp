// SPDX-License-Identifier: MIT
// Steps on the device beside the CPU's answers.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <graze/ask/deform.hpp>
#include <graze/ask/deform_brute.hpp>
#include <graze/core/error.hpp>
#include <graze/gpu/deform.hpp>
#include <graze/gpu/step_variants.hpp>
#include <graze/io/mesh_file.hpp>
#include <graze/mesh/make.hpp>

#include "check.hpp"

namespace {

using graze::DeformContact;
using graze::DeformOptions;
using graze::DeformResult;
using graze::Mesh;
using graze::Vec3;

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() >> 33) % n; }
  double real(double reach) { return reach * (static_cast<double>(next() >> 11) * 0x1p-52 - 1); }
  Vec3 point(double reach) { return {real(reach), real(reach), real(reach)}; }
  Vec3 grid_point() {
    const auto whole = [&] { return static_cast<double>(below(5)) - 2; };
    const double x = whole(), y = whole(), z = whole();
    return {x, y, z};
  }

 private:
  std::uint64_t next() { return state_ = state_ * 6364136223846793005u + 1442695040888963407u; }
  std::uint64_t state_;
};

/// The same contacts in the same order, at the same times.
bool same(const DeformResult& want, const DeformResult& got) {
  if (!EXPECT(want.status == got.status) || !EXPECT(want.contacts.size() == got.contacts.size())) return false;
  for (std::size_t i = 0; i < want.contacts.size(); ++i) {
    const DeformContact &x = want.contacts[i], &y = got.contacts[i];
    if (!EXPECT(x.kind == y.kind && x.vertices == y.vertices && x.at_start == y.at_start)) return false;
    // Where features only just reach each other, they are within the tolerance for longer.
    const double near = x.gap < 1e-11 && y.gap < 1e-11 ? 1e-6 : 1e-9;
    if (!EXPECT(std::fabs(x.time.touch - y.time.touch) < near && std::fabs(x.time.safe - y.time.safe) < near))
      return false;
  }
  return true;
}

struct Step {
  Mesh mesh;
  std::vector<Vec3> end;
};
/// A soup of triangles; on the grid many are degenerate, equal or in one plane.
Step soup(Numbers& numbers, std::uint32_t count, bool grid) {
  std::vector<Vec3> start, end;
  std::vector<graze::Triangle> triangles;
  for (std::uint32_t i = 0; i < 3 * count; ++i) {
    start.push_back(grid ? numbers.grid_point() : numbers.point(1));
    if (!grid && i % 3 > 0) start.back() = start[i - i % 3] + numbers.point(0.5);
    end.push_back(grid ? numbers.grid_point() : start.back() + numbers.point(0.5));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t shared = numbers.below(3 * count);
    triangles.push_back({3 * i, 3 * i + 1, numbers.below(3) ? 3 * i + 2 : shared});
  }
  return {Mesh(start, triangles), end};
}

/// Nothing, or the folder of the recorded step.
std::string recorded(const std::string& name) {
  const char* given = std::getenv("GRAZE_GPU_DATA");
  const std::string folder =
      (given ? std::string(given) : std::string(GRAZE_SOURCE_DIR "/../shared/data/deform")) + "/" + name;
  if (std::ifstream(folder + "/frame0.ply")) return folder;
  std::printf("skipped: %s is missing\n", folder.c_str());
  return {};
}

GPU_TEST(steps_of_small_soups_are_those_of_all_pairs) {
  Numbers numbers(7);
  for (int k = 0; k < 24; ++k) {
    const Step s = soup(numbers, 14, k % 3 == 0);
    graze::gpu::Deformable on_gpu(s.mesh);
    for (int question = 0; question < 5; ++question) {
      DeformOptions o;
      o.crossing_at_start = false;
      o.exact = question == 1;
      if (question == 2) o.min_separation = 0.05;
      if (question == 3) o.tolerance = 0.01;
      o.self = question != 4;
      same(graze::deform_brute(s.mesh, s.mesh.positions(), s.end, o), on_gpu.contacts(s.end, o));
      o.all = false;
      same(graze::deform_brute(s.mesh, s.mesh.positions(), s.end, o), on_gpu.contacts(s.end, o));
    }
  }
}

GPU_TEST(larger_soups_overflow_lists_and_lose_nothing) {
  Numbers numbers(8);
  const Step s = soup(numbers, 1500, false);
  DeformOptions o;
  o.exact = true;
  o.patches = false;
  o.crossing_at_start = false;
  const DeformResult want = graze::Deformable(s.mesh).contacts(s.end, o);
  graze::gpu::Deformable on_gpu(s.mesh);
  same(want, on_gpu.contacts(s.end, o));
  EXPECT(on_gpu.work().repeats > 0);
  same(want, on_gpu.contacts(s.end, o));
  EXPECT(on_gpu.work().repeats == 0);
}

GPU_TEST(recorded_steps_have_the_contacts_of_the_exact_method) {
  for (const char* name : {"armadillo-rollers", "cloth-ball"}) {
    const std::string folder = recorded(name);
    if (folder.empty()) continue;
    const Mesh from = graze::load_mesh(folder + "/frame0.ply"), to = graze::load_mesh(folder + "/frame1.ply");
    graze::gpu::Deformable on_gpu(from);
    for (const bool exact : {false, true}) {
      DeformOptions o;
      o.exact = exact;
      o.patches = o.crossing_at_start = false;
      o.threads = 8;
      same(graze::Deformable(from).contacts(to.positions(), o), on_gpu.contacts(to.positions(), o));
      const graze::gpu::StepWork& w = on_gpu.work();
      std::printf("%s%s: %zu cluster pairs, %zu candidates, %zu near, %zu contacts, %zu left to the host, %d repeats\n",
                  name, exact ? " exact" : "", std::size_t{w.cluster_pairs}, std::size_t{w.candidates},
                  std::size_t{w.near}, std::size_t{w.contacts}, std::size_t{w.left_to_host}, w.repeats);
    }
  }
}

/// Each way to answer a step, also the earliest contact only, and steps that leave the frame of the scene.
GPU_TEST(each_way_finds_the_same_contacts) {
  Numbers numbers(11);
  const Step s = soup(numbers, 400, false), leaves = {s.mesh, [&] {
                                                        std::vector<Vec3> end = s.end;
                                                        for (std::size_t i = 0; i < end.size(); i += 5) end[i].y += 40;
                                                        return end;
                                                      }()};
  DeformOptions o;
  o.crossing_at_start = o.patches = false;
  for (const Step* step : {&s, &leaves})
    for (o.exact = false;; o.exact = true) {
      o.all = true;
      const DeformResult all = graze::deform_brute(step->mesh, step->mesh.positions(), step->end, o);
      o.all = false;
      const DeformResult first = graze::deform_brute(step->mesh, step->mesh.positions(), step->end, o);
      for (int way = 0; way < 6; ++way) {
        graze::gpu::StepVariants& v = graze::gpu::step_variants() = {};
        v.packed = way != 1;
        v.projected = way != 2;
        v.early_first = way != 3;
        v.shared_rest = way != 4;
        v.branches = way != 5;
        graze::gpu::Deformable on_gpu(step->mesh);
        o.all = true;
        same(all, on_gpu.contacts(step->end, o));
        o.all = false;
        same(first, on_gpu.contacts(step->end, o));
      }
      graze::gpu::step_variants() = {};
      if (o.exact) break;
    }
}

/// The same bits in every run, on any stream, from memory of the host or the device.
GPU_TEST(answers_are_the_same_bits_in_every_run) {
  Numbers numbers(9);
  const Step s = soup(numbers, 3000, false);
  cudaStream_t streams[2];
  double* on_device = nullptr;
  EXPECT(cudaMalloc(&on_device, s.end.size() * sizeof(Vec3)) == cudaSuccess);
  EXPECT(cudaMemcpy(on_device, s.end.data(), s.end.size() * sizeof(Vec3), cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<graze::gpu::StepContact> first;
  for (cudaStream_t& stream : streams) {
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
    graze::gpu::Deformable on_gpu(s.mesh, stream);
    DeformOptions o;
    o.crossing_at_start = false;
    for (int run = 0; run < 5; ++run) {
      if (run == 4) on_gpu.sort_in_space();
      on_gpu.begin({on_device, s.end.size()}, o);
      const graze::gpu::DeviceContacts found = on_gpu.finish();
      std::vector<graze::gpu::StepContact> here(found.count);
      EXPECT(cudaMemcpy(here.data(), found.contacts, here.size() * sizeof(here[0]), cudaMemcpyDeviceToHost) ==
             cudaSuccess);
      if (first.empty()) first = here;
      EXPECT(here.size() == first.size() && here.size() > 1000);
      EXPECT(std::memcmp(here.data(), first.data(), here.size() * sizeof(here[0])) == 0);
    }
  }
  const double bad = std::numeric_limits<double>::quiet_NaN();
  EXPECT(cudaMemcpy(on_device + 3 * 77 + 1, &bad, sizeof(bad), cudaMemcpyHostToDevice) == cudaSuccess);
  graze::gpu::Deformable on_gpu(s.mesh, streams[0]);
  const DeformResult refused = on_gpu.contacts(graze::gpu::DevicePositions{on_device, s.end.size()});
  EXPECT(refused.status == graze::Status::invalid_request && refused.error && refused.error->id == 77);
  cudaFree(on_device);
}

GPU_TEST(too_little_memory_is_an_error_that_says_so) {
  std::size_t free = 0, all = 0;
  EXPECT(cudaMemGetInfo(&free, &all) == cudaSuccess);
  void* taken = nullptr;
  EXPECT(cudaMalloc(&taken, free - (std::size_t{96} << 20)) == cudaSuccess);
  Numbers numbers(10);
  const Step s = soup(numbers, 200000, false);
  bool said = false;
  try {
    graze::gpu::Deformable on_gpu(s.mesh);
  } catch (const graze::Error& e) {
    said = std::strstr(e.what(), "memory") != nullptr;
  }
  EXPECT(said);
  cudaFree(taken);
  const Step small = soup(numbers, 20, false);
  DeformOptions o;
  o.crossing_at_start = false;
  graze::gpu::Deformable on_gpu(small.mesh);
  same(graze::deform_brute(small.mesh, small.mesh.positions(), small.end, o), on_gpu.contacts(small.end, o));
}

}  // namespace
