// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <graze/classic/fast.hpp>

#include "classic/fast/advancement_motion.hpp"
#include "prim/convex/simplex.hpp"

namespace graze::classic::fast {

/// The closest features of two hulls, as a start for the next call: corners by their positions in the nodes.
struct ClosestFeatures {
  std::uint8_t size = 0;
  std::array<std::uint32_t, 4> a{}, b{};
};

/// The distance of two hulls at one time.
struct HullGap {
  double lower = 0;  ///< certified: along n, all of A lies below all of B by at least this much
  double upper = 0;  ///< the distance of two points of the hulls, rounded; infinity if none were compared
  Vec3 n{1, 0, 0};   ///< of unit length, from A to B
  std::uint32_t top_a = 0, top_b = 0;  ///< the corners furthest along n and -n
};

/// Distances of convex hulls (FAST 3.3) by the GJK iteration (Gilbert, Johnson, Keerthi), started from the features of
/// the previous call. Like Voronoi marching, it ends after one or two steps if the bodies have moved little.
class HullDistance {
 public:
  HullDistance(const Mover& a, const Mover& b, const AdvancementOptions& options, AllCounters& counters)
      : a_(a), b_(b), options_(options), counters_(counters) {}

  /// The total error of the placed corners of A and of B relative to their exact positions.
  void set_rounding(double rounding) { rounding_ = rounding; }

  /// Stops when `lower` is within 2 % of `upper`, or `upper` falls below `enough`.
  HullGap operator()(const HullTree::Node& na, const HullTree::Node& nb, ClosestFeatures& features,
                     double enough) const;

 private:
  bool start(const HullTree::Node& na, const HullTree::Node& nb, const ClosestFeatures& features,
             prim::ConvexSimplex& simplex, Vec3& v) const;

  const Mover& a_;
  const Mover& b_;
  double rounding_ = 0;
  const AdvancementOptions& options_;
  AllCounters& counters_;
};

}  // namespace graze::classic::fast
