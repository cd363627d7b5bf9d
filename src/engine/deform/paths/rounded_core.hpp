// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/body/body.hpp>
#include <graze/mesh/mesh.hpp>

#include "engine/deform/paths/vertex_paths.hpp"

namespace graze::engine::deform {

/// A body as all points within `radius` of a mesh whose vertices can move on straight lines: a mesh itself, a sphere (a
/// point), a capsule (a segment), a rounded box or hull. A triangle whose corners coincide is a point or a segment.
class RoundedCore {
 public:
  static bool has(const Body& body);
  /// The body must outlive this.
  explicit RoundedCore(const Body& body);

  const Mesh& mesh() const { return own_ ? *own_ : *mesh_; }
  double radius() const { return radius_; }
  PathBody::Core core() const { return core_; }

 private:
  const Mesh* mesh_ = nullptr;
  std::optional<Mesh> own_;
  double radius_ = 0;
  PathBody::Core core_ = PathBody::Core::mesh;
};

}  // namespace graze::engine::deform
