// SPDX-License-Identifier: MIT
#include "mesh/plane_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/predicates.hpp"
#include "math/vectors.hpp"

namespace graze::mesh {
namespace {

using math::largest;

Vec3 scaled(const Vec3& v, int exponent) {
  return {std::scalbn(v.x, exponent), std::scalbn(v.y, exponent), std::scalbn(v.z, exponent)};
}

/// Differences to the first corner preserve precision when a small polygon lies far from the origin.
class OffsetScale {
 public:
  explicit OffsetScale(const CornerView& corners) : origin_(corners[0]) {
    double reach = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) reach = std::max(reach, largest(corners[i]));
    if (reach > safe_large) shrink_ = -2;  // otherwise differences could overflow
    double extent = 0;
    for (std::size_t i = 1; i < corners.size(); ++i) extent = std::max(extent, largest(difference(corners[i])));
    if (extent > 0 && (extent > safe_large || extent < safe_small)) grow_ = -std::ilogb(extent);
  }
  Vec3 operator()(const Vec3& p) const { return grow_ == 0 ? difference(p) : scaled(difference(p), grow_); }

 private:
  // Products of three such numbers, and sums of 2^32 of them, stay in range.
  static constexpr double safe_large = 0x1p300, safe_small = 0x1p-300;

  Vec3 difference(const Vec3& p) const {
    return shrink_ == 0 ? p - origin_ : scaled(p, shrink_) - scaled(origin_, shrink_);
  }

  Vec3 origin_;
  int shrink_ = 0, grow_ = 0;
};

Vec3 absolute(const Vec3& v) { return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}; }

}  // namespace

NewellNormal newell_normal(const CornerView& corners) {
  const OffsetScale offset(corners);
  NewellNormal sum;
  Vec3 magnitude;
  Vec3 last = offset(corners[1]);
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Vec3 here = offset(corners[i]);
    const Vec3 left{last.y * here.z, last.z * here.x, last.x * here.y};
    const Vec3 right{last.z * here.y, last.x * here.z, last.y * here.x};
    sum.normal = sum.normal + (left - right);
    magnitude = magnitude + (absolute(left) + absolute(right));
    last = here;
  }
  const double relative = (static_cast<double>(corners.size()) + 8) * std::numeric_limits<double>::epsilon();
  sum.noise = magnitude * relative;
  return sum;
}

int orient(const Point2& a, const Point2& b, const Point2& c) { return math::orient2d(a.x, a.y, b.x, b.y, c.x, c.y); }

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int axis = 2; axis >= 0; --axis) {
    if (orient(project(a, axis), project(b, axis), project(c, axis)) != 0) return false;
  }
  return true;
}

SpanningCorners spanning_corners(const CornerView& corners) {
  const auto n = static_cast<std::uint32_t>(corners.size());
  std::uint32_t b = 1;
  while (b < n && corners[b] == corners[0]) ++b;
  for (std::uint32_t c = b + 1; c < n; ++c) {
    if (!collinear(corners[0], corners[b], corners[c])) return {{0, b, c}, true};
  }
  return {};
}

bool is_planar(const CornerView& corners) {
  if (corners.size() <= 3) return true;
  const SpanningCorners plane = spanning_corners(corners);
  if (!plane.found) return true;
  const auto [a, b, c] = plane.corner;
  for (std::size_t d = c + 1; d < corners.size(); ++d) {
    if (math::orient3d(corners[a], corners[b], corners[c], corners[d]) != 0) return false;
  }
  return true;
}

std::array<int, 3> axes_by_size(const Vec3& v) {
  std::array<int, 3> axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(), [&](int i, int j) { return std::fabs(v[i]) > std::fabs(v[j]); });
  return axes;
}

}  // namespace graze::mesh
