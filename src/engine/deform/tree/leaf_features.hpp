// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/deform/tree/dop_tree.hpp"

namespace graze::engine::deform {

/// The triangles of a leaf, the features for which they are the first triangle, and the bounds of both.
struct LeafFeatures {
  struct Edge {
    EdgeVertices vertices;
    std::uint32_t face;  ///< index of the face in the leaf
    Dop bounds;
  };
  struct Vertex {
    std::uint32_t vertex, face;
    float ninth[4];  ///< as in `Dop`; the other bounds are the vertex's projection
  };

  std::uint32_t faces = 0, edges = 0, vertices = 0;
  std::uint64_t ring = 0;  ///< of all triangles of the leaf, see Topology
  std::array<std::uint32_t, patch_leaf_size> triangles;
  std::array<std::uint64_t, patch_leaf_size> rings;
  std::array<Dop, patch_leaf_size> bounds;
  std::array<Edge, 3 * patch_leaf_size> edge;
  std::array<Vertex, 3 * patch_leaf_size> vertex;
};

/// Cache of recently visited leaves: a traversal returns to the same leaves many times.
class LeafCache {
 public:
  LeafCache() : leaves_(slots) { forget(); }
  void forget() { nodes_.fill(Topology::none); }

  /// The slot of a node, different from that of `other`. `known`: the slot already holds this node.
  LeafFeatures& find(std::uint32_t node, std::uint32_t other, bool& known) {
    std::size_t at = node * 0x9E3779B1u >> 26;
    if (nodes_[at] != node && (nodes_[at ^ 1] == node || nodes_[at] == other)) at ^= 1;
    known = nodes_[at] == node;
    nodes_[at] = node;
    return leaves_[at];
  }

 private:
  static constexpr std::size_t slots = 64;
  std::array<std::uint32_t, slots> nodes_;
  std::vector<LeafFeatures> leaves_;
};

}  // namespace graze::engine::deform
