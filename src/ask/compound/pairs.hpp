// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/core/counters.hpp>
#include <graze/math/pose.hpp>

#include "body/compound.hpp"
#include "math/relative_placement.hpp"

namespace graze::ask {

bool is_compound(const Body& body);

/// A piece of A and a piece of B.
struct PiecePair {
  std::uint32_t a = 0, b = 0;
  friend std::strong_ordering operator<=>(const PiecePair&, const PiecePair&) = default;
};

/// The pieces of two placed bodies, of which one or both may be compounds, and a bound of how far they are apart.
class PlacedPieces {
 public:
  PlacedPieces(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b);

  const Body& a(std::uint32_t piece) const { return a_[piece]; }
  const Body& b(std::uint32_t piece) const { return b_[piece]; }

  /// All pairs whose boxes are not certified to be further apart than d; sorted.
  std::vector<PiecePair> within(double d, Counters& counters) const;

  /// Two nodes of the trees, and a certified lower bound of the distance of their pieces.
  struct NodePair {
    double lower;
    std::uint32_t a, b;
    bool operator<(const NodePair& other) const {  // for a queue: the nearest first, then in a fixed order
      return std::tie(lower, a, b) > std::tie(other.lower, other.a, other.b);
    }
  };
  NodePair roots() const { return pair_of(0, 0); }
  /// None: the nodes are not both leaves.
  std::optional<PiecePair> leaves(const NodePair& nodes) const;
  /// The pairs that take the place of two nodes that are not both leaves: `visit(pair)`.
  template <class Visit>
  void open(const NodePair& nodes, Visit&& visit) const {
    const body::PieceNode &x = a_.node(nodes.a), &y = b_.node(nodes.b);
    if (y.is_leaf() || (!x.is_leaf() && size(x.box) >= size(y.box))) {
      visit(pair_of(x.left, nodes.b));
      visit(pair_of(x.right, nodes.b));
    } else {
      visit(pair_of(nodes.a, y.left));
      visit(pair_of(nodes.a, y.right));
    }
  }

 private:
  static double size(const Box3& box);
  NodePair pair_of(std::uint32_t a, std::uint32_t b) const;

  body::Pieces a_, b_;
  math::RelativePlacement placement_;
};

}  // namespace graze::ask
