// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <graze/math/vec3.hpp>

namespace graze::engine::collide {

/// Contains a vector, or all of a set of vectors.
struct VectorBox {
  Vec3 lo, hi;
};

inline VectorBox united(const VectorBox& a, const VectorBox& b) {
  return {{std::min(a.lo.x, b.lo.x), std::min(a.lo.y, b.lo.y), std::min(a.lo.z, b.lo.z)},
          {std::max(a.hi.x, b.hi.x), std::max(a.hi.y, b.hi.y), std::max(a.hi.z, b.hi.z)}};
}
/// Contains x - y for all x in a and y in b, up to rounding. The same for -x and for x cross e.
inline VectorBox minus(const VectorBox& a, const VectorBox& b) { return {a.lo - b.hi, a.hi - b.lo}; }
inline VectorBox negative(const VectorBox& a) { return {-a.hi, -a.lo}; }
inline VectorBox crossed(const VectorBox& x, const Vec3& e) {
  VectorBox r;
  const auto coordinate = [](double lo_i, double hi_i, double e_j, double lo_j, double hi_j, double e_i, double& lo,
                             double& hi) {
    const double p = lo_i * e_j, q = hi_i * e_j, s = lo_j * e_i, t = hi_j * e_i;
    lo = std::min(p, q) - std::max(s, t);
    hi = std::max(p, q) - std::min(s, t);
  };
  coordinate(x.lo.y, x.hi.y, e.z, x.lo.z, x.hi.z, e.y, r.lo.x, r.hi.x);
  coordinate(x.lo.z, x.hi.z, e.x, x.lo.x, x.hi.x, e.z, r.lo.y, r.hi.y);
  coordinate(x.lo.x, x.hi.x, e.y, x.lo.y, x.hi.y, e.x, r.lo.z, r.hi.z);
  return r;
}

/// Two or four sets of vectors, at one instant (degree 0) or moving: each vector is a polynomial of time in [0, 1]
/// whose Bernstein coefficient k lies in `of[i][k]`.
template <int Count, int Degree>
struct MovingVectors {
  VectorBox of[Count][Degree + 1];
};

/// Looks for a direction n, or one that moves linearly from n0 to n1, along which all vectors are positive at all
/// times. Returns a number h such that n . u / |n| > h + `least` in the computed boxes, or 0 if no positive one was
/// found. If `least` is at least the error of a coordinate of the boxes plus 2^-49 of the largest coordinate, for the
/// rounding errors of the products, h is a lower bound of n . u / |n| for the true vectors.
///
/// Reason: n(t) . u(t) is a polynomial whose degree is higher by 1. Its Bernstein coefficients, ((d + 1 - j) n0 . u_j +
/// j n1 . u_(j - 1)) / (d + 1) for j from 0 to d + 1, bound it from below; each is bounded from below by the boxes.
/// |n(t)| is at most the larger of |n0|_1 and |n1|_1. Any n is valid: how it is found needs no error bound. What is not
/// finite, or NaN, fails the comparison.
///
/// Made for two vectors of degree 0 to 2 and for four of degree 0 and 1.
template <int Count, int Degree>
double height_on_one_side(const MovingVectors<Count, Degree>& u, double least);

/// Certifies that two triangles share no point: a plane, found as above, has one strictly on each side. For pairs that
/// are so thin that the plane of neither is of use. Coordinates count from the first corner: differences have a
/// relative error of u = 2^-53, and a product n . x an error below 4 u times |n|_1 and the largest of them.
bool plane_between(const Vec3 (&a)[3], const Vec3 (&b)[3]);

}  // namespace graze::engine::collide
