// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/collide/one_side.hpp"
#include "engine/deform/tree/dop_tree.hpp"

namespace graze::engine::deform {

/// Bounds of fans: very many triangles or loose edges around one vertex, such as the tip of a cone, a hub or the middle
/// of a star, or around one edge. The DOPs of all their parts meet there and separate nothing. So each node whose
/// triangles belong to one or two fans stores, for each fan, its hub v and the box of the other corners at both ends of
/// the step. Two nodes have no contact if, for each pair of their fans, with corners P and Q,
///   * with the same v, a plane through v, which may turn during the step, separates P from Q at all times;
///   * with different hubs v and w, such a plane separates v and P from w and Q;
///   * with a common edge, a plane through this edge separates the third corners, or all triangles of both are the same
///     face, many times (then any two features share a vertex).
/// Pairs of features that share a vertex are no pairs. Of any others, one feature is strictly on its side of the plane
/// and the other on the other side or in the plane; for two edges at both ends of the common edge see `apart_at_edge`.
///
/// Range. Floats are only stored and compared: coordinates below 2^26 (DopTree::project), never NaN, as small as
/// 2^-149. All else is double: differences of them are below 2^27 and exact but for their last digit, cross products
/// below 2^55, products with a direction of length one below 2^57, so nothing overflows. A difference does not
/// underflow, a product of two or three is at least 2^-447. Directions without a length, quotients 0 / 0 of edges of
/// length zero and vectors below 1e-140 give 0 or NaN, which is not above `slack`, a positive number: the pair is kept.
class FanBounds {
 public:
  /// For the positions of the last refit of `dops`. Stores nothing if no vertex has many triangles.
  void refit(const Topology& topology, const PatchTree& tree, const DopTree& dops, int threads);

  bool empty() const { return nodes_.empty(); }
  /// Certifies that no features of two different nodes, without common vertices, come within the margin of the last
  /// refit of `dops` during the step.
  bool apart(std::uint32_t node_a, std::uint32_t node_b) const { return apart(node_a, node_b, 2); }
  /// The same for the start of the step alone: triangles of the nodes meet at most in a vertex or an edge that they
  /// share.
  bool apart_at_start(std::uint32_t node_a, std::uint32_t node_b) const { return apart(node_a, node_b, 1); }
  /// A vertex that all triangles of both nodes have, or none.
  std::uint32_t common_hub(std::uint32_t node_a, std::uint32_t node_b) const {
    const Node &a = nodes_[node_a], &b = nodes_[node_b];
    return a.count == 1 && b.count == 1 && a.fans[0].hub == b.fans[0].hub ? a.fans[0].hub : Topology::none;
  }
  std::size_t bytes() const { return nodes_.size() * sizeof(Node) + seen_.size() * sizeof(Seen); }

 private:
  struct CornerBounds {
    float lo[2][3], hi[2][3];  ///< by end and axis, in units of the DOPs
  };
  struct Fan {
    std::uint32_t hub = Topology::none;
    std::uint32_t second = Topology::none;  ///< another hub that all triangles of the fan contain
    std::uint32_t third = Topology::none;   ///< with a second: the only other corner, if there is only one
    CornerBounds corners;                   ///< of the corners that are neither
    std::uint32_t seen = 0;                 ///< index in `seen_`
  };
  /// What the bounds are as seen from the hub. Every fan is compared with many others, so this is computed once.
  struct Seen {
    /// Without a second hub: from the hub to the corners, by end. With one: the Bernstein coefficients of their cross
    /// products with the edge.
    collide::VectorBox corners[3];
    float largest[2];  ///< coordinate of any of its vertices, by end
    /// With a second hub, by end: at most the distance of a corner from either hub.
    double reach[2];
  };
  struct Node {
    int count = 0;  ///< 0: its triangles do not all belong to two fans
    Fan fans[2];
  };

  bool fan_of(const Triangle& t, Fan& fan) const;
  bool add(const Fan& fan, Node& node) const;
  void widen(CornerBounds& bounds, std::uint32_t vertex) const;
  CornerBounds all_corners(const Fan& fan) const;
  collide::VectorBox box(const CornerBounds& bounds, int end) const;
  Vec3 position(std::uint32_t v, int end) const;
  Seen seen(const Fan& fan) const;
  /// `ends`: 1 for the start alone, 2 for the whole step.
  bool apart(std::uint32_t node_a, std::uint32_t node_b, int ends) const;
  double slack(const Fan& a, const Fan& b, int ends) const;
  bool apart(const Fan& a, const Fan& b, int ends) const;
  bool apart_at_hub(const Fan& a, const Fan& b, int ends) const;
  bool apart_at_hubs(const Fan& a, const Fan& b, int ends) const;
  bool apart_at_edge(const Fan& a, const Fan& b, int ends) const;

  const Topology* topology_ = nullptr;
  const DopTree* dops_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<Seen> seen_;
};

}  // namespace graze::engine::deform
