// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/method_counters.hpp>

#include "bv/oriented_box.hpp"
#include "prim/moving/frame.hpp"

namespace graze::classic::contact {

/// An oriented box in scaled units, its centre relative to the body's reference point.
struct IntervalBox {
  Vec3 centre;
  const Vec3* axis;
  Vec3 half;
};

/// The data of the tests of two boxes, computed once per pair and span.
///
/// In A's box: the centre of B's box is at p + s q (within `shift_rest`), its axis j has the components c[i][j] + s
/// d[i][j] (within `turn_rest`). Section 4.1.2 with relative frames and a mean value form.
struct BoxCourse {
  double p[3], q[3], c[3][3], d[3][3];
  double shift_rest, turn_rest, rounding;
  double size_p, size_a, size_b;  ///< |p| + |q|, sums of half sizes
  const Vec3* half_a;
  const Vec3* half_b;

  BoxCourse(const prim::MovingFrame& b_in_a, const IntervalBox& a, const IntervalBox& b);

  /// Do the fifteen axes (the six of the faces if `partial`) certify that the boxes are further apart than `gap` during
  /// the whole span? Inequality (7) over the span: see docs/methods/interval.md.
  bool apart(double gap, bool partial, AllCounters& counters) const;

  /// The subdivision test (4.1.2): is the path of the boxes long relative to their sizes?
  bool worth_halving(double k, double tolerance) const;

 private:
  bool apart_along_faces(double gap) const;
  bool apart_along_edge(int i, int j, double gap) const;
};

}  // namespace graze::classic::contact
