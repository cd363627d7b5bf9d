// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>

#include "body/body_data.hpp"
#include "engine/collide/one_side.hpp"

namespace graze::engine::collide {

/// Fans of very many triangles around one vertex, such as the tip of a cone or a hub, or around one edge. All their
/// boxes meet there, so boxes alone could not reject any pair. And their triangles are so thin that boxes reject few
/// pairs of two fans with a common rim, such as a cone's mantle and its base. So each tree node whose triangles belong
/// to one or two fans stores, for each fan, its hub v, a box of the other corners, and a box of the directions from v
/// to them. Two fans of different nodes
///   * with the same v meet only in v if a plane through v separates the directions of one from those of the other;
///   * with different hubs do not meet if a plane separates the hub and the corners of one from those of the other;
///   * with a common edge meet only in that edge if a plane through it separates the third corners.
/// In each case all points of the triangles, except those that are shared, are strictly on the side of the corners.
class FanNodes {
 public:
  /// Empty if no vertex has many triangles.
  explicit FanNodes(const body::BodyData& body);

  bool empty() const { return nodes_.empty(); }

  /// Certifies that triangles of two different nodes meet at most in a vertex or an edge that they share.
  bool meet_only_in_shared(std::uint32_t node_a, std::uint32_t node_b) const;

 private:
  static constexpr std::uint32_t no_vertex = ~0u;

  struct Fan {
    std::uint32_t hub = no_vertex;
    std::uint32_t second = no_vertex;  ///< another hub that all triangles of the fan contain
    VectorBox corners{};               ///< contains the corners that are neither
    VectorBox directions{};            ///< from the hub to all other corners, of unit length
  };
  struct Node {
    int count = 0;  ///< 0: its triangles do not all belong to two fans
    Fan fans[2];
  };

  Node around_triangles(const body::BodyData& body, const bvh::WideNode& bottom) const;
  Node around_children(const bvh::WideNode& node) const;
  bool fan_of(const Triangle& t, Fan& fan) const;
  bool add(const Fan& fan, Node& node) const;
  VectorBox all_corners(const Fan& fan) const;
  bool meet_only_in_shared(const Fan& a, const Fan& b) const;

  std::span<const Vec3> positions_;
  std::vector<std::uint32_t> uses_;  ///< by vertex: the number of triangles
  double largest_ = 0;               ///< coordinate
  std::vector<Node> nodes_;
};

}  // namespace graze::engine::collide
