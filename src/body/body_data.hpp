// SPDX-License-Identifier: MIT
#pragma once

#include <graze/mesh/classify.hpp>
#include <graze/mesh/mesh.hpp>

#include "body/edge_list.hpp"
#include "body/lazy.hpp"
#include "body/parts.hpp"
#include "body/vertex_triangles.hpp"
#include "body/wide_tree.hpp"

namespace graze::body {

/// The data of a Body. The tree is built with the body; everything else is built when a method first needs it.
struct BodyData {
  explicit BodyData(Mesh m, int threads);
  /// The same polygons with moved vertices.
  BodyData(Mesh m, const BodyData& before, int threads);

  Mesh mesh;
  WideTree tree;
  /// For a refitted tree: the vertex positions it was built for. A `Body` built from these and then deformed to the
  /// present positions equals this body.
  std::shared_ptr<const std::vector<Vec3>> built_at;
  double build_seconds = 0;

  const Classification& classification() const {
    return classification_.get([this] { return classify(mesh); });
  }
  const EdgeList& edges() const {
    return edges_.get([this] { return EdgeList(mesh); });
  }

  /// Bit k is set if edge k of the triangle is a diagonal of a planar polygon, and so not an edge of the surface.
  unsigned inner_edges(std::uint32_t triangle) const {
    if (!has_diagonals_) return 0;
    return inner_edges_.get([this] { return find_inner_edges(); })[triangle];
  }

  const VertexTriangles& vertex_triangles() const {
    return vertex_triangles_.get([this] { return VertexTriangles(mesh); });
  }

  /// Data that a single method needs: a type constructed from the mesh alone.
  template <class Part>
  const Part& part() const {
    return parts_.get<Part>([this] { return Part(mesh); });
  }

  /// Corner k of a triangle.
  const Vec3& corner(std::uint32_t triangle, std::size_t k) const {
    return mesh.positions()[mesh.triangles()[triangle][k]];
  }

 private:
  Lazy<Classification> classification_;
  Lazy<EdgeList> edges_;
  Lazy<VertexTriangles> vertex_triangles_;
  bool has_diagonals_ = mesh.triangle_count() != mesh.polygon_count();
  Lazy<std::vector<std::uint8_t>> inner_edges_;
  std::vector<std::uint8_t> find_inner_edges() const;
  Parts parts_;
};

}  // namespace graze::body
