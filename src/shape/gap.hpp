// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "math/vectors.hpp"
#include "shape/simplex.hpp"

namespace graze::shape {

/// How far two convex sets are apart. Their sizes and places must have been scaled so that all coordinates are at most
/// 1 in size. All numbers are rounded: see `rounding`.
struct Gap {
  double lower = -std::numeric_limits<double>::infinity();  ///< along `normal` every point of B is this far from A
  double upper = std::numeric_limits<double>::infinity();   ///< of two points, one of each: `simplex.point_a()`, `_b()`
  Vec3 normal;                                              ///< unit, from A to B; zero before the first step
  bool overlap = false;  ///< a tetrahedron of B - A holds the origin, as far as double precision can tell
  Simplex simplex;
  int iterations = 0;

  /// Along a unit direction every point of B is this far from A.
  void look_along(const Vec3& n, double apart) {
    if (!(apart > lower) && normal != Vec3{}) return;
    lower = apart;
    normal = n;
  }
};

/// Bounds the error of everything here and of placing shapes, for coordinates of at most 1: the true distance is in
/// [lower - rounding, upper + rounding].
///
/// Reason. eps = 2^-53. A core's support point is within 8 eps of the core and at most 16 eps short of the furthest
/// (shape/core.hpp). A placement's rotation has entries within 64 eps of the exact ones and `RelativePlacement::place`
/// is within 100 eps (|x|_1 + shift) <= 400 eps on each axis, so 700 eps in space; the direction turned into a core's
/// frame has an error of 3 * 64 eps + 8 eps, which costs at most twice that of the furthest reach, 400 eps.
/// Differences, dot products and the division by a length add less than 16 eps. Both sides together stay below 2300
/// eps. A core that was placed as a piece of a compound adds at most 216 eps (shape/core.hpp), two such 432. 2^-41 is
/// 4096 eps.
inline constexpr double rounding = 0x1p-41;

/// The distance of two convex sets by Gilbert, Johnson and Keerthi's algorithm (GJK, 1988). It stops as soon as `lower`
/// exceeds `far`, or `upper` falls to `near`, or the two agree to `relative` of what the distance differs from
/// `radius`, or to the rounding of doubles. `start`: a guess of the direction from A to B.
template <class A, class B>
Gap find_gap(const A& a, const B& b, const Vec3& start, double far, double near, double relative = 1e-9,
             double radius = 0) {
  Gap gap;
  Vec3 v = start;
  if (!(dot(v, v) > 0)) v = b.centre() - a.centre();
  double last = std::numeric_limits<double>::infinity(), len = math::norm(v);
  if (!(len > 0x1p-52)) {  // a guess, no pair of points: centres that coincide need not be in their sets
    v = {1, 0, 0};
    len = 1;
  }
  int stalls = 0;
  while (gap.iterations++ < 128) {
    if (!(len > 0x1p-52)) {
      gap.upper = 0;
      gap.overlap = true;
      break;
    }
    const Vec3 n = gap.simplex.direction(v, len);
    const Vec3 of_a = a.furthest(n), of_b = b.furthest(-n);
    gap.look_along(n, dot(n, of_b - of_a));
    if (stalls > 0) {  // the normal of a thin simplex may be off by more than the way to its nearest point
      const Vec3 straight = v * (1 / len);
      gap.look_along(straight, dot(straight, b.furthest(-straight) - a.furthest(straight)));
    }
    // The next point improves `last` by less than doubles can tell, or all is known that was asked.
    if (gap.lower > far || gap.upper - gap.lower <= std::max(relative * std::fabs(gap.lower - radius), 0x1p-50)) break;
    gap.simplex.add(of_a, of_b);
    bool inside = false;
    v = gap.simplex.reduce(inside);
    if (inside) {
      gap.upper = 0;
      gap.overlap = true;
      break;
    }
    gap.upper = len = math::norm(v);
    if (len <= near) break;
    // No nearer than before: the next point improves the distance by less than doubles can tell. But the direction may
    // still improve the lower bound, whose error is of the order of the square root of that.
    if (!(len < last) &&
        (gap.upper - gap.lower <= std::max(relative * std::fabs(gap.lower - radius), rounding) || ++stalls > 16))
      break;
    last = len;
  }
  return gap;
}

}  // namespace graze::shape
