// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <graze/classic/zachmann.hpp>
#include <graze/math/box3.hpp>
#include <graze/mesh/mesh.hpp>

#include "body/body_data.hpp"

namespace graze::classic::zachmann {

/// Zachmann's box-tree of one body (3.6.3): the body's box, cut recursively in two by planes perpendicular to an axis.
/// A node stores no box: a traversal derives it from the level above.
///
/// Invariant: for every point of a triangle (an edge) there is a leaf that lists the triangle (the edge) and whose box,
/// widened by `delta`, contains the point. Proof: a triangle goes to the left of a cut only if it ends before cut +
/// delta, to the right only if it begins after cut - delta, otherwise to both; follow the point down, to the only side
/// listed, or to the one the point is on.
struct BoxTreeData {
  static constexpr int leaf_axis = 3;
  struct Node {
    double cut;           ///< where the plane cuts the axis
    std::uint32_t left;   ///< a node; leaf: its entry in `leaves`
    std::uint32_t right;  ///< a node
    int axis;             ///< 0, 1, 2, or leaf_axis
    bool is_leaf() const { return axis == leaf_axis; }
  };
  struct Leaf {
    std::uint32_t first_face, last_face, first_edge, last_edge;
    bool empty() const { return first_face == last_face && first_edge == last_edge; }
  };

  BoxTreeData(const Mesh& mesh, const body::EdgeList& edges, const BoxTreeBuild& build);

  std::vector<Node> nodes;  ///< the first is the root
  std::vector<Leaf> leaves;
  std::vector<std::uint32_t> faces;  ///< triangle ids, leaf by leaf; a triangle that crosses a cut is in several
  std::vector<std::uint32_t> edges;  ///< edge ids, likewise
  Box3 box;                          ///< the root's
  double delta = 0;                  ///< half the thickness of the cut-planes
  int depth = 0;
  bool halved = false;  ///< every cut is in the middle of its box

  bool is_empty(std::uint32_t node) const { return nodes[node].is_leaf() && leaves[nodes[node].left].empty(); }
  std::span<const std::uint32_t> faces_of(const Leaf& leaf) const {
    return {faces.data() + leaf.first_face, faces.data() + leaf.last_face};
  }
  std::span<const std::uint32_t> edges_of(const Leaf& leaf) const {
    return {edges.data() + leaf.first_edge, edges.data() + leaf.last_edge};
  }
};

/// The trees of the last few settings: built by the first query that needs one, then shared and immutable.
class BoxTreeCache {
 public:
  explicit BoxTreeCache(const Mesh&) {}
  std::shared_ptr<const BoxTreeData> get(const body::BodyData& body, const BoxTreeBuild& build) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, tree] : trees_)
      if (key == build) return tree;
    constexpr std::size_t kept = 4;
    if (trees_.size() == kept) trees_.erase(trees_.begin());
    trees_.emplace_back(build, std::make_shared<const BoxTreeData>(body.mesh, body.edges(), build));
    return trees_.back().second;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<BoxTreeBuild, std::shared_ptr<const BoxTreeData>>> trees_;
};

/// The box-tree of a body for these settings.
inline std::shared_ptr<const BoxTreeData> box_tree_of(const body::BodyData& body, const BoxTreeBuild& build) {
  return body.part<BoxTreeCache>().get(body, build);
}

}  // namespace graze::classic::zachmann
