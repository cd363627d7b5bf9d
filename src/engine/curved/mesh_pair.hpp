// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

#include "body/body_data.hpp"
#include "math/relative_placement.hpp"
#include "shape/placed_core.hpp"
#include "shape/verdict.hpp"

namespace graze::engine::curved {

/// A mesh and a curved shape, seen from the mesh's frame, with lengths scaled by a power of two so that no coordinate
/// exceeds 1. The mesh is A, the shape is B.
class MeshPair {
 public:
  MeshPair(const body::BodyData& mesh, const Pose& pose_mesh, const body::BodyData& shape, const Pose& pose_shape);

  /// Which triangles meet the shape? Sets status, kind, certain, pairs, features, points and normal.
  void collide(bool all, bool all_features, CollideResult& result) const;
  /// The distance of the shape and the mesh's surface; 0 in contact.
  void distance(double relative_error, DistanceResult& result) const;
  /// Is the distance at most d? Sets status and certain.
  void within(double d, WithinResult& result) const;

 private:
  struct Found {
    std::uint32_t triangle = 0;
    shape::Gap gap;
  };

  /// Calls `visit(triangle, corners)` for every triangle whose box may be at most `reach()` away from the core; both
  /// may change what they see as they go. `visit` returns false to end the traversal.
  template <class Reach, class Visit>
  void walk(Reach&& reach, Visit&& visit, Counters& counters) const;
  template <class Result>
  void add_points(const Found& found, Result& result) const;
  Feature feature_of(const Found& found) const;

  const body::BodyData& mesh_;
  Pose pose_mesh_;
  int exponent_;  ///< a length of 1 in this frame is 2^exponent
  shape::Core core_;
  shape::PlacedCore placed_;
  shape::BoxCore core_box_;  ///< contains the core
};

}  // namespace graze::engine::curved
