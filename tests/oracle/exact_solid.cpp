// SPDX-License-Identifier: MIT
#include <random>
#include <stdexcept>

#include "oracle/exact_oracle.hpp"

namespace graze::oracle {
namespace {

enum class Crossing { no, yes, unclear };

/// `unclear` when the ray is parallel to the triangle's plane, or meets an edge or a corner.
Crossing ray_crosses(const Point& p, const Point& direction, const Triangle& t) {
  const Point normal = cross(t[1] - t[0], t[2] - t[0]);
  const Rational slope = dot(normal, direction);
  if (slope.is_zero()) return Crossing::unclear;
  const Rational parameter = dot(normal, t[0] - p) / slope;
  if (parameter.sign() <= 0) return Crossing::no;  // p itself is not on the triangle
  const Point x = p + parameter * direction;
  bool on_line_of_an_edge = false;
  for (std::size_t i = 0; i < 3; ++i) {
    const int side = dot(cross(normal, t[(i + 1) % 3] - t[i]), x - t[i]).sign();
    if (side < 0) return Crossing::no;
    if (side == 0) on_line_of_an_edge = true;
  }
  return on_line_of_an_edge ? Crossing::unclear : Crossing::yes;
}

/// True if the ray from p meets a degenerate triangle, which is a segment or a point.
bool ray_meets_degenerate(const Point& p, const Point& direction, const Triangle& t) {
  const ConvexSet set = hull(t);
  const Point& first = set.corners.front();
  const Point& last = set.corners.back();
  // End the ray where it has certainly left the triangle: beyond both ends along its direction.
  Rational reach = dot(first - p, direction);
  if (dot(last - p, direction) > reach) reach = dot(last - p, direction);
  if (reach.sign() < 0) return false;
  const Rational parameter = reach / dot(direction, direction);
  return segments_meet(p, p + parameter * direction, first, last);
}

/// Nothing if the ray does not decide.
std::optional<bool> odd_crossings(const Point& p, const Point& direction, std::span<const Triangle> surface) {
  bool odd = false;
  for (const Triangle& t : surface) {
    if (degenerate(t)) {
      if (ray_meets_degenerate(p, direction, t)) return std::nullopt;
      continue;
    }
    const Crossing crossing = ray_crosses(p, direction, t);
    if (crossing == Crossing::unclear) return std::nullopt;
    if (crossing == Crossing::yes) odd = !odd;
  }
  return odd;
}

}  // namespace

Where point_in_polyhedron(const Point& p, std::span<const Triangle> closed_surface) {
  if (point_in_polygon(p, closed_surface)) return Where::on_surface;
  std::mt19937_64 random(1);
  const auto entry = [&] { return Rational(static_cast<std::int64_t>(random() % 20001) - 10000); };
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const Rational x = entry(), y = entry(), z = entry();
    const Point direction{x, y, z};
    if (dot(direction, direction).is_zero()) continue;
    if (const auto odd = odd_crossings(p, direction, closed_surface)) return *odd ? Where::inside : Where::outside;
  }
  throw std::runtime_error("oracle::point_in_polyhedron: no ray decides");
}

}  // namespace graze::oracle
