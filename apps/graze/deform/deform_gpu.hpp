// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include <graze/ask/deform.hpp>

#include "deform/deform_command.hpp"

namespace graze::app {

/// Refuses options that `graze deform --gpu` does not have.
void check_gpu_options(const DeformCommand& command);

/// A deforming mesh on the GPU; a refused option where this command was built without CUDA, an `Error` where there is
/// no device.
class GpuMesh {
 public:
  explicit GpuMesh(const Mesh& mesh);
  ~GpuMesh();
  void set_filter(const DeformFilter& filter);
  void set_positions(std::span<const Vec3> positions);
  DeformResult step(std::span<const Vec3> positions, const DeformOptions& options);
  StepSize step_size(std::span<const Vec3> positions, const StepSizeOptions& options);
  std::size_t bytes() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace graze::app
