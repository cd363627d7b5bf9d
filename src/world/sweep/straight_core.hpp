// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/body/body.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::world {

/// A body as all points within `radius` of a mesh whose vertices can move on straight lines: a mesh itself, a sphere (a
/// point), a capsule (a segment), a rounded box or hull. A triangle whose corners coincide is a point or a segment.
class StraightCore {
 public:
  static bool has(const Body& body);
  /// The body must outlive this.
  explicit StraightCore(const Body& body);

  const Mesh& mesh() const { return own_ ? *own_ : *mesh_; }
  double radius() const { return radius_; }

 private:
  const Mesh* mesh_ = nullptr;
  std::optional<Mesh> own_;
  double radius_ = 0;
};

bool is_half_space(const Body& body);

}  // namespace graze::world
