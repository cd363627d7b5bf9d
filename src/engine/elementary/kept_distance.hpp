// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "engine/elementary/difference.hpp"

namespace graze::engine::elementary {

/// Two parts of the features, by the query's points that span them (bit i: point i): a point and a point, a point and
/// an edge, a point and a face, or two edges.
using KeptParts = std::uint8_t;

/// How long the features stay further apart than a minimum separation, by directions that follow the motion: the
/// direction from point to point, the perpendicular from a point to an edge, or the common normal. Whether everything
/// is beyond the separation along such a direction is the sign of polynomials in time, of degree 2, 4 and 6
/// (docs/methods/elementary.md). Their roots are where the parts themselves come that near, however they turn, so steps
/// do not become ever shorter where the distance only just exceeds the separation.
class KeptDistance {
 public:
  /// `keep`: the distance to prove, by more than `d.rounding`.
  KeptDistance(ElementaryKind kind, const MovingDifference& d, double keep);

  /// A time until which the features are certified to be apart; `t` itself if none is found, infinity if it is beyond
  /// 1. `closest`: at t. The parts whose direction certifies this are in `parts`.
  double safe_until(double t, const ClosestDifference& closest, KeptParts& parts) const;

 private:
  /// A vertex, an edge or the face of the difference.
  struct Part {
    int points;                        ///< 1, 2; 3: the face
    std::array<std::size_t, 2> point;  ///< the vertex, the edge's ends, or the ends of the face's edges from point 0
    std::array<double, 4> near;        ///< weights of a point of it near the origin
    double along;                      ///< of the face: this multiple of its first edge is taken from the second
  };

  Part vertex(std::size_t i) const;
  Part edge(std::size_t i, std::size_t j, double t) const;
  Part face(const ClosestDifference& closest, double t) const;
  KeptParts parts_of(const Part& part) const;
  double walk(const Part& part, double t) const;
  bool holds(const Part& part, double from, double to) const;

  const MovingDifference& d_;
  std::size_t n_;
  std::array<std::array<std::size_t, 2>, 4> pairs_{};
  double keep_;
};

}  // namespace graze::engine::elementary
