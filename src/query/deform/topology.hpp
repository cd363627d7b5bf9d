// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "core/large_memory.hpp"

namespace graze::query {

/// The two vertices of an edge, the lower first.
using EdgeVertices = std::array<std::uint32_t, 2>;

// Without branches: what comes out is hard to foresee.
inline bool has_vertex(const Triangle& t, std::uint32_t v) {
  const int corners = (t[0] == v) + (t[1] == v) + (t[2] == v);
  return corners != 0;
}
/// Triangles that share a vertex; a triangle is adjacent to itself.
inline bool adjacent(const Triangle& a, const Triangle& b) {
  const int shared = has_vertex(b, a[0]) + has_vertex(b, a[1]) + has_vertex(b, a[2]);
  return shared != 0;
}
/// Which corner of a triangle a vertex is; one that it is twice, if it is.
inline std::size_t corner_of(const Triangle& t, std::uint32_t v) {
  return (t[1] == v ? 1u : 0u) | (t[0] != v && t[1] != v ? 2u : 0u);
}
inline EdgeVertices edge_of(const Triangle& t, std::size_t k) {
  const std::uint32_t v = t[k], w = t[k == 2 ? 0 : k + 1];
  return v < w ? EdgeVertices{v, w} : EdgeVertices{w, v};
}
inline bool share_vertex(const EdgeVertices& a, const EdgeVertices& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

/// Which triangles meet at a vertex or an edge, and which pair of triangles stands for a pair of features (ICCD V.B).
/// Works for any mesh: edges may have any number of triangles, triangles may be degenerate or double.
class Topology {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;       ///< no triangle
  static constexpr std::uint32_t irregular = 0xfffffffeu;  ///< several, or one that walks the edge the same way

  explicit Topology(const Mesh& mesh, int threads = 1);

  const Triangle& triangle(std::uint32_t t) const { return triangles_[t]; }
  std::size_t triangle_count() const { return triangles_.size(); }
  std::size_t vertex_count() const { return first_.size() - 1; }
  /// The triangles that have a vertex, rising, each once.
  std::span<const std::uint32_t> around(std::uint32_t v) const {
    return {around_.data() + first_[v], around_.data() + first_[v + 1]};
  }

  /// Bit k (0..2): the triangle is the first that has its corner k; bit 3 + k: the first that has its edge k (corner k
  /// to k + 1), and this is its first edge between those vertices.
  unsigned first_bits(std::uint32_t t) const { return bits_[t]; }

  /// A set that holds every vertex of every triangle around a triangle's corners, hashed to 64 bits. If those of two
  /// triangles have nothing in common, no triangles near to the one and the other are adjacent: the triangles that
  /// first have two of their features stand for that pair of features (Algorithms 1 and 2).
  std::uint64_t ring(std::uint32_t t) const {
    const Triangle& x = triangles_[t];
    return rings_[x[0]] | rings_[x[1]] | rings_[x[2]];
  }
  /// Makes those sets small where `position` numbers triangles so that near ones have near numbers.
  void number_by(std::span<const std::uint32_t> position, int threads = 1);

  /// Algorithm 1: is `t` the first triangle around v that is not adjacent to the face?
  bool stands_for_vertex(std::uint32_t v, std::uint32_t t, std::uint32_t face) const;
  /// Algorithm 2, for edges with any number of triangles: in a fixed order of all pairs of a triangle of one edge and
  /// one of the other, is this the first pair that is not adjacent? Edge i of triangle a and edge j of b.
  bool stand_for_edges(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) const;
  /// The corner of the triangle across edge k that is not on it; `none` or `irregular` as `across`.
  std::uint32_t beyond(std::uint32_t t, std::size_t k) const { return beyond_[3 * std::size_t{t} + k]; }
  /// Are all triangles of one edge adjacent to all of the other?
  bool all_adjacent(std::uint32_t a, std::size_t i, std::uint32_t b, std::size_t j) const;

  /// The other triangle at edge k if the edge has two that walk it in opposite directions; `none` if it has only this.
  std::uint32_t across(std::uint32_t t, std::size_t k) const { return across_[3 * std::size_t{t} + k]; }
  static bool is_triangle(std::uint32_t other) { return other < irregular; }
  /// Calls `visit(triangle)` for each that has the edge, rising.
  template <class Visit>
  void at_edge(const EdgeVertices& e, Visit&& visit) const {
    for (const std::uint32_t t : around(e[0])) {
      if (has_edge(triangles_[t], e)) visit(t);
    }
  }
  static bool has_edge(const Triangle& t, const EdgeVertices& e) {
    return edge_of(t, 0) == e || edge_of(t, 1) == e || edge_of(t, 2) == e;
  }

  std::size_t bytes() const;

 private:
  bool stand_for_edges(const EdgeVertices& e, std::uint32_t a, const EdgeVertices& f, std::uint32_t b) const;
  /// An edge of a triangle, seen from its lower vertex.
  struct EdgeEnd {
    std::uint32_t to;    ///< the higher vertex
    std::uint32_t side;  ///< 3 t + k
    std::uint32_t apex;  ///< the triangle's corner that is not on it
    bool leaves;         ///< the triangle walks it from the lower to the higher
  };
  void connect(int threads);
  void list_ends(std::uint32_t v, std::vector<EdgeEnd>& ends) const;
  void connect_at(std::span<const EdgeEnd> ends);
  void set_first_bits(int threads);

  Mesh mesh_;  // keeps the triangles
  std::span<const Triangle> triangles_;
  core::LargeVector<std::uint32_t> first_, around_, across_, beyond_;
  std::vector<std::uint8_t> bits_;
  core::LargeVector<std::uint64_t>
      rings_;  // by vertex: a set that holds every vertex of every triangle around it, hashed
};

/// The connected piece of each vertex, by its lowest vertex.
std::vector<std::uint32_t> pieces(const Mesh& mesh);

}  // namespace graze::query
