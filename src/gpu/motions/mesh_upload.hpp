// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <graze/body/body.hpp>

#include "gpu/buffer.hpp"
#include "gpu/motions/device_mesh.hpp"

namespace graze::gpu {

struct PartLists {
  std::vector<Part> parts;
  std::vector<CornersF> corners;
  std::vector<CornersD> exact;
  std::vector<std::uint32_t> triangle;
};

/// A body's tree and triangles in the device's memory, in a unit that is a power of two.
class MeshOnDevice {
 public:
  MeshOnDevice(const Body& body, double unit, const Stream& stream);
  const DeviceMesh& view() const { return view_; }
  std::size_t bytes() const { return parts_.bytes() + corners_.bytes() + exact_.bytes() + triangle_.bytes(); }

 private:
  PartLists lists_;
  Buffer<Part> parts_;
  Buffer<CornersF> corners_;
  Buffer<CornersD> exact_;
  Buffer<std::uint32_t> triangle_;
  DeviceMesh view_{};
};

}  // namespace graze::gpu
