// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::bench {

/// A generated assembly whose clashes are known.
struct KnownAssembly {
  struct Part {
    std::uint32_t mesh = 0;
    Pose pose;
  };
  std::vector<Mesh> meshes;  ///< of 1,000 to 20,000 triangles, each used by several parts
  std::vector<Part> parts;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> clashes;  ///< sorted; all others are apart
  std::size_t triangles() const;                                 ///< of the meshes
};

/// Cells on a grid, turned at random and so far apart that parts of different cells never meet. In each are four parts
/// whose boxes overlap: a ring, a rod through its hole, a second ring linked with the first one like a chain, and a
/// ball beside it. In every fifth cell one of the last three is moved by so much that it cuts the first ring. Which
/// pairs then meet follows from the sizes, by a margin that is larger than what the meshes deviate from their shapes.
/// `distinct`: how many different meshes there are, at least 4.
KnownAssembly known_assembly(std::size_t parts, std::size_t distinct, std::uint64_t seed);

}  // namespace graze::bench
