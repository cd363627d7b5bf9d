// SPDX-License-Identifier: MIT
// Steps on a device: the least of 35 warm replays, positions resident, and whether the answer is that of the CPU.
// usage: graze_gpu_bench_steps [FOLDER of recorded steps, by default ../shared/data/deform] [--variants] [--stages]
//                              [--any-scale]
// --variants also measures each way to find the answer; --stages how long a step takes that ends early; --any-scale
// measures only the way that needs no frame of the scene.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <graze/ask/deform.hpp>
#include <graze/gpu/deform.hpp>
#include <graze/gpu/device.hpp>
#include <graze/gpu/step_variants.hpp>
#include <graze/io/mesh_file.hpp>

#include "scenes.hpp"

namespace {

using graze::DeformOptions;
using graze::DeformResult;
using graze::Mesh;
using graze::Vec3;
using graze::bench::Scene;
using graze::gpu::step_variants;
using graze::gpu::StepVariants;

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

DeformOptions asked(bool all, bool exact) {
  DeformOptions o;
  o.all = all;
  o.exact = exact;
  o.patches = o.crossing_at_start = false;
  o.threads = 16;
  return o;
}

struct Measured {
  double graph = 1e30, whole = 1e30;  ///< us: on the device alone, and until the caller knows how many
};

class OnDevice {
 public:
  explicit OnDevice(const Scene& s) : count_(s.to.size()) {
    need(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    need(cudaMalloc(&end_, s.to.size() * sizeof(Vec3)));
    need(cudaMemcpy(end_, s.to.data(), s.to.size() * sizeof(Vec3), cudaMemcpyHostToDevice));
    need(cudaEventCreate(&before_));
    need(cudaEventCreate(&after_));
  }
  ~OnDevice() {
    cudaEventDestroy(before_);
    cudaEventDestroy(after_);
    cudaFree(end_);
    cudaStreamDestroy(stream_);
  }
  cudaStream_t stream() const { return stream_; }

  Measured measure(graze::gpu::Deformable& mesh, const DeformOptions& o, int runs,
                   std::vector<graze::gpu::StepContact>* out) const {
    Measured m;
    graze::gpu::DeviceContacts found;
    for (int run = 0; run < runs + 5; ++run) {
      const auto begin = std::chrono::steady_clock::now();
      need(cudaEventRecord(before_, stream_));
      mesh.begin({end_, count_}, o);
      need(cudaEventRecord(after_, stream_));
      found = mesh.finish();
      const std::chrono::duration<double, std::micro> whole = std::chrono::steady_clock::now() - begin;
      float ms = 0;
      need(cudaEventElapsedTime(&ms, before_, after_));
      if (run < 5) continue;
      m.graph = std::min(m.graph, 1e3 * ms);
      m.whole = std::min(m.whole, whole.count());
    }
    if (out) {
      out->resize(found.count);
      need(cudaMemcpy(out->data(), found.contacts, out->size() * sizeof((*out)[0]), cudaMemcpyDeviceToHost));
    }
    return m;
  }

 private:
  std::size_t count_;
  cudaStream_t stream_ = nullptr;
  double* end_ = nullptr;
  cudaEvent_t before_{}, after_{};
};

struct Truth {
  DeformResult all, exact, earliest;
  Truth(const Scene& s, bool each) {
    graze::Deformable on_cpu(s.from);
    on_cpu.contacts(s.to, asked(true, false), all);
    if (!each) return;
    on_cpu.contacts(s.to, asked(true, true), exact);
    on_cpu.contacts(s.to, asked(false, false), earliest);
  }
};

void row(const Scene& s, const Truth& truth, const char* how, bool all, bool exact, int runs = 35) {
  const OnDevice device(s);
  graze::gpu::Deformable mesh(s.from, device.stream());
  std::vector<graze::gpu::StepContact> here;
  const Measured m = device.measure(mesh, asked(all, exact), runs, &here);
  const graze::gpu::StepWork& w = mesh.work();
  const bool right = same(!all ? truth.earliest : exact ? truth.exact : truth.all, here);
  std::printf(
      "%-24s %-8s %-5s %-24s %8.1f us  (whole %8.1f)  %7zu contacts  %s  (%zu cluster pairs, %zu candidates, %zu near, "
      "%zu left to the host, %d repeats, %.0f MB)\n",
      s.name.c_str(), all ? "all" : "earliest", exact ? "exact" : "", how, m.graph, m.whole, here.size(),
      right ? "same as CPU" : "DIFFERENT", std::size_t{w.cluster_pairs}, std::size_t{w.candidates}, std::size_t{w.near},
      std::size_t{w.left_to_host}, w.repeats, static_cast<double>(w.bytes) * 1e-6);
  std::fflush(stdout);
}

void stages(const Scene& s, const char* how, const StepVariants& variant, int count) {
  const OnDevice device(s);
  std::printf("%-24s %-24s stages, us:", s.name.c_str(), how);
  double before = 0;
  for (int k = 0; k <= count + 1; ++k) {
    step_variants() = variant;
    step_variants().branches = false;
    if (k <= count) step_variants().stages = k;
    graze::gpu::Deformable mesh(s.from, device.stream());
    const double us = device.measure(mesh, asked(true, false), 12, nullptr).graph;
    std::printf(" %.1f", us - before);
    before = us;
  }
  std::printf("  all %.1f\n", before);
  std::fflush(stdout);
  step_variants() = {};
}

}  // namespace

int main(int count, char** words) {
  if (const auto problem = graze::gpu::device_problem()) {
    std::printf("skipped: %s\n", problem->text().c_str());
    return 77;
  }
  std::printf("%s\n", graze::gpu::devices()[0].name.c_str());
  std::string folder = "../shared/data/deform";
  bool with_variants = false, with_stages = false;
  StepVariants usual;
  for (int i = 1; i < count; ++i)
    if (!std::strcmp(words[i], "--variants"))
      with_variants = true;
    else if (!std::strcmp(words[i], "--stages"))
      with_stages = true;
    else if (!std::strcmp(words[i], "--any-scale"))
      usual.packed = false;
    else
      folder = words[i];
  step_variants() = usual;
  std::vector<Scene> scenes;
  for (const char* name : {"cloth-ball", "armadillo-rollers"}) {
    const std::string files = folder + "/" + name;
    if (!std::ifstream(files + "/frame0.ply")) {
      std::printf("skipped: %s is missing\n", files.c_str());
      continue;
    }
    const Mesh to = graze::load_mesh(files + "/frame1.ply");
    scenes.push_back({name, graze::load_mesh(files + "/frame0.ply"), {to.positions().begin(), to.positions().end()}});
  }
  const std::size_t recorded = scenes.size();
  scenes.push_back(graze::bench::many_bodies(6, 13));
  scenes.push_back(graze::bench::twisted_rod(360));
  scenes.push_back(graze::bench::funnel(96));
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const Scene& s = scenes[i];
    std::printf("%s: %zu triangles\n", s.name.c_str(), s.from.triangle_count());
    const Truth truth(s, true);
    row(s, truth, "", true, false);
    row(s, truth, "", true, true);
    row(s, truth, "", false, false);
    const auto with = [&](const char* how, auto change, bool all = true) {
      change(step_variants());
      row(s, truth, how, all, false);
      step_variants() = usual;
    };
    if (with_variants) {
      with("at any scale", [](StepVariants& v) { v.packed = false; });
      with("rest by lanes", [](StepVariants& v) { v.shared_rest = false; });
    }
    if (with_variants && i < recorded) {
      with("packed, sieve each", [](StepVariants& v) { v.projected = false; });
      with("no branches", [](StepVariants& v) { v.branches = false; });
      with("4 batches a warp", [](StepVariants& v) { v.batches = 4; });
      with("8 batches a warp", [](StepVariants& v) { v.batches = 8; });
      with("16 batches a warp", [](StepVariants& v) { v.batches = 16; });
      with("2 waves, 4 batches", [](StepVariants& v) { v.waves = 2, v.batches = 4; });
      with("2 waves", [](StepVariants& v) { v.waves = 2; });
      with("4 waves", [](StepVariants& v) { v.waves = 4; });
      with(
          "whole at once", [](StepVariants& v) { v.early_first = false; }, false);
      with(
          "at any scale", [](StepVariants& v) { v.packed = false; }, false);
    }
    if (with_stages && i < recorded) {
      stages(s, "in the frame", {}, 11);
      StepVariants old;
      old.packed = false;
      stages(s, "at any scale", old, 9);
    }
  }
  if (recorded > 0) {
    const Scene s = graze::bench::tiled(scenes[0], 4);
    const Truth truth(s, false);
    row(s, truth, "", true, false, 12);
    if (with_variants) {
      step_variants().packed = false;
      row(s, truth, "at any scale", true, false, 12);
      step_variants() = usual;
      step_variants().shared_rest = false;
      row(s, truth, "rest by lanes", true, false, 12);
      step_variants() = usual;
      step_variants().waves = 4;
      row(s, truth, "4 waves", true, false, 12);
      step_variants() = usual;
    }
  }
}
