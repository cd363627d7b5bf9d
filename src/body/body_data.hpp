// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <graze/math/pose.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/mesh.hpp>

#include "body/edge_list.hpp"
#include "body/lazy.hpp"
#include "body/parts.hpp"
#include "body/vertex_triangles.hpp"
#include "body/wide_tree.hpp"
#include "shape/core.hpp"

namespace graze {
class SurfaceBody;
}

namespace graze::body {

struct CompoundData;

/// The data of a Body. The tree is built with the body; everything else is built when a method first needs it.
struct BodyData {
  explicit BodyData(Mesh m, int threads);
  /// The same polygons with moved vertices.
  BodyData(Mesh m, const BodyData& before, int threads);
  BodyData(const shape::Shape& s, int threads);
  /// A piece at its place in a compound (`graze::compound` says how): neither a half-space nor a compound.
  BodyData(const BodyData& piece, const Pose& pose, int threads);
  explicit BodyData(std::shared_ptr<const CompoundData> parts);
  /// A surface beyond triangles, within the box. `text`: see `surface_text`.
  BodyData(std::shared_ptr<const SurfaceBody> s, const Box3& box, std::string text);

  /// Of a curved shape, a compound or a surface beyond triangles: a box that contains it; of a half-space: without a
  /// meaning.
  Mesh mesh;
  WideTree tree;
  /// For a refitted tree: the vertex positions it was built for. A `Body` built from these and then deformed to the
  /// present positions equals this body.
  std::shared_ptr<const std::vector<Vec3>> built_at;
  double build_seconds = 0;
  /// What the body is if it is not a mesh; null if it is one.
  std::shared_ptr<const shape::Shape> shape;
  std::shared_ptr<const shape::Core> core;  ///< of a shape that is no half-space

  /// A box that contains the body; of a half-space, one that is as large as can be.
  const Box3& box() const { return is_half_space() ? everywhere : mesh.box(); }
  static const Box3 everywhere;

  bool is_half_space() const { return shape && std::holds_alternative<shape::HalfSpace>(shape->kind); }
  bool is_curved() const { return shape && !shape::is_polyhedral(*shape); }

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

 public:
  std::shared_ptr<const CompoundData> compound;  ///< null: the body is no compound
  /// Of a curved shape that is a piece of a compound: where it is. `shape` is what it was before, `core` is there.
  std::optional<Pose> placed_at;
  std::shared_ptr<const SurfaceBody> surface;  ///< null: the body is no surface beyond triangles
  /// What recordings keep of it: `surface_from_text` reads it. Empty: it is given by functions of the caller, or made
  /// with options of its own.
  std::string surface_text;
};

}  // namespace graze::body
