// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

#include "engine/deform/patches/cones.hpp"
#include "engine/deform/tree/patch_tree.hpp"

namespace graze::engine::proof {

/// Along these, parts of a mesh are bounded.
inline constexpr std::array<Vec3, 13> step_directions{{{1, 0, 0},
                                                       {0, 1, 0},
                                                       {0, 0, 1},
                                                       {1, 1, 0},
                                                       {1, -1, 0},
                                                       {1, 0, 1},
                                                       {1, 0, -1},
                                                       {0, 1, 1},
                                                       {0, 1, -1},
                                                       {1, 1, 1},
                                                       {1, 1, -1},
                                                       {1, -1, 1},
                                                       {-1, 1, 1}}};

/// A range of triangles in the order of the certificate, its bounds along the directions at both ends of the time, and
/// the cone of their normals.
struct StepPart {
  std::size_t first = 0, last = 0;
  std::int32_t left = -1, right = -1;
  std::uint32_t body = 0;  ///< the only body of its triangles, or `several_bodies`
  deform::ContinuousCone cone;
  std::array<std::array<double, step_directions.size()>, 2> low, high;

  std::size_t size() const { return last - first; }
};

inline constexpr std::uint32_t several_bodies = 0xffffffffu;

/// The triangles of a step in the order of its certificate, and a binary tree over them: that of `Deformable`, whose
/// nodes are connected, down to single triangles. Part 0 is the root.
class StepParts {
 public:
  /// `body_of_vertex`: which triangles are one body, between which nothing is proved; empty: each is for itself.
  StepParts(const Mesh& mesh, std::array<std::span<const Vec3>, 2> positions,
            std::vector<std::uint32_t> body_of_vertex);

  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const std::uint32_t> triangles(const StepPart& part) const {
    return order().subspan(part.first, part.size());
  }
  const StepPart& operator[](std::int32_t id) const { return parts_[static_cast<std::size_t>(id)]; }
  bool one_body(const StepPart& a, const StepPart& b) const {
    return !body_of_vertex_.empty() && a.body == b.body && a.body != several_bodies;
  }

 private:
  std::int32_t build(const deform::PatchTree& tree, const deform::PatchNode& node);
  std::int32_t build(std::size_t first, std::size_t last);
  std::int32_t join(std::int32_t id, std::int32_t left, std::int32_t right);

  const Mesh& mesh_;
  std::array<std::span<const Vec3>, 2> place_;
  std::vector<std::uint32_t> body_of_vertex_, order_;
  std::vector<StepPart> parts_;
};

}  // namespace graze::engine::proof
