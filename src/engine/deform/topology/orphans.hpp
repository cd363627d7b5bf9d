// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/deform/topology/topology.hpp"

namespace graze::engine::deform {

/// Vertex ids of a vertex and a face, or of two edges.
using FourVertices = std::array<std::uint32_t, 4>;

/// A vertex and a face, or two edges, that share no vertex although all their triangles are adjacent to each other. No
/// pair of non-adjacent triangles would ever test them (ICCD V.D).
struct Orphan {
  FourVertices vertices;
  std::array<std::uint32_t, 2> triangles;  ///< the first triangle with the one feature, with the other (or the face)
  bool edges;
};

/// Orphans depend on the connectivity alone (V.E), so they are found once and updated after a break. Usually there are
/// far fewer orphans than triangles. But in an open fan all triangles are adjacent, and nearly every pair of features
/// is an orphan. If there are too many for a list to be useful, there is no list, and adjacent triangles must be
/// traversed.
class Orphans {
 public:
  explicit Orphans(const Topology& topology, int threads = 1);

  /// After a break (V.E.1): orphans with a touched vertex are dropped and searched again among the touched triangles.
  void repair(const Topology& topology, const Touched& touched);

  const std::vector<Orphan>& all() const { return all_; }
  /// True: there is no list.
  bool too_many() const { return too_many_; }
  std::size_t bytes() const { return all_.size() * sizeof(Orphan); }
  /// The number of pairs of adjacent triangles visited by the last update; after construction: the number of such
  /// pairs.
  std::uint64_t updated() const { return updated_; }

 private:
  static std::size_t most(const Topology& topology) { return 65536 + 16 * topology.triangle_count(); }
  void add_of(const Topology& topology, std::uint32_t t);
  void add_with(const Topology& topology, std::uint32_t t, std::uint32_t f);

  std::vector<Orphan> all_;
  std::uint64_t updated_ = 0;
  bool too_many_ = false;
};

}  // namespace graze::engine::deform
