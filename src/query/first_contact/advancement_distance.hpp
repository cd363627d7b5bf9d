// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <graze/query/first_contact.hpp>

#include "prim/convex_simplex.hpp"
#include "query/first_contact/advancement_motion.hpp"

namespace graze::query {

/// The features that two hulls were closest with, to start from next time: corners by their positions in the nodes.
struct ClosestFeatures {
  std::uint8_t size = 0;
  std::array<std::uint32_t, 4> a{}, b{};
};

/// How far two hulls are apart at an instant.
struct HullGap {
  double lower = 0;  ///< certified: along n, everything of A lies below everything of B by this much at least
  double upper = 0;  ///< the distance of two points of the hulls, rounded; infinity where none were compared
  Vec3 n{1, 0, 0};   ///< of unit length, from A to B
  std::uint32_t top_a = 0, top_b = 0;  ///< the corners furthest along n and -n
};

/// Distances of convex hulls (FAST 3.3) by Gilbert, Johnson and Keerthi's iteration from the features of the last time;
/// as Voronoi marching does, it comes to an end after a step or two if the bodies have moved little.
class HullDistance {
 public:
  HullDistance(const Mover& a, const Mover& b, const AdvancementOptions& options, Counters& counters)
      : a_(a), b_(b), options_(options), counters_(counters) {}

  /// How far corners of A and of B, as placed now, are together from their real places.
  void set_rounding(double rounding) { rounding_ = rounding; }

  /// Stops when `lower` is as good as `upper` up to 2 %, or `upper` falls below `enough`.
  HullGap operator()(const HullTree::Node& na, const HullTree::Node& nb, ClosestFeatures& features,
                     double enough) const;

 private:
  bool start(const HullTree::Node& na, const HullTree::Node& nb, const ClosestFeatures& features,
             prim::ConvexSimplex& simplex, Vec3& v) const;

  const Mover& a_;
  const Mover& b_;
  double rounding_ = 0;
  const AdvancementOptions& options_;
  Counters& counters_;
};

}  // namespace graze::query
