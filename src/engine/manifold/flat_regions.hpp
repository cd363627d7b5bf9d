// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::engine::manifold {

/// Neighbouring triangles in (nearly) one plane count as one face: a floor may be made of thousands of polygons, and a
/// box that slides across it should not get new ids at each of their edges. A part of a body.
struct FlatRegions {
  explicit FlatRegions(const Mesh& mesh);

  std::vector<std::uint32_t> face;    ///< per triangle: the lowest polygon of its region
  std::vector<std::uint8_t> inner;    ///< per triangle: bit k is set if edge k lies inside its region
  std::vector<std::uint8_t> is_edge;  ///< per vertex: 1 if an edge that is not inside a region ends there
};

}  // namespace graze::engine::manifold
