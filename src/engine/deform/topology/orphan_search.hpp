// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/deform/topology/orphans.hpp"

namespace graze::engine::deform {

/// Triangles with two or more vertices that have very many triangles, by pairs of such vertices.
class HubTriangles {
 public:
  static constexpr std::size_t many = 256;  ///< triangles at a hub

  explicit HubTriangles(const Topology& topology);
  /// The triangles with an edge between two hubs, as third entries.
  std::span<const std::array<std::uint32_t, 3>> at(std::uint32_t v, std::uint32_t w) const;

 private:
  std::vector<std::array<std::uint32_t, 3>> sorted_;  // lower hub, higher hub, triangle
};

/// Finds the orphans of vertices and edges one by one. Every orphan of the mesh is found by exactly one of them.
class OrphanSearch {
 public:
  OrphanSearch(const Topology& topology, const HubTriangles& hubs, std::vector<Orphan>& out)
      : topology_(topology), hubs_(hubs), out_(out), marks_(topology.vertex_count(), 0) {}

  /// Faces that are orphans with a vertex. Also pairs of plain edges: one opposite the vertex, one incident to it.
  void at_vertex(std::uint32_t v);
  /// Edges that are orphans with edge k of `t`, if `t` is the first triangle with that edge and the edge is not plain.
  void at_edge(std::uint32_t t, std::size_t k);

 private:
  /// An edge, given as edge k of a triangle that contains it.
  struct Side {
    std::uint32_t t;
    std::size_t k;
  };
  EdgeVertices vertices(const Side& s) const { return edge_of(topology_.triangle(s.t), s.k); }
  std::uint32_t apex(const Side& s) const { return topology_.triangle(s.t)[s.k == 0 ? 2 : s.k - 1]; }
  std::uint32_t beyond(const Side& s) const { return topology_.beyond(s.t, s.k); }
  Side other(const Side& s) const;
  Side first(const Side& s) const;
  bool is_plain(const Side& s) const;
  std::uint32_t least_surrounded(std::uint32_t v, std::span<const std::uint32_t> around) const;
  void faces_of(std::uint32_t v, std::span<const std::uint32_t> around, bool marked);
  bool is_hub(std::uint32_t v) const { return topology_.around(v).size() > HubTriangles::many; }
  template <class Visit>
  void near_faces(std::uint32_t v, std::uint32_t w, std::span<const std::uint32_t> around, Visit&& visit) const;
  bool joined(std::uint32_t v, std::uint32_t w) const;
  void plain_edges_across(std::uint32_t v, std::span<const std::uint32_t> around);
  void from_apex(const Side& e);
  void any_edge(const Side& e);
  void add_plain_pair(const Side& e, const Side& g);
  void add_pair(const Side& e, const Side& g);

  const Topology& topology_;
  const HubTriangles& hubs_;
  std::vector<Orphan>& out_;
  std::vector<std::uint8_t> marks_;  // by vertex: how many triangles incident to the current vertex contain it
};

}  // namespace graze::engine::deform
