// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "core/large_memory.hpp"

namespace graze::engine::deform {

/// The two vertices of an edge, the lower first.
using EdgeVertices = std::array<std::uint32_t, 2>;

// Branch-free: the result is hard to predict.
inline bool has_vertex(const Triangle& t, std::uint32_t v) {
  const int corners = (t[0] == v) + (t[1] == v) + (t[2] == v);
  return corners != 0;
}
/// Do two triangles share a vertex? A triangle is adjacent to itself.
inline bool adjacent(const Triangle& a, const Triangle& b) {
  const int shared = has_vertex(b, a[0]) + has_vertex(b, a[1]) + has_vertex(b, a[2]);
  return shared != 0;
}
/// The index of a vertex in a triangle. If the triangle contains it twice, one of the two.
inline std::size_t corner_of(const Triangle& t, std::uint32_t v) {
  return (t[1] == v ? 1u : 0u) | (t[0] != v && t[1] != v ? 2u : 0u);
}
/// Does no earlier corner have the same vertex?
inline bool is_first_in_triangle(const Triangle& t, std::size_t k) {
  return k == 0 || (t[k] != t[0] && (k == 1 || t[2] != t[1]));
}
inline EdgeVertices edge_of(const Triangle& t, std::size_t k) {
  const std::uint32_t v = t[k], w = t[k == 2 ? 0 : k + 1];
  return v < w ? EdgeVertices{v, w} : EdgeVertices{w, v};
}
inline bool share_vertex(const EdgeVertices& a, const EdgeVertices& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

/// The effect of a break: triangles with changed vertices, new and removed triangles, and everything incident to them.
/// Lists are in ascending order.
struct Touched {
  std::vector<std::uint32_t> vertices;   ///< vertices of changed triangles, before or after
  std::vector<std::uint32_t> triangles;  ///< present triangles with such a vertex
  std::vector<bool> is_vertex, is_triangle;
};

/// Incidence of triangles with vertices and edges, and the choice of the triangle pair that represents a pair of
/// features (ICCD V.B). Works for any mesh: edges may have any number of triangles, triangles may be degenerate or
/// duplicated.
///
/// Loose edges and points follow the mesh's triangles, as triangles with equal corners: (a, b, b) with a < b, and
/// (p, p, p). Such a triangle has the faces and vertices of any other, so that a vertex and a loose edge, or a vertex
/// and a point, are a vertex and a face; of edges the first one has (a, b), and the second none.
class Topology {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;       ///< no triangle
  static constexpr std::uint32_t irregular = 0xfffffffeu;  ///< several, or one that traverses the edge the same way

  explicit Topology(const Mesh& mesh, int threads = 1);
  Topology(Topology&&) = default;  // a copy would refer to the triangles of the original
  Topology& operator=(Topology&&) = default;

  /// The same as of a new topology of this mesh, but for the numbers of `ring`: `number_touched` makes them. Triangles
  /// are recognised by their numbers. What is not touched is moved, not computed.
  Touched change_to(const Mesh& mesh);

  const Triangle& triangle(std::uint32_t t) const { return triangles_[t]; }
  /// Including those that stand for loose edges and points.
  std::size_t triangle_count() const { return triangles_.size(); }
  /// Without them.
  std::size_t surface_count() const { return mesh_.triangle_count(); }
  /// How many of a triangle's three edges are edges: 3; of a loose edge 1, of a point 0.
  std::size_t edges_of(std::uint32_t t) const {
    return t < surface_count() ? 3 : triangles_[t][0] != triangles_[t][1] ? 1 : 0;
  }
  std::size_t vertex_count() const { return first_.size() - 1; }
  /// The triangles incident to a vertex, in ascending order, each once.
  std::span<const std::uint32_t> around(std::uint32_t v) const {
    return {around_.data() + first_[v], around_.data() + first_[v + 1]};
  }

  /// Bit k (0..2): the triangle is the first with its vertex k; bit 3 + k: the first with its edge k (vertex k to k +
  /// 1), and this is its first edge between those vertices.
  unsigned first_bits(std::uint32_t t) const { return bits_[t]; }

  /// A superset of the vertices of all triangles incident to a triangle's vertices, hashed to 64 bits. If the sets of
  /// two triangles are disjoint, no triangle near the one is adjacent to a triangle near the other. Then the first
  /// triangles of any two of their features represent that pair of features (Algorithms 1 and 2).
  std::uint64_t ring(std::uint32_t t) const {
    const Triangle& x = triangles_[t];
    return rings_[x[0]] | rings_[x[1]] | rings_[x[2]];
  }
  /// Makes those sets small, if `position` gives nearby triangles nearby numbers.
  void number_by(std::span<const std::uint32_t> position, int threads = 1);
  /// After a change: only for what it touched.
  void number_touched(const Touched& touched, std::span<const std::uint32_t> position);

  /// Algorithm 1: is `t` the first triangle incident to v that is not adjacent to the face?
  bool stands_for_vertex(std::uint32_t v, std::uint32_t t, std::uint32_t face) const;
  /// Algorithm 2, for edges with any number of triangles: in a fixed order of all pairs of a triangle of one edge and a
  /// triangle of the other, is this the first pair that is not adjacent? Edge i of triangle a and edge j of b.
  bool stand_for_edges(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) const;
  /// The vertex of the triangle across edge k that is not on the edge; `none` or `irregular` as for `across`.
  std::uint32_t beyond(std::uint32_t t, std::size_t k) const { return beyond_[3 * std::size_t{t} + k]; }
  /// Are all triangles of one edge adjacent to all triangles of the other?
  bool all_adjacent(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) const;

  /// The other triangle at edge k if the edge has two triangles that traverse it in opposite directions; `none` if it
  /// has only this one.
  std::uint32_t across(std::uint32_t t, std::size_t k) const { return across_[3 * std::size_t{t} + k]; }
  static bool is_triangle(std::uint32_t other) { return other < irregular; }
  /// Calls `visit(triangle)` for each triangle with the edge, in ascending order.
  template <class Visit>
  void at_edge(const EdgeVertices& e, Visit&& visit) const {
    for (const std::uint32_t t : around_edge(e)) {
      if (has_edge(t, e)) visit(t);
    }
  }
  /// The triangles incident to that end of an edge that has fewer of them.
  std::span<const std::uint32_t> around_edge(const EdgeVertices& e) const {
    const auto first = around(e[0]), second = around(e[1]);
    return first.size() <= second.size() ? first : second;
  }
  bool has_edge(std::uint32_t t, const EdgeVertices& e) const {
    const Triangle& x = triangles_[t];
    if (t >= surface_count()) return edges_of(t) == 1 && edge_of(x, 0) == e;
    return edge_of(x, 0) == e || edge_of(x, 1) == e || edge_of(x, 2) == e;
  }

  std::size_t bytes() const;

 private:
  bool stand_for_edges(const EdgeVertices& e, std::uint32_t a, const EdgeVertices& f, std::uint32_t b) const;
  /// An edge of a triangle, seen from its lower vertex.
  struct EdgeEnd {
    std::uint32_t to;    ///< the higher vertex
    std::uint32_t side;  ///< 3 t + k
    std::uint32_t apex;  ///< the triangle's vertex that is not on the edge
    bool leaves;         ///< the triangle traverses the edge from the lower to the higher vertex
  };
  void connect(int threads);
  void list_ends(std::uint32_t v, std::vector<EdgeEnd>& ends) const;
  void connect_at(std::span<const EdgeEnd> ends);
  /// Connects all triangles at the edges from a vertex to higher vertices. `ends`: scratch memory.
  void connect_above(std::uint32_t v, std::vector<EdgeEnd>& ends);
  void set_first_bits(std::uint32_t t);
  std::uint8_t number_at(std::uint32_t v, std::span<const std::uint32_t> position) const;
  std::uint64_t ring_of_vertex(std::uint32_t v) const;
  void list_again(const Touched& touched, const std::vector<bool>& changed, std::span<const std::uint32_t> present);

  Mesh mesh_;                         // keeps the triangles alive
  std::vector<Triangle> with_loose_;  // if there are loose edges or points
  std::span<const Triangle> triangles_;
  core::LargeVector<std::uint32_t> first_, around_, across_, beyond_;
  std::vector<std::uint8_t> bits_;
  std::vector<std::uint8_t> numbers_;       // by vertex: 0 to 63
  core::LargeVector<std::uint64_t> rings_;  // by vertex: a superset of the vertices of all incident triangles, hashed
};

/// The triangles of a mesh, and then its loose edges and points as in `Topology`.
std::vector<Triangle> triangles_with_loose(const Mesh& mesh);

/// The connected component of each vertex, named by its lowest vertex.
std::vector<std::uint32_t> pieces(const Mesh& mesh);

}  // namespace graze::engine::deform
