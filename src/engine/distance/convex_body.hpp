// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/classify.hpp>
#include <graze/mesh/mesh.hpp>

#include "prim/convex/points.hpp"

namespace graze::engine::distance {

/// Lists of numbers, stored contiguously.
struct Lists {
  std::vector<std::uint32_t> first{0}, items;

  std::size_t size() const { return first.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {items.data() + first[i], items.data() + first[i + 1]};
  }
};

/// The corners, edges and flat faces of a convex solid, found exactly in its mesh: adjacent coplanar polygons are one
/// face, and a vertex is a corner if it has at least three faces (two: it is inside an edge; one: inside a face).
struct ConvexShape {
  std::vector<std::uint32_t> corners;               ///< mesh vertices, ascending; the lowest of coincident vertices
  std::vector<std::array<std::uint32_t, 2>> edges;  ///< indices into `corners`
  Lists faces_of_corner;                            ///< ascending
  Lists polygons_of_face;                           ///< ascending
  Lists corners_of_face;                            ///< ascending
  bool plain = true;  ///< every vertex that polygons use is a corner: an edge of the solid is an edge of the mesh

  explicit ConvexShape(const Mesh& mesh);
};

struct ConvexBodyData {
  /// Throws `Error` if the mesh is not convex.
  ConvexBodyData(const Mesh& m, const Classification& c);

  Mesh mesh;
  ConvexShape shape;
  prim::ConvexPoints points;
};

}  // namespace graze::engine::distance
