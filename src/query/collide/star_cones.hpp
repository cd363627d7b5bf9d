// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/math/vec3.hpp>

#include "query/body_data.hpp"

namespace graze::query {

/// Fans of very many triangles around one vertex, the tip of a cone or a hub: all their boxes meet there, so boxes
/// alone would have every pair looked at. Instead each tree node whose triangles all have such a vertex v keeps a cone
/// around the directions from v to their other corners. If the cones of two nodes with the same v share no direction,
/// no triangle of one meets a triangle of the other outside v: a common point x would give a common direction x - v. (A
/// triangle's directions from v are between those of its corners, and a cone narrower than a right angle to its axis is
/// convex.)
class StarCones {
 public:
  /// Empty if no vertex has many triangles.
  explicit StarCones(const BodyData& body);

  bool empty() const { return cones_.empty(); }

  /// Certain that triangles of two different nodes meet in nothing but a vertex that they share.
  bool meet_only_in_vertex(std::uint32_t node_a, std::uint32_t node_b) const;

 private:
  struct Cone {
    std::uint32_t vertex;  ///< or none
    Vec3 axis;
    double angle;  ///< of the widest direction from the axis
  };
  Cone around_triangles(const BodyData& body, const bvh::WideNode& bottom,
                        const std::vector<std::uint32_t>& uses) const;
  Cone around_children(const bvh::WideNode& node) const;

  std::vector<Cone> cones_;  ///< a cone a node
};

}  // namespace graze::query
