// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "body/body_data.hpp"
#include "engine/first_contact/pair/kinematics.hpp"

namespace graze::engine::first_contact {

/// The ranges of all nodes of two bodies along one direction of the world, over the whole motion: what joints that only
/// slide a plate along another, or a shaft that turns in its bearing, leave where it is. Single precision knows
/// positions to about 1e-6 of a body's size, and every pair of triangles that pass each other at such a gap would have
/// to be solved by itself. These ranges are in doubles. They read every corner, so they are made only in very long
/// searches, and only for a direction along which nothing moves.
///
/// With n fixed, m = R(0)^T n and s in [0, 1], a point p of a body is at
///     n . x(s) = n . o(s) + m . (p - reference) + ((R(s) - R(0))^T n) . (p - reference).
/// The last factor has a length of at most the integral of |n x w|, which the bounds of the motion limit: D. So its
/// term is at most D times the largest distance of a point from the reference point. The range of n . (o_A - o_B) is
/// limited by the speeds along n (`motion::directed_rise`). Both are added to A's ranges.
///
/// Rounding: R(0), o(0) and the projections are computed as every placed corner is (`Kinematics::rounding`), and the
/// real motion is as near to the computed one at s; so both together are off by less than twice that bound.
class AxisRanges {
 public:
  /// For the axis of a rotation of A or of B. None if along no such axis the bodies move by less than `most`.
  static std::optional<AxisRanges> make(const body::BodyData& a, const body::BodyData& b, const Kinematics& kinematics,
                                        double most);

  /// Are all points below the two nodes certified to be farther apart than `target` at all times of the motion?
  bool apart(std::uint32_t node_a, std::uint32_t node_b, double target) const {
    const double gap = std::max(b_.low[node_b] - a_.high[node_a], a_.low[node_a] - b_.high[node_b]);
    return gap > target + 2 * rounding_;
  }
  /// From A to B, if these two are apart.
  Vec3 direction(std::uint32_t node_a, std::uint32_t node_b) const {
    return b_.low[node_b] > a_.high[node_a] ? n_ : -n_;
  }

 private:
  struct Ranges {
    std::vector<double> low, high;  ///< by node
    void fill(const body::BodyData& body, const Vec3& along, const Vec3& reference, double shift, double widening);
  };
  AxisRanges(const Vec3& n, double rounding) : n_(n), rounding_(rounding) {}

  Vec3 n_;
  double rounding_;
  Ranges a_, b_;
};

}  // namespace graze::engine::first_contact
