// SPDX-License-Identifier: MIT
#include "prim/box_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graze::prim {
namespace {

double sum_abs(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// Half extents weighted by the largest component of their axes: times |n|_1, a bound on everything summed along n.
double reach(const BoxFrame& box) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3& a = box.axis[k];
    sum += box.half[k] * std::max({std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)});
  }
  return sum;
}

class Separator {
 public:
  Separator(const BoxFrame& a, const BoxFrame& b)
      : a_(a), b_(b), between_(b.centre - a.centre), size_(sum_abs(between_) + reach(a) + reach(b)) {}

  Vec3 direction(int axis) const {
    if (axis < 3) return a_.axis[axis];
    if (axis < 6) return b_.axis[axis - 3];
    return cross(a_.axis[(axis - 6) / 3], b_.axis[(axis - 6) % 3]);
  }

  /// Along n, both boxes extend `extent` from their centres, whose projections are `distance` apart. Each of these
  /// comes from at most eight rounded operations on products that `size` times |n|_1 bounds, which 2^-48 covers with a
  /// margin; products that underflow lose less than 2^-1074 each, before or after multiplication by a half extent.
  bool test(int axis, BoxSeparation& result) const {
    const Vec3 n = direction(axis);
    const double distance = dot(n, between_);
    double extent = 0, halves = 0;
    for (int k = 0; k < 3; ++k) {
      extent += a_.half[k] * std::fabs(dot(n, a_.axis[k])) + b_.half[k] * std::fabs(dot(n, b_.axis[k]));
      halves += a_.half[k] + b_.half[k];
    }
    const double rounding = 0x1p-48 * sum_abs(n) * size_ + std::numeric_limits<double>::min() * (1 + halves);
    const double gap = std::fabs(distance) - (extent + rounding);
    // An overflow gives an infinite or NaN gap, which proves nothing.
    if (!(gap > 0 && gap < std::numeric_limits<double>::infinity())) return false;
    result = {axis, distance < 0 ? -n : n, gap * (1 - 0x1p-48)};
    return true;
  }

 private:
  const BoxFrame& a_;
  const BoxFrame& b_;
  Vec3 between_;
  double size_;
};

}  // namespace

BoxSeparation separate_boxes(const BoxFrame& a, const BoxFrame& b, int first) {
  const Separator separator(a, b);
  BoxSeparation result;
  if (first >= 0 && first < 15 && separator.test(first, result)) return result;
  for (int axis = 0; axis < 15; ++axis) {
    if (axis != first && separator.test(axis, result)) return result;
  }
  return result;
}

}  // namespace graze::prim
