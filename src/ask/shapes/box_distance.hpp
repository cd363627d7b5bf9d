// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <graze/ask/distance.hpp>

#include "engine/curved/placed_pair.hpp"
#include "engine/distance/candidates.hpp"
#include "shape/gap.hpp"

namespace graze::ask {

/// The distance of two boxes (shapes, not rounded: see `plain_boxes`) by GJK, in doubles. What is reported follows from
/// the corners between which the search ended.
class BoxDistance {
 public:
  BoxDistance(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b,
              double relative_error, Counters& counters);

  /// As far as doubles can tell.
  bool overlap() const { return gap_.overlap; }

  /// The whole answer, if the distance is known to the relative error, and the closest points are a vertex and anything
  /// else, or on two edges that are not parallel. False: otherwise, and the result has not changed.
  bool report(DistanceResult& result) const;

  /// The triangles with the closest points, if these are known to the relative error. False: they are too near each
  /// other for doubles.
  bool closest_triangles(const engine::distance::DistanceQuery& q, engine::distance::Candidate& out) const;

 private:
  /// A vertex, edge or face of a box, or all of it: the ids of its first and last corner. A corner's id has bit k if it
  /// is on the positive side of axis k (body/shape_mesh.cpp).
  struct Span {
    std::uint32_t first, last;
    std::uint32_t free_axes() const { return first ^ last; }
    bool is_vertex() const { return first == last; }
    bool is_edge() const { return !is_vertex() && (free_axes() & (free_axes() - 1)) == 0; }
    bool is_whole_box() const { return free_axes() == 7; }
  };
  Span span_of_a() const;
  Span span_of_b() const;
  static std::uint32_t triangle_with(const body::BodyData& box, const Span& span, const Vec3& p);
  std::uint32_t triangle_of_a(const Span& span) const;
  std::uint32_t triangle_of_b(const Span& span) const;
  /// Is every side so long that rounding cannot put a corner on the other end of it?
  bool corners_are_certain() const;

  const body::BodyData& a_;
  const body::BodyData& b_;
  engine::curved::PlacedPair pair_;
  shape::Gap gap_;
  double lower_, allowed_;  ///< of the scaled distance: a certified bound, and the most that may be reported with it
  bool known_;
};

}  // namespace graze::ask
