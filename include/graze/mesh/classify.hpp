// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/mesh/connectivity.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// An edge that too few or too many polygons share.
struct IrregularEdge {
  std::array<VertexId, 2> edge;
  std::uint32_t polygon_count = 0;
  PolygonId polygon{};  ///< the lowest of them
  friend bool operator==(const IrregularEdge&, const IrregularEdge&) = default;
};

/// A polygon with the same vertices as an earlier one, in any order.
struct DuplicatePolygon {
  PolygonId polygon{};
  PolygonId first{};
  friend bool operator==(const DuplicatePolygon&, const DuplicatePolygon&) = default;
};

/// The properties of a mesh (Zachmann 4.2). Each is decided exactly from the given coordinates and indices. Vertices
/// are not welded: a file that repeats its vertices (STL) is a soup of open triangles until `weld` is called.
struct Classification {
  bool closed = false;           ///< no edge with only one polygon
  bool manifold = false;         ///< at most two polygons per edge, and one fan or ring of them around every vertex
  bool oriented = false;         ///< neighbours traverse their common edges in opposite directions
  bool even = false;             ///< an even number of polygons at every edge, so that inside and outside are defined
  bool planar_polygons = false;  ///< every polygon lies in one plane
  bool convex_polygons = false;  ///< every polygon is planar, convex and not degenerate
  /// The closed surface of a convex body; neighbours may be coplanar, the orientation may be inward.
  bool convex = false;
  /// +1: polygons face outward, -1: inward, 0: no volume, or not defined (some edge is not traversed equally often in
  /// both directions).
  int volume_sign = 0;

  std::int64_t euler_characteristic = 0;  ///< used vertices - edges + polygons
  std::uint32_t edge_count = 0;
  std::uint32_t component_count = 0;        ///< connected components; polygons that share a vertex are connected
  std::vector<std::uint32_t> component_of;  ///< per polygon; components are numbered by their lowest polygon

  std::vector<IrregularEdge> boundary_edges;      ///< one polygon
  std::vector<IrregularEdge> non_manifold_edges;  ///< three or more
  std::vector<VertexId> non_manifold_vertices;  ///< several fans meet here, although none of its edges is non-manifold
  std::vector<OrientationConflict> orientation_conflicts;
  std::vector<PolygonId> non_planar_polygons;
  std::vector<PolygonId> non_convex_polygons;    ///< also the non-planar and the degenerate ones
  std::vector<PolygonId> degenerate_polygons;    ///< every triangle has area zero
  std::vector<TriangleId> degenerate_triangles;  ///< area zero
  std::vector<DuplicatePolygon> duplicate_polygons;
  std::vector<VertexId> unused_vertices;
};

GRAZE_API Classification classify(const Mesh& mesh);
/// The same if the connectivity has already been built.
GRAZE_API Classification classify(const Connectivity& connectivity);

}  // namespace graze
