// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <vector>

#include "body/body_data.hpp"
#include "core/arena.hpp"
#include "math/placed_points.hpp"
#include "math/relative_placement.hpp"
#include "prim/closest/closest.hpp"
#include "prim/triangle_triangle.hpp"

namespace graze::engine::distance {

/// Two placed bodies between which a distance is asked.
struct DistanceQuery {
  const body::BodyData& a;
  const body::BodyData& b;
  const Pose& pose_a;
  const Pose& pose_b;
  math::RelativePlacement placement;
};

/// A certified upper bound of the distance, shared by all threads of a query.
class UpperBound {
 public:
  explicit UpperBound(double start) : value_(start) {}
  double get() const { return value_.load(std::memory_order_relaxed); }
  void lower(double x) {
    for (double seen = get(); x < seen && !value_.compare_exchange_weak(seen, x, std::memory_order_relaxed);) {
    }
  }

 private:
  std::atomic<double> value_;
};

/// A triangle pair that may hold the closest points: certified lower <= distance <= upper.
struct Candidate {
  std::uint32_t a, b;
  double lower, upper;
  double rounded;  ///< the distance of the closest points as they are rounded
  prim::ClosestPair closest;
};

using CandidateList = core::ArenaVector<Candidate>;

/// Where a question on one thread keeps its lists: nothing is asked of the heap while few pairs tie.
class DistanceArena {
 public:
  core::Arena* get() { return &memory_; }

 private:
  alignas(std::max_align_t) std::byte space_[1 << 16];
  core::Arena memory_{space_, sizeof(space_)};
};

/// Collects the triangle pairs that may hold the minimum.
class Candidates {
  static constexpr std::size_t few = 512;  ///< candidates before the first pruning

 public:
  /// `enough`: a pair at most that far apart ends the search (the bound becomes negative, which nothing can stay
  /// below).
  Candidates(const DistanceQuery& q, UpperBound& bound, double enough = -1, core::Arena* memory = nullptr)
      : list(memory), q_(q), bound_(bound), enough_(enough) {
    list.reserve(few);
  }

  /// B may be moved by this, in A's frame, to either side: of no pair is it asked how near it is, only whether it is
  /// farther apart than the bound wherever B is. The first of which that is not certain ends the search.
  void sweep(const Vec3& way) {
    swept_ = true;
    way_ = way;
  }
  bool swept() const { return swept_; }
  const Vec3& sweep() const { return way_; }

  /// A pair of which nothing is known.
  void consider(std::uint32_t ta, std::uint32_t tb) {
    ++counters.triangle_tests;
    std::array<Vec3, 3> a, b;
    const double error = load(q_, ta, tb, a, b);
    if (prim::planes_separate(a, b, error, bound_.get())) return;
    measure(ta, tb, a, b, error);
  }
  /// A pair of which it is not known that it is farther apart than the bound.
  void measure(std::uint32_t ta, std::uint32_t tb) {
    std::array<Vec3, 3> a, b;
    const double error = load(q_, ta, tb, a, b);
    measure(ta, tb, a, b, error);
  }

  /// Looks along the line between the closest points of a pair from now on.
  void guide(std::uint32_t ta, std::uint32_t tb) {
    std::array<Vec3, 3> a, b;
    load(q_, ta, tb, a, b);
    const prim::ClosestPair c = prim::closest_triangle_triangle(a, b);
    direction = c.b - c.a;
  }

  /// Corners of a pair in A's frame; returns their error.
  static double load(const DistanceQuery& q, std::uint32_t ta, std::uint32_t tb, std::array<Vec3, 3>& a,
                     std::array<Vec3, 3>& b) {
    double error = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      a[k] = q.a.corner(ta, k);
      const Vec3& x = q.b.corner(tb, k);
      b[k] = q.placement.place(x);
      error = std::max(error, q.placement.error(x));
    }
    return error;
  }

  /// Drops what the bound has made impossible since.
  void prune() {
    const double best = bound_.get();
    std::erase_if(list, [&](const Candidate& c) { return c.lower > best; });
    limit_ = std::max(few, 2 * list.size());
  }

  double bound() const { return bound_.get(); }

  CandidateList list;
  Counters counters;
  Vec3 direction{};  ///< from A to B where the bound was last improved: a good direction to look for separation along,
                     ///< and no more than that

 private:
  void measure(std::uint32_t ta, std::uint32_t tb, const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b,
               double error) {
    ++counters.triangle_distances;
    const prim::ClosestPair c = prim::closest_triangle_triangle(a, b);
    if (swept_) return look_along_the_way(a, b, c, error);
    // Squares of very small numbers may be lost.
    const double d = c.squared > 1e-280 ? std::sqrt(c.squared) : length(c.b - c.a);
    // The points found are off their triangles by the roundings of p + s u and of a foot: below 16 eps of the largest
    // coordinates; and the corners themselves by `error` a coordinate.
    double size = 0;
    for (const auto* t : {&a, &b})
      for (const Vec3& x : *t) size = std::max({size, std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)});
    const double upper = d * (1 + 0x1p-50) + 2 * (error + 32 * 0x1p-53 * size);
    double lower = std::max(0.0, prim::separation(a, b, c.b - c.a, error));
    if (lower < 0.999 * d) lower = std::max(lower, prim::separation(a, b, prim::across_parts(a, b, c), error));
    if (!std::isfinite(lower)) lower = 0;  // beyond the range of doubles nothing is proved
    if (lower > bound_.get()) return;
    if (upper < bound_.get()) direction = c.b - c.a;
    // Triangles that cross are as near as can be, but the closest points of their edges and corners do not show it:
    // where whole surfaces cross, all their pairs would be listed before one of them is looked at exactly.
    const bool near = upper <= enough_ || (enough_ >= 0 && !(lower > 0) && meet(ta, tb));
    bound_.lower(near ? -1 : upper);
    list.push_back({ta, tb, lower, upper, d, c});
    if (list.size() >= limit_) prune();
  }

  /// The shortest of the vectors n + s `way`, -1 <= s <= 1, rounded.
  Vec3 nearest_on_the_way(const Vec3& n) const {
    const double square = dot(way_, way_);
    return square > 0 ? n + std::clamp(-dot(n, way_) / square, -1.0, 1.0) * way_ : n;
  }

  /// The gap along a direction less what the way adds to B's range there: 2^-40 of the way is far more than the
  /// roundings of that.
  void look_along_the_way(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, const prim::ClosestPair& c,
                          double error) {
    const double size = std::fabs(way_.x) + std::fabs(way_.y) + std::fabs(way_.z);
    const auto apart = [&](const Vec3& n) {
      const double along = std::fabs(dot(n, way_)) / length(n) + 0x1p-40 * size;
      if (!(prim::separation(a, b, n, error) - along > bound_.get() * (1 + 0x1p-50))) return false;
      direction = n;
      return true;
    };
    const Vec3 n = c.b - c.a;
    if (apart(n) || apart(prim::across_parts(a, b, c))) return;
    if (size > 0 && apart(nearest_on_the_way(n))) return;
    bound_.lower(-1);
  }

  bool meet(std::uint32_t ta, std::uint32_t tb) {
    const math::RelativePlacement own = q_.placement;  // exact parts are computed lazily, on one thread
    math::PlacedPoints points(own, counters);
    for (std::size_t k = 0; k < 3; ++k) points.add_a(q_.a.corner(ta, k));
    for (std::size_t k = 0; k < 3; ++k) points.add_b(q_.b.corner(tb, k));
    return prim::triangle_triangle(points) != prim::TriangleContact::none;
  }

  const DistanceQuery& q_;
  UpperBound& bound_;
  double enough_;
  bool swept_ = false;
  Vec3 way_{};
  std::size_t limit_ = few;
};

}  // namespace graze::engine::distance
