// SPDX-License-Identifier: MIT
#include "deform/deform_gpu.hpp"

#include <utility>

#include "input/query_options.hpp"
#ifdef GRAZE_CLI_HAS_GPU
#include <graze/gpu/deform.hpp>
#endif

namespace graze::app {

void check_gpu_options(const DeformCommand& command) {
  if (!command.gpu) return;
  for (const auto& [given, option] : {std::pair{command.method != "iccd", "--method"},
                                      {!command.near.empty(), "--near"},
                                      {command.breaking, "--breaking"},
                                      {command.work > 0, "--work"},
                                      {!command.seconds.empty(), "--seconds"}})
    if (given) refuse_option(option, "is asked on the CPU; leave --gpu out");
}

#ifdef GRAZE_CLI_HAS_GPU

struct GpuMesh::Data {
  gpu::Deformable mesh;
};
GpuMesh::GpuMesh(const Mesh& mesh) : data_(new Data{gpu::Deformable(mesh)}) {}
void GpuMesh::set_filter(const DeformFilter& filter) { data_->mesh.set_filter(filter); }
void GpuMesh::set_positions(std::span<const Vec3> positions) { data_->mesh.set_positions(positions); }
DeformResult GpuMesh::step(std::span<const Vec3> positions, const DeformOptions& options) {
  return data_->mesh.step(positions, options);
}
StepSize GpuMesh::step_size(std::span<const Vec3> positions, const StepSizeOptions& options) {
  return data_->mesh.step_size(positions, options);
}
std::size_t GpuMesh::bytes() const { return data_->mesh.work().bytes; }

#else

struct GpuMesh::Data {};
GpuMesh::GpuMesh(const Mesh&) {
  refuse_option("--gpu", "needs graze built with CUDA (-DGRAZE_WITH_CUDA=ON, docs/gpu.md); leave it out for the CPU");
}
void GpuMesh::set_filter(const DeformFilter&) {}
void GpuMesh::set_positions(std::span<const Vec3>) {}
DeformResult GpuMesh::step(std::span<const Vec3>, const DeformOptions&) { return {}; }
StepSize GpuMesh::step_size(std::span<const Vec3>, const StepSizeOptions&) { return {}; }
std::size_t GpuMesh::bytes() const { return 0; }

#endif

GpuMesh::~GpuMesh() = default;

}  // namespace graze::app
