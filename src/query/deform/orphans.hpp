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

/// What a break changed: triangles whose vertices are other ones, that are new or are gone, and everything around them.
struct Touched {
  std::vector<bool> vertices;   ///< corners, before or after, of changed triangles
  std::vector<bool> triangles;  ///< those with such a corner, before or after; as many as there are now
  std::size_t count = 0;        ///< of triangles
};

/// Connectivity alone decides which there are (V.E), so they are found once and mended after a break. Mostly they are
/// far fewer than triangles; but in an open fan all triangles are adjacent, and nearly every pair of features is an
/// orphan. Where there are so many that a list of them serves nobody, there is none, and adjacent triangles have to be
/// walked.
class Orphans {
 public:
  explicit Orphans(const Topology& topology, int threads = 1);

  /// After a break (V.E.1): those with a touched vertex are dropped and found again among the touched triangles.
  void mend(const Topology& topology, const Touched& touched);

  const std::vector<Orphan>& all() const { return all_; }
  /// There is no list.
  bool too_many() const { return too_many_; }
  std::size_t bytes() const { return all_.size() * sizeof(Orphan); }
  /// How many pairs of adjacent triangles were looked at when these were last mended; when made: how many there are.
  std::uint64_t updated() const { return updated_; }

 private:
  static std::size_t most(const Topology& topology) { return 65536 + 16 * topology.triangle_count(); }
  void add_of(const Topology& topology, std::uint32_t t);
  void add_with(const Topology& topology, std::uint32_t t, std::uint32_t f);

  std::vector<Orphan> all_;
  std::uint64_t updated_ = 0;
  bool too_many_ = false;
};

}  // namespace graze::query
