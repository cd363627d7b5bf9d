// SPDX-License-Identifier: MIT
#pragma once

#include <graze/mesh/classify.hpp>
#include <graze/mesh/mesh.hpp>

#include "query/collide/box_tree_data.hpp"
#include "query/collide/grid.hpp"
#include "query/edge_list.hpp"
#include "query/first_contact/hull_tree.hpp"
#include "query/first_contact/interval_tree.hpp"
#include "query/lazy.hpp"
#include "query/vertex_triangles.hpp"
#include "query/wide_tree.hpp"

namespace graze::query {

/// What a Body holds. The tree is made with the body; the rest when a method first needs it.
struct BodyData {
  explicit BodyData(Mesh m, int threads);
  /// The same polygons elsewhere.
  BodyData(Mesh m, const BodyData& before, int threads);

  Mesh mesh;
  WideTree tree;
  /// Of a refitted tree: the positions it was built for. `Body` of these, deformed to the present ones, is this body.
  std::shared_ptr<const std::vector<Vec3>> built_at;
  double build_seconds = 0;

  const Classification& classification() const {
    return classification_.get([this] { return classify(mesh); });
  }
  const EdgeList& edges() const {
    return edges_.get([this] { return EdgeList(mesh); });
  }
  std::shared_ptr<const BoxTreeData> box_tree(const BoxTreeBuild& build) const {
    return box_trees_.get(build, [&] { return BoxTreeData(mesh, edges(), build); });
  }

  /// Bit k: edge k of the triangle is a diagonal of a planar polygon, and so no edge of the surface.
  unsigned inner_edges(std::uint32_t triangle) const {
    if (!has_diagonals_) return 0;
    return inner_edges_.get([this] { return find_inner_edges(); })[triangle];
  }

  const VertexTriangles& vertex_triangles() const {
    return vertex_triangles_.get([this] { return VertexTriangles(mesh); });
  }
  const HullTree& hull_tree() const {
    return hull_tree_.get([this] { return HullTree(mesh); });
  }
  const IntervalTree& interval_tree() const {
    return interval_tree_.get([this] { return IntervalTree(mesh); });
  }
  const Grid& grid() const {
    return grid_.get([this] { return Grid(mesh); });
  }

  /// Corner k of a triangle.
  const Vec3& corner(std::uint32_t triangle, std::size_t k) const {
    return mesh.positions()[mesh.triangles()[triangle][k]];
  }

 private:
  Lazy<Classification> classification_;
  Lazy<EdgeList> edges_;
  Lazy<Grid> grid_;
  Lazy<HullTree> hull_tree_;
  Lazy<IntervalTree> interval_tree_;
  Lazy<VertexTriangles> vertex_triangles_;
  bool has_diagonals_ = mesh.triangle_count() != mesh.polygon_count();
  Lazy<std::vector<std::uint8_t>> inner_edges_;
  std::vector<std::uint8_t> find_inner_edges() const;
  BoxTreeCache box_trees_;
};

}  // namespace graze::query
