// SPDX-License-Identifier: MIT
#include "prim/triangle_box_axes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graze::prim {

namespace {

/// Everything relative to a centre c of the box, which lies in [c - h, c + h]: the corners u = v - c.
class Axes {
 public:
  Axes(const std::array<Vec3, 3>& triangle, const Box3& box) {
    Vec3 c;
    for (int k = 0; k < 3; ++k) {
      c[k] = box.lo[k] / 2 + box.hi[k] / 2;
      const double half = std::max(box.hi[k] - c[k], c[k] - box.lo[k]);
      h_[k] = half + half * 0x1p-52 + std::numeric_limits<double>::denorm_min();  // rounded up
      size_ += h_[k];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      u_[i] = triangle[i] - c;
      size_ += std::fabs(u_[i].x) + std::fabs(u_[i].y) + std::fabs(u_[i].z);
    }
  }

  /// Is the box certainly on one side of the triangle along n? Any n is valid: only the products n.u and the box's
  /// extent |n|.h are rounded. Each is a sum of at most three products of n with numbers that `size` bounds, where u
  /// itself is off by 2^-53 of its size: in total by less than 8 eps |n| size, far below 2^-48 of it; underflow loses
  /// less than the smallest normal number. Infinite or NaN sums prove nothing: no comparison with them holds.
  bool apart_along(const Vec3& n) const {
    const double a = dot(n, u_[0]), b = dot(n, u_[1]), c = dot(n, u_[2]);
    const double nx = std::fabs(n.x), ny = std::fabs(n.y), nz = std::fabs(n.z);
    const double reach = nx * h_.x + ny * h_.y + nz * h_.z + 0x1p-48 * std::max({nx, ny, nz}) * size_ +
                         std::numeric_limits<double>::min();
    return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
  }

  bool apart() const {
    const Vec3 e[3] = {u_[1] - u_[0], u_[2] - u_[1], u_[0] - u_[2]};
    if (apart_along(cross(e[0], e[1]))) return true;
    for (const Vec3& d : e)
      if (apart_along({0, -d.z, d.y}) || apart_along({d.z, 0, -d.x}) || apart_along({-d.y, d.x, 0})) return true;
    return false;
  }

 private:
  std::array<Vec3, 3> u_;
  Vec3 h_;
  double size_ = 0;
};

}  // namespace

bool triangle_box_apart(const std::array<Vec3, 3>& triangle, const Box3& box) {
  Box3 own;
  for (const Vec3& p : triangle) own.add(p);
  if (box.empty() || !own.overlaps(box)) return true;
  if (std::any_of(triangle.begin(), triangle.end(), [&](const Vec3& p) { return box.contains(p); })) return false;
  return Axes(triangle, box).apart();
}

}  // namespace graze::prim
