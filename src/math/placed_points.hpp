// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include <graze/core/counters.hpp>
#include <graze/math/vec3.hpp>

#include "math/predicates.hpp"
#include "math/relative_placement.hpp"

namespace graze::math {

/// A small set of points of two placed bodies, in A's frame, and exact signs of the determinants that decide predicates
/// on them: by doubles with an error bound, by expansions where the coordinates are doubles, by big integers otherwise.
/// Points are numbered in the order in which they were added.
class PlacedPoints {
 public:
  static constexpr int capacity = 8;

  PlacedPoints(const RelativePlacement& placement, Counters& counters) : placement_(placement), counters_(counters) {}

  void clear() {
    size_ = 0;
    error_ = 0;
  }
  /// Keeps only the first n points.
  void resize(int n) { size_ = n; }
  /// Adds a point of A; adds a point of B.
  int add_a(const Vec3& x) { return add(x, x, true, 0); }
  int add_b(const Vec3& x) { return add(x, placement_.place(x), false, placement_.error(x)); }

  int size() const { return size_; }
  /// The rounded coordinates in A's frame, each off by at most error().
  const Vec3& approx(int i) const { return points_[i].approx; }
  double error() const { return error_; }

  /// The sign of the determinant |b - a, c - a, d - a|.
  int orient3d(int a, int b, int c, int d) {
    const int sign = filtered_orient3d(a, b, c, d);
    return sign != 0 ? sign : exact_orient3d(a, b, c, d);
  }
  /// The same sign if double precision proves it, else 0; and without asking double precision first.
  int filtered_orient3d(int a, int b, int c, int d);
  int exact_orient3d(int a, int b, int c, int d);
  /// Does double precision prove that all three points from `first` on lie strictly on the same side of the plane of
  /// the three points from `plane` on? The three points of the plane are of one body. Computed in the
  /// frame of the plane's body, where the plane has no error: decides where large triangles are so near each other that
  /// placing the plane's corners costs more than the gap.
  bool one_side_of_own_plane(int plane, int first);
  /// The same after projection along an axis, in the coordinates axis + 1, axis + 2 (modulo 3).
  int orient2d(int axis, int a, int b, int c);
  /// The sign of b - a along an axis.
  int compare(int axis, int a, int b);
  bool equal(int a, int b) { return compare(0, a, b) == 0 && compare(1, a, b) == 0 && compare(2, a, b) == 0; }
  /// Are the point's coordinates in A's frame exactly doubles, within the range of expansions? If so, approx(i) is
  /// exact from here on.
  bool is_double(int i);
  /// Are a, b, c collinear (or fewer than three distinct points)?
  bool collinear(int a, int b, int c) {
    return orient2d(0, a, b, c) == 0 && orient2d(1, a, b, c) == 0 && orient2d(2, a, b, c) == 0;
  }

  /// The fraction of the edge from e0 to e1 that lies before the plane of a, b, c, from 0 to 1. The ends are strictly
  /// on opposite sides of the plane. Accurate to 2^-25, even if the edge barely crosses the plane: where double
  /// precision is not accurate enough, big integers are used.
  double share_before_plane(int e0, int e1, int a, int b, int c);
  /// The same for the line through c and d, after projection along an axis.
  double share_before_line(int axis, int e0, int e1, int c, int d);

 private:
  enum class Exactness : unsigned char { unknown, doubles, dyadic };
  struct Point {
    Vec3 local;
    Vec3 approx;
    bool of_a;
    Exactness exactness;
  };

  int add(const Vec3& local, const Vec3& approx, bool of_a, double error) {
    points_[size_] = {local, approx, of_a, Exactness::unknown};
    if (exact_[size_]) exact_[size_].reset();
    if (!(error <= error_)) error_ = error;
    return size_++;
  }
  const DyadicVec3& dyadic(int i);

  const RelativePlacement& placement_;
  Counters& counters_;
  std::array<Point, capacity> points_;
  std::array<std::optional<DyadicVec3>, capacity> exact_;
  int size_ = 0;
  double error_ = 0;
};

}  // namespace graze::math
