// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "query/deform/topology.hpp"

namespace graze::query {

/// Vertex ids of a vertex and a face, or of two edges.
using FourVertices = std::array<std::uint32_t, 4>;

/// A vertex and a face, or two edges, all of whose triangles are adjacent to each other, though they share no vertex
/// themselves: no pair of triangles that are not adjacent would ever test them (ICCD V.D).
struct Orphan {
  FourVertices vertices;
  std::array<std::uint32_t, 2> triangles;  ///< the first that has the one feature, and the other's (or the face)
  bool edges;
};

/// Connectivity alone decides which there are (V.E), so they are found once and mended after a break.
class Orphans {
 public:
  explicit Orphans(const Topology& topology);

  const std::vector<Orphan>& all() const { return all_; }
  std::size_t bytes() const { return all_.size() * sizeof(Orphan); }
  /// How many orphans were computed or looked at again when these were made.
  std::uint64_t updated() const { return updated_; }

 private:
  void add_of(const Topology& topology, std::uint32_t t);
  void add_with(const Topology& topology, std::uint32_t t, std::uint32_t f);

  std::vector<Orphan> all_;
  std::uint64_t updated_ = 0;
};

}  // namespace graze::query
