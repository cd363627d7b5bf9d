// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>

namespace graze::prim {

/// The corners of a convex body, prepared for support queries (the furthest corner along a direction).
///
/// Points are stored relative to `centre`, which is chosen so that the differences are exact: along an axis whose
/// coordinates lie within a factor of two of each other it is a coordinate between them (Sterbenz), else zero. So error
/// bounds are relative to the body's own size wherever it was modelled, and the stored points represent the body
/// exactly, not a rounded copy of it.
class ConvexPoints {
 public:
  /// `points`: the extreme points of a convex body that has a volume, each once; `edges`: the edges of that body.
  ConvexPoints(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 2>> edges);

  std::uint32_t size() const { return count_; }
  const Vec3& centre() const { return centre_; }
  Vec3 operator[](std::uint32_t i) const { return {points_[i].x, points_[i].y, points_[i].z}; }
  std::span<const std::uint32_t> neighbours(std::uint32_t i) const {
    return {neighbours_.data() + first_[i], neighbours_.data() + first_[i + 1]};
  }

  /// A corner v that is furthest along n, up to rounding: n . (x - v) <= |n| slack(v) for every point x of the body.
  /// `hint`: the corner to start from; any corner is valid.
  std::uint32_t support(const Vec3& n, std::uint32_t hint) const {
    if (small_) return scan(n);
    const std::uint32_t start = table_[cell(n)];
    return climb(n, dot(n, (*this)[start]) > dot(n, (*this)[hint]) ? start : hint);
  }
  double slack(std::uint32_t v) const { return points_[v].slack; }

  /// The mean of the points, and the largest distances of a point from `centre()` and from the mean.
  const Vec3& middle() const { return middle_; }
  double radius() const { return radius_; }
  double outer_radius() const { return outer_radius_; }
  /// The radius of a ball around `middle()` inside the body, or zero. To be set by callers that know the faces.
  double inner_radius() const { return inner_radius_; }
  void set_inner_radius(double r) { inner_radius_ = r; }

  std::size_t bytes() const;

 private:
  /// Up to this number of corners a full scan is faster than climbing (measured).
  static constexpr std::uint32_t scan_limit = 40;

  struct alignas(32) Corner {
    double x, y, z, slack;
  };

  void place(std::span<const Vec3> points);
  void connect(std::span<const std::array<std::uint32_t, 2>> edges);
  double climbing_slack(std::uint32_t v) const;
  void fill_table();
  std::size_t cell(const Vec3& n) const;
  std::uint32_t scan(const Vec3& n) const;
  std::uint32_t climb(const Vec3& n, std::uint32_t start) const;
  std::uint32_t scan_all(const Vec3& n) const;

  std::uint32_t count_ = 0;
  bool small_ = false;
  double cells_ = 0;  ///< half the table's side
  Vec3 centre_, middle_;
  double radius_ = 0, outer_radius_ = 0, inner_radius_ = 0;
  std::vector<Corner> points_;
  std::vector<double> rows_;  ///< x, then y, then z of all points, each row padded: for `scan`
  std::size_t row_ = 0;
  std::vector<std::uint32_t> first_, neighbours_;
  /// The start of the climb, by direction: cells of the octahedron |x| + |y| + |z| = 1, unfolded into a square.
  std::vector<std::uint32_t> table_;
};

/// The unfolded octahedron: cells are numbered along two axes from -1 to 1.
inline std::size_t ConvexPoints::cell(const Vec3& n) const {
  const double scale = 1 / (std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z));
  const double x = n.x * scale, y = n.y * scale;
  // The lower half is folded outward over the edges of the upper half's diamond.
  const bool lower = n.z < 0;
  const double u = lower ? std::copysign(1 - std::fabs(y), x) : x;
  const double v = lower ? std::copysign(1 - std::fabs(x), y) : y;
  const int last = static_cast<int>(2 * cells_) - 1;
  const int i = std::min(static_cast<int>((u + 1) * cells_), last);
  const int j = std::min(static_cast<int>((v + 1) * cells_), last);
  return static_cast<std::size_t>(i * (last + 1) + j);
}

}  // namespace graze::prim
