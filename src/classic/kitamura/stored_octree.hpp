// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/math/box3.hpp>

#include "classic/kitamura/scene.hpp"

namespace graze::classic::kitamura {

/// The complete face octree of a body in its own frame (Kitamura 5.2): its black nodes, those that meet faces, and for
/// each black leaf the faces that meet it. Cells are closed and cover the root, so every point of a face lies in a leaf
/// that lists the face; the face/cell test is exact.
class StoredOctree {
 public:
  /// `level`: how often cells are subdivided; none: until at most eight faces are in a node, but at most six times.
  StoredOctree(const PlacedBody& body, std::optional<int> level);

  struct Node {
    Box3 cell;
    std::uint32_t first = 0;  ///< its first child; leaf: its first face in `faces`
    std::uint32_t count = 0;  ///< number of children, or of faces
    bool is_leaf = false;
  };
  const std::vector<Node>& nodes() const { return nodes_; }  ///< the root first
  std::span<const std::uint32_t> faces(const Node& leaf) const { return {faces_.data() + leaf.first, leaf.count}; }
  std::optional<int> level() const { return level_; }
  std::size_t bytes() const { return nodes_.size() * sizeof(Node) + faces_.size() * sizeof(std::uint32_t); }

 private:
  void fill(const PlacedBody& body, std::size_t node, int depth, std::vector<std::uint32_t> faces);

  std::optional<int> level_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> faces_;
};

}  // namespace graze::classic::kitamura
