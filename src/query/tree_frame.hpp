// SPDX-License-Identifier: MIT
#pragma once

#include "math/relative_placement.hpp"
#include "query/wide_tree.hpp"

namespace graze::query {

/// B's float frame seen from A's: y = rho R x + t, in single precision, with what it may be off by.
///
/// u = 2^-24 is the unit roundoff of float. A corner of B is off by u/2 a coordinate in its own frame (<= 0.87 rho u
/// after turning); rounding R adds 1.74 rho u, rounding t |t| u, and the six roundings of the sum at most 6 (1.74 rho +
/// |t|) u. A corner of A is off by u/2, the decoding of a box by 3 u a bound on A's side, 3 rho u on B's. Together
/// below (16 + 18 rho + 8 |t|) u, plus the error of t in double.
///
/// The walk (walk_boxes-inl.hpp) compares boxes and slabs along A's axes, along B's, and along a slab's direction, in
/// coordinates along either body's axes: those along B's are rho x + R^T t, off by (4 rho + 6 |t|) u, and turned back
/// into A's by (19 rho + 18 |t|) u; A's turned into B's are off by 17 u. Half widths turned into the other's axes are
/// off by 17 u, of B by 17 rho u. A slab's direction (length 1, so 1-norm 1.74) turned is off by 7 u a coordinate, and
/// less the share of another slab's by 10 u: that moves a centre by 10 (3 rho + 1.74 |t|) u or 30 u and a reach by 30
/// rho u or 30 u; the products add 5 rho u or 5 u each, and the centre's own error counts 1.74 times. The worst sums
/// are A's slab with B's patch, (10 + 93 rho + 46 |t|) u, and B's slab with A's, (95 + 9 rho + 30 |t|) u; t's error in
/// double counts 1.74 times. `error_walk` is more than all of these.
struct TreeFrame {
  TreeFrame(const math::RelativePlacement& placement, const WideTree& a, const WideTree& b);

  float r[9];     ///< rows of R
  float rho;      ///< size of B's frame over A's, a power of two
  float t[3];     ///< B's centre
  float rt[3];    ///< R^T t
  float error;    ///< bound for a coordinate along A's axes, of both bodies together
  float error_b;  ///< the same for a projection on one of B's axes: 3 `error` covers that the rounded axis is neither
                  ///< of length one nor quite B's (2 u each), and the roundings of the projections
  double r_exact[9];  ///< rho R and t before they are rounded to single precision: right to `centre_error` for points
                      ///< of the frame
  double t_exact[3];
  float centre_error;  ///< rounded up
  float error_walk;    ///< bound for everything that the walk compares, see below
  bool usable;         ///< false: sizes or places differ so much that single precision says nothing

  /// Where the origin of a node of B lies relative to the origin of a node of A, to be rounded to single precision by
  /// the caller; off by at most `centre_error`.
  void offset(const bvh::WideNode& a, const bvh::WideNode& b, double* out) const {
    for (int i = 0; i < 3; ++i)
      out[i] = r_exact[3 * i] * b.origin[0] + r_exact[3 * i + 1] * b.origin[1] + r_exact[3 * i + 2] * b.origin[2] +
               t_exact[i] - a.origin[i];
  }
};

}  // namespace graze::query
