// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "bvh/tree.hpp"

namespace graze::query {

/// The nine directions of an 18-DOP: the axes, and the sums and differences of two of them.
constexpr int dop_directions = 9;

/// How far something reaches along the nine directions at both ends of a step: lo[end][direction], hi likewise.
/// Everything between moves linearly, so the bounds interpolated linearly are bounds in between (DESIGN 4): two of
/// these that are apart along one direction, on the same side, at both ends, are apart throughout.
struct Dop {
  float lo[2][dop_directions];
  float hi[2][dop_directions];
};

/// A tree over the triangles of a moving mesh.
class DopTree {
 public:
  DopTree(const Mesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end, int threads);

  /// New positions, the same tree: one pass over vertices, one over nodes.
  void refit(std::span<const Vec3> start, std::span<const Vec3> end, double margin, bool swept, int threads);

  const bvh::Tree& tree() const { return tree_; }
  const std::vector<Dop>& nodes() const { return dops_; }
  /// Of a vertex at an end.
  const float* projections(std::uint32_t vertex, int end) const {
    return projections_.data() + (std::size_t{vertex} * 2 + static_cast<std::size_t>(end)) * dop_directions;
  }
  /// What projections may be off by, and half the margin that is to be kept: two things are apart if their projections
  /// are apart by twice this.
  float slack() const { return slack_; }
  std::span<const Triangle> triangles() const { return mesh_.triangles(); }
  std::size_t bytes() const;

 private:
  void project(std::span<const Vec3> start, std::span<const Vec3> end, double margin, int threads);

  Mesh mesh_;
  bvh::Tree tree_;
  std::vector<Dop> dops_;
  std::vector<float> projections_;
  float slack_ = 0;
};

}  // namespace graze::query
