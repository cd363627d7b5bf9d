// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/math/vec3.hpp>

#include "body/body_data.hpp"

namespace graze::engine::collide {

/// Fans of very many triangles around one vertex, such as the tip of a cone or a hub. All their boxes meet there, so
/// boxes alone could not reject any pair. Instead, each tree node whose triangles all share such a vertex v stores a
/// cone around the directions from v to their other corners. If the cones of two nodes with the same v share no
/// direction, no triangle of one meets a triangle of the other except in v: a common point x would give a common
/// direction x - v. (A triangle's directions from v lie between those of its corners, and a cone whose half angle is
/// below a right angle is convex.)
class StarCones {
 public:
  /// Empty if no vertex has many triangles.
  explicit StarCones(const body::BodyData& body);

  bool empty() const { return cones_.empty(); }

  /// Certifies that triangles of two different nodes meet at most in a vertex that they share.
  bool meet_only_in_vertex(std::uint32_t node_a, std::uint32_t node_b) const;

 private:
  struct Cone {
    std::uint32_t vertex;  ///< or none
    Vec3 axis;
    double angle;  ///< the largest angle of a direction from the axis
  };
  Cone around_triangles(const body::BodyData& body, const bvh::WideNode& bottom,
                        const std::vector<std::uint32_t>& uses) const;
  Cone around_children(const bvh::WideNode& node) const;

  std::vector<Cone> cones_;  ///< one cone per node
};

}  // namespace graze::engine::collide
