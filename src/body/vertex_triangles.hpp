// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::body {

/// The triangles around each vertex, in ascending order.
class VertexTriangles {
 public:
  explicit VertexTriangles(const Mesh& mesh) : first_(mesh.vertex_count() + 1, 0) {
    for (const Triangle& t : mesh.triangles())
      for (const std::uint32_t v : t) ++first_[v + 1];
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) first_[v + 1] += first_[v];
    triangles_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t)
      for (const std::uint32_t v : mesh.triangles()[t]) triangles_[next[v]++] = t;
  }
  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return {triangles_.data() + first_[vertex], triangles_.data() + first_[vertex + 1]};
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> triangles_;
};

}  // namespace graze::body
