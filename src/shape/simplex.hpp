// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

namespace graze::shape {

/// Up to four points of the difference B - A of two convex sets, each with the points of A and B that it comes from.
struct Simplex {
  Simplex() {}  // clearing what is not used yet would take as long as a step of a search

  int size = 0;
  // Only the first `size` of each have a value.
  union {
    Vec3 difference[4];
  };
  union {
    Vec3 a[4];
  };
  union {
    Vec3 b[4];
  };
  double weight[4];  ///< of the point nearest to the origin

  void add(const Vec3& of_a, const Vec3& of_b) {
    a[size] = of_a;
    b[size] = of_b;
    weight[size] = 0;
    difference[size++] = of_b - of_a;
  }
  /// Drops the points that the nearest point does not need (weight 0) and returns the nearest point. True in `inside`:
  /// the origin is inside the tetrahedron, as far as double precision can tell. Then the weights are those of the
  /// origin.
  Vec3 reduce(bool& inside);

  /// Of a tetrahedron with the origin inside: a lower bound of the origin's distance from its faces; 0 if there is no
  /// tetrahedron, or rounding hides on which side of a face the origin is. Coordinates of at most 2 in size.
  double inner_radius() const;

  /// A unit direction from the origin towards the simplex, whose nearest point is v, of this length (not zero). Where
  /// the simplex is very near compared with its size, the rounding of v turns v by much; what is square to an edge or a
  /// face does not depend on it.
  Vec3 direction(const Vec3& v, double len) const;

  Vec3 point_a() const { return combine(a); }
  Vec3 point_b() const { return combine(b); }

 private:
  Vec3 combine(const Vec3* points) const {
    Vec3 sum;
    for (int i = 0; i < size; ++i) sum = sum + points[i] * weight[i];
    return sum;
  }
};

/// The point of a segment, a triangle nearest to the origin, as weights of its corners, which sum to one up to rounding
/// and are never negative.
void nearest_on_segment(const Vec3& p, const Vec3& q, double* weights);
void nearest_on_triangle(const Vec3& p, const Vec3& q, const Vec3& r, double* weights);

}  // namespace graze::shape
