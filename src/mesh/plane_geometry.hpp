// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/math/vec3.hpp>

namespace graze::mesh {

/// A polygon's corners by position, so that algorithms need not know how they are stored.
struct CornerView {
  std::span<const Vec3> positions;
  std::span<const std::uint32_t> polygon;

  std::size_t size() const { return polygon.size(); }
  const Vec3& operator[](std::size_t i) const { return positions[polygon[i]]; }
};

/// Twice the best-fit (Newell) normal's direction, scaled by a power of two so that no finite input overflows or
/// underflows. `noise[k]` bounds the rounding error of component k: the sign of a component within it is not reliable.
struct NewellNormal {
  Vec3 normal;
  Vec3 noise;
};
NewellNormal newell_normal(const CornerView& corners);

/// The projection along an axis that preserves the orientation: its 2D area has the sign of the normal's component.
struct Point2 {
  double x = 0, y = 0;
  friend bool operator==(const Point2&, const Point2&) = default;
};
inline Point2 project(const Vec3& p, int axis) {
  return axis == 0 ? Point2{p.y, p.z} : axis == 1 ? Point2{p.z, p.x} : Point2{p.x, p.y};
}

int orient(const Point2& a, const Point2& b, const Point2& c);

/// Are the three points exactly collinear (or equal)?
bool collinear(const Vec3& a, const Vec3& b, const Vec3& c);

/// Three corners that span a plane; `found` is false if all corners are collinear.
struct SpanningCorners {
  std::array<std::uint32_t, 3> corner{};
  bool found = false;
};
SpanningCorners spanning_corners(const CornerView& corners);

/// Are all corners exactly coplanar?
bool is_planar(const CornerView& corners);

/// Axes by descending size of the components; ties go to the lower axis.
std::array<int, 3> axes_by_size(const Vec3& v);

}  // namespace graze::mesh
