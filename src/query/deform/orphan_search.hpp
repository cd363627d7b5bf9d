// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "query/deform/orphans.hpp"

namespace graze::query {

/// Finds orphans of vertices and edges one by one; every orphan of the mesh is found by just one of them.
class OrphanSearch {
 public:
  OrphanSearch(const Topology& topology, std::vector<Orphan>& out)
      : topology_(topology), out_(out), marks_(topology.vertex_count(), 0) {}

  /// Faces that are orphans with a vertex; and edges across from it, with those from it, if both are plain.
  void at_vertex(std::uint32_t v);
  /// Edges that are orphans with one that `t` is the first to have, if that is not plain.
  void at_edge(std::uint32_t t, std::size_t k);

 private:
  /// An edge as edge k of a triangle that has it.
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
  bool joined(std::uint32_t v, std::uint32_t w) const;
  void plain_edges_across(std::uint32_t v, std::span<const std::uint32_t> around);
  void from_apex(const Side& e);
  void any_edge(const Side& e);
  void add_plain_pair(const Side& e, const Side& g);
  void add_pair(const Side& e, const Side& g);

  const Topology& topology_;
  std::vector<Orphan>& out_;
  std::vector<std::uint8_t> marks_;  // by vertex: how many triangles around the one at hand have it
};

}  // namespace graze::query
