// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// An undirected edge; edges are numbered by their sorted vertex pairs.
enum class EdgeId : std::uint32_t {};
/// Corner number h of `Mesh::polygons().corners`, interpreted as the half-edge from this corner to the polygon's next
/// one.
enum class HalfEdgeId : std::uint32_t {};

constexpr std::uint32_t index(EdgeId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(HalfEdgeId id) { return static_cast<std::uint32_t>(id); }

/// An edge that two polygons traverse in the same direction: one of the two has the wrong orientation, or the surface
/// is not orientable.
struct OrientationConflict {
  std::array<VertexId, 2> edge;
  std::array<PolygonId, 2> polygons;
  friend bool operator==(const OrientationConflict&, const OrientationConflict&) = default;
};

/// Which polygons meet at which edges and vertices; built in linear time for any input. An edge may belong to any
/// number of polygons in any direction, so no information is lost where the surface is open, non-manifold or
/// inconsistently oriented (Zachmann 4.1 assumes two polygons per edge and cannot represent these cases). A half-edge
/// from a vertex to itself is not an edge.
class GRAZE_API Connectivity {
 public:
  explicit Connectivity(const Mesh& mesh);

  static constexpr EdgeId no_edge{std::numeric_limits<std::uint32_t>::max()};
  static constexpr HalfEdgeId no_half_edge{std::numeric_limits<std::uint32_t>::max()};

  const Mesh& mesh() const { return mesh_; }

  std::size_t half_edge_count() const { return polygon_of_.size(); }
  VertexId from(HalfEdgeId h) const { return VertexId{corners()[index(h)]}; }
  VertexId to(HalfEdgeId h) const { return from(next(h)); }
  PolygonId polygon(HalfEdgeId h) const { return PolygonId{polygon_of_[index(h)]}; }
  /// The next and the previous half-edge of the polygon.
  HalfEdgeId next(HalfEdgeId h) const;
  HalfEdgeId previous(HalfEdgeId h) const;
  /// `no_edge` for a half-edge from a vertex to itself.
  EdgeId edge(HalfEdgeId h) const { return EdgeId{edge_of_[index(h)]}; }
  /// The other half-edge if the edge has exactly two (in any directions), else `no_half_edge`.
  HalfEdgeId twin(HalfEdgeId h) const;
  /// True if the half-edge runs from its edge's lower to its higher vertex.
  bool is_forward(HalfEdgeId h) const { return index(from(h)) < index(to(h)); }

  std::size_t edge_count() const { return first_of_edge_.size() - 1; }
  /// The lower vertex first.
  std::array<VertexId, 2> vertices(EdgeId e) const;
  /// All half-edges of an edge, in ascending order.
  std::span<const HalfEdgeId> half_edges(EdgeId e) const;
  /// The edge between two vertices in either order, or `no_edge`.
  EdgeId find(VertexId a, VertexId b) const;

  /// The half-edges of a polygon, in order: the numbers [first, last).
  std::array<std::uint32_t, 2> half_edges(PolygonId p) const;
  /// The half-edges that start at a vertex, in ascending order: one for each corner there.
  std::span<const HalfEdgeId> half_edges_from(VertexId v) const;

  /// Polygons around a vertex that are connected by edges with exactly two polygons, in counter-clockwise order where
  /// the orientation defines one. A vertex of a manifold surface has one fan: a ring in the interior, an open fan at
  /// the boundary.
  struct Fan {
    std::vector<HalfEdgeId> half_edges;  ///< each starts at the vertex and represents its polygon's corner there
    bool ring = false;
  };
  std::vector<Fan> fans(VertexId v) const;

  /// Edges that their polygons do not traverse equally often in both directions (a difference of one is allowed if the
  /// number of polygons is odd), each with the first two polygons of the more frequent direction; ordered by edge.
  std::span<const OrientationConflict> conflicts() const { return conflicts_; }

 private:
  const std::vector<std::uint32_t>& corners() const { return mesh_.polygons().corners; }
  void build_edges();
  void find_conflicts();
  HalfEdgeId step_around(HalfEdgeId corner, EdgeId across) const;

  Mesh mesh_;
  std::vector<std::uint32_t> polygon_of_;     // per half-edge
  std::vector<std::uint32_t> edge_of_;        // per half-edge
  std::vector<std::uint32_t> first_of_edge_;  // per edge, and one more: into by_edge_
  std::vector<HalfEdgeId> by_edge_;
  std::vector<std::uint32_t> first_edge_;       // per vertex, and one more: edges whose lower vertex it is
  std::vector<std::uint32_t> first_of_vertex_;  // per vertex, and one more: into by_vertex_
  std::vector<HalfEdgeId> by_vertex_;
  std::vector<OrientationConflict> conflicts_;
};

}  // namespace graze
