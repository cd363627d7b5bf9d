// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::body {

/// Every edge of the triangulation once (including diagonals), with its adjacent triangles.
struct EdgeList {
  explicit EdgeList(const Mesh& mesh);

  std::vector<std::array<std::uint32_t, 2>> vertices;  ///< lower id first, sorted
  std::size_t size() const { return vertices.size(); }
  std::span<const std::uint32_t> triangles_of(std::size_t edge) const {
    return {triangles_.data() + first_[edge], triangles_.data() + first_[edge + 1]};
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> triangles_;
};

}  // namespace graze::body
