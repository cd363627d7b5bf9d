// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>

#include "engine/deform/near/instant_boxes.hpp"
#include "engine/deform/topology/orphans.hpp"
#include "engine/deform/topology/topology.hpp"
#include "engine/deform/tree/patch_tree.hpp"

namespace graze::engine::deform {

/// The vertices, edges and faces of which a leaf's triangles are the first (`Topology::first_bits`), in boxes. Every
/// vertex and edge belongs to one leaf, and each face, so each pair of features is met in one pair of leaves, and
/// neighbours need no treatment of their own: pairs that share a vertex are left out one by one.
///
/// Boxes are single precision, relative to the leaf's own centre: they are sharp wherever the leaf is. Each bound is
/// off by at most 2^-24 `extent`. Blocks of eight are filled up with empty boxes.
struct LeafBoxes {
  /// Boxes of features with so many vertices.
  template <std::size_t N, std::size_t Vertices>
  struct Boxes {
    alignas(32) float lo[3][N];
    alignas(32) float hi[3][N];
    alignas(32) std::uint32_t vertices[Vertices][N];  ///< in ascending order
    std::size_t count = 0;
  };
  Boxes<3 * patch_leaf_size, 1> points;
  Boxes<3 * patch_leaf_size, 2> edges;
  Boxes<patch_leaf_size, 3> faces;
  std::array<double, 3> centre;
  std::array<double, 3> half;  ///< no coordinate is further from the centre's
  double extent;               ///< the largest of these

  void load(const Topology& topology, std::span<const std::uint32_t> triangles, const NodeBox& box,
            std::span<const Vec3> points_of);
};

/// Pairs of features whose boxes are not certainly apart and that share no vertex.
class CandidateList {
 public:
  /// Two leaves, or one with itself, add at most so many pairs.
  static constexpr std::size_t most_added = 9 * patch_leaf_size * patch_leaf_size;

  std::size_t size() const { return size_; }
  FourVertices& operator[](std::size_t i) { return storage_[i]; }
  FourVertices* begin() { return storage_.data(); }
  FourVertices* end() { return storage_.data() + size_; }
  void resize(std::size_t size) { size_ = size; }  ///< to fewer
  /// Where the next pairs go; there is room for `most_added`.
  FourVertices* room() {
    if (storage_.size() < size_ + most_added) storage_.resize(2 * size_ + most_added);
    return end();
  }
  void filled_to(const FourVertices* end) { size_ = static_cast<std::size_t>(end - storage_.data()); }

 private:
  std::vector<FourVertices> storage_;
  std::size_t size_ = 0;
};
struct NearCandidates {
  CandidateList vertex_face, edge_edge;
};
/// Adds the pairs between two leaves, or of one with itself, whose boxes are at most `clearance` apart.
void find_near_features(const LeafBoxes& a, const LeafBoxes& b, double clearance, NearCandidates& out);

}  // namespace graze::engine::deform
