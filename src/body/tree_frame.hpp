// SPDX-License-Identifier: MIT
#pragma once

#include "body/wide_tree.hpp"
#include "math/relative_placement.hpp"

namespace graze::body {

/// B's float frame relative to A's: y = rho R x + t, in single precision, with its error bounds.
///
/// u = 2^-24 is the unit roundoff of float. A corner of B has an error of u/2 per coordinate in its own frame (<= 0.87
/// rho u after rotation); rounding R adds 1.74 rho u, rounding t |t| u, and the six roundings of the sum at most 6
/// (1.74 rho + |t|) u. A corner of A has an error of u/2, the decoding of a box 3 u per bound for A, 3 rho u for B. The
/// total is below (16 + 18 rho + 8 |t|) u, plus the error of t in double.
///
/// The traversal (walk_boxes-inl.hpp) compares boxes and slabs along A's axes, along B's, and along a slab's direction,
/// in coordinates along either body's axes. Coordinates along B's axes are rho x + R^T t, with an error of (4 rho + 6
/// |t|) u, and rotated back into A's (19 rho + 18 |t|) u; A's rotated into B's have an error of 17 u. Half widths
/// rotated into the other body's axes have an error of 17 u, those of B 17 rho u. A slab's direction (length 1, so
/// 1-norm 1.74) has an error of 7 u per coordinate after rotation, and of 10 u after subtracting the multiple of
/// another slab's direction: that moves a centre by 10 (3 rho + 1.74 |t|) u or 30 u and a half extent by 30 rho u or 30
/// u; the products add 5 rho u or 5 u each, and the centre's own error counts 1.74 times. The worst sums are A's slab
/// with B's patch, (10 + 93 rho + 46 |t|) u, and B's slab with A's, (95 + 9 rho + 30 |t|) u; t's error in double counts
/// 1.74 times. `error_walk` is larger than all of these.
///
/// Range of the kernels that use this frame (walk_boxes, walk_triangles, distance/box_gaps, distance/triangle_gaps), in
/// A's units. While `usable`, coordinates in A's frame are below 2, rho is 2^-40 to 2^40, |t| and the errors are at
/// most 2^60 and 2^21; if one of these is NaN, `usable` is false. So every centre, half width, corner, range along a
/// unit direction and gap is below 2^63.
///
/// Overflow: products of two coordinates, as in squared gaps, stay below 2^126 including sums of three. Products of
/// three coordinates occur only in the determinants of walk_triangles, whose range is derived there, and in directions,
/// which `unit` scales. Underflow: sums and products lose at most 2^-149 each where they underflow, far below the
/// errors, which are at least 2^-43 (`centre_error`, `error` and `error_walk` all are). NaN: tree, slabs and frame
/// contain none; it arises only from directions without a length (zero or infinite). Each "apart", "far", "crossing"
/// and "better bound" is then a comparison `Gt` or `Lt` that NaN fails, so the pair is kept; the order of visits may
/// differ, answers do not.
struct TreeFrame {
  TreeFrame(const math::RelativePlacement& placement, const WideTree& a, const WideTree& b);

  float r[9];     ///< rows of R
  float rho;      ///< size of B's frame over A's, a power of two
  float t[3];     ///< B's centre
  float rt[3];    ///< R^T t
  float error;    ///< error bound for a coordinate along A's axes, both bodies together
  float error_b;  ///< the same for a projection on one of B's axes: 3 `error` covers that the rounded axis is neither
                  ///< of length one nor quite B's (2 u each), and the roundings of the projections
  double r_exact[9];  ///< rho R and t before rounding to single precision: accurate to `centre_error` for points
                      ///< of the frame
  double t_exact[3];
  float centre_error;  ///< rounded up
  float error_walk;    ///< error bound for everything the traversal compares, see above
  bool usable;         ///< false: sizes or positions differ too much for single precision to prove anything

  /// The origin of a node of B relative to the origin of a node of A, to be rounded to single precision by the caller;
  /// its error is at most `centre_error`.
  void offset(const bvh::WideNode& a, const bvh::WideNode& b, double* out) const {
    for (int i = 0; i < 3; ++i)
      out[i] = r_exact[3 * i] * b.origin[0] + r_exact[3 * i + 1] * b.origin[1] + r_exact[3 * i + 2] * b.origin[2] +
               t_exact[i] - a.origin[i];
  }
};

}  // namespace graze::body
