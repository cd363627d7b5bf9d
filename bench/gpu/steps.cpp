// SPDX-License-Identifier: MIT
// Steps on a device: the least of 35 warm replays, positions resident, and whether the answer is that of the CPU.
// usage: graze_gpu_bench_steps [FOLDER of recorded steps, by default ../shared/data/deform]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <graze/ask/deform.hpp>
#include <graze/gpu/deform.hpp>
#include <graze/gpu/device.hpp>
#include <graze/io/mesh_file.hpp>

namespace {

using graze::DeformOptions;
using graze::DeformResult;
using graze::Mesh;
using graze::Vec3;

struct Scene {
  std::string name;
  Mesh from;
  std::vector<Vec3> to;
};

void need(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(e));
  std::exit(1);
}

bool same(const DeformResult& want, const std::vector<graze::gpu::StepContact>& got) {
  if (want.contacts.size() != got.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const graze::DeformContact& x = want.contacts[i];
    if (static_cast<std::uint32_t>(x.kind == graze::ElementaryKind::edge_edge) != got[i].kind) return false;
    if (!std::equal(x.vertices.begin(), x.vertices.end(), got[i].vertices)) return false;
    if (!(std::fabs(x.time.touch - got[i].touch) < 1e-6)) return false;
  }
  return true;
}

/// n x n copies beside each other.
Scene tiled(const Scene& s, int n) {
  Vec3 low = s.to[0], high = s.to[0];
  for (const Vec3& p : s.to)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  const double size = 1.5 * std::max(high.x - low.x, high.y - low.y);
  std::vector<Vec3> from, to;
  std::vector<graze::Triangle> triangles;
  for (int i = 0; i < n * n; ++i) {
    const Vec3 by{size * (i % n), size * (i / n), 0};
    const auto first = static_cast<std::uint32_t>(from.size());
    for (const Vec3& p : s.from.positions()) from.push_back(p + by);
    for (const Vec3& p : s.to) to.push_back(p + by);
    for (const graze::Triangle& t : s.from.triangles()) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return {s.name + ", " + std::to_string(n * n) + " copies", Mesh(from, triangles), to};
}

void measure(const Scene& s, bool all, bool exact) {
  cudaStream_t stream;
  need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  double* end = nullptr;
  need(cudaMalloc(&end, s.to.size() * sizeof(Vec3)));
  need(cudaMemcpy(end, s.to.data(), s.to.size() * sizeof(Vec3), cudaMemcpyHostToDevice));
  cudaEvent_t before, after;
  need(cudaEventCreate(&before));
  need(cudaEventCreate(&after));
  graze::gpu::Deformable on_gpu(s.from, stream);
  DeformOptions o;
  o.all = all;
  o.exact = exact;
  o.patches = o.crossing_at_start = false;
  o.threads = 16;
  double least = 1e30;
  graze::gpu::DeviceContacts found;
  for (int run = 0; run < 40; ++run) {
    need(cudaEventRecord(before, stream));
    on_gpu.begin({end, s.to.size()}, o);
    need(cudaEventRecord(after, stream));
    found = on_gpu.finish();
    float ms = 0;
    need(cudaEventElapsedTime(&ms, before, after));
    if (run >= 5) least = std::min(least, 1e3 * ms);
  }
  std::vector<graze::gpu::StepContact> here(found.count);
  need(cudaMemcpy(here.data(), found.contacts, here.size() * sizeof(here[0]), cudaMemcpyDeviceToHost));
  DeformResult want;
  graze::Deformable on_cpu(s.from);
  on_cpu.contacts(s.to, o, want);
  on_cpu.contacts(s.to, o, want);
  const graze::gpu::StepWork& w = on_gpu.work();
  std::printf(
      "%-32s %-8s %-6s %9.1f us  %9zu contacts  %s  CPU, 16 threads: %9.1f us  (%zu cluster pairs, %zu candidates, "
      "%zu near, %zu left to the host, %.0f MB)\n",
      s.name.c_str(), all ? "all" : "earliest", exact ? "exact" : "", least, here.size(),
      same(want, here) ? "same as CPU" : "DIFFERENT", 1e6 * want.seconds.total, std::size_t{w.cluster_pairs},
      std::size_t{w.candidates}, std::size_t{w.near}, std::size_t{w.left_to_host}, static_cast<double>(w.bytes) * 1e-6);
  std::fflush(stdout);
  cudaFree(end);
}

}  // namespace

int main(int count, char** words) {
  if (const auto problem = graze::gpu::device_problem()) {
    std::printf("skipped: %s\n", problem->text().c_str());
    return 77;
  }
  std::printf("%s\n", graze::gpu::devices()[0].name.c_str());
  const std::string folder = count > 1 ? words[1] : "../shared/data/deform";
  for (const char* name : {"cloth-ball", "armadillo-rollers"}) {
    const std::string files = folder + "/" + name;
    if (!std::ifstream(files + "/frame0.ply")) {
      std::printf("skipped: %s is missing\n", files.c_str());
      continue;
    }
    const Mesh to = graze::load_mesh(files + "/frame1.ply");
    const Scene s{name, graze::load_mesh(files + "/frame0.ply"), {to.positions().begin(), to.positions().end()}};
    measure(s, true, false);
    measure(s, true, true);
    measure(s, false, false);
    if (s.name == "cloth-ball") measure(tiled(s, 4), true, false);
  }
}
