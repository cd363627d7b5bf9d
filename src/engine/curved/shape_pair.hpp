// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

#include "body/body_data.hpp"
#include "shape/placed_core.hpp"
#include "shape/verdict.hpp"

namespace graze::engine::curved {

/// Two shapes, neither a half-space, seen from A's frame, with lengths scaled by a power of two so that no coordinate
/// exceeds 1. At least one is curved: polyhedral pairs are decided exactly elsewhere.
class ShapePair {
 public:
  ShapePair(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b);

  /// Sets status, kind, certain, features, points and normal; there are no triangles and no pairs.
  void collide(CollideResult& result) const;
  void distance(double relative_error, DistanceResult& result) const;
  void within(double d, WithinResult& result) const;

  /// The two cores, and the factor of this frame: a length of 1 is 2^exponent.
  const shape::PlacedCore& a() const { return placed_a_; }
  const shape::PlacedCore& b() const { return placed_b_; }
  double radius() const { return core_a_.radius + core_b_.radius; }
  int exponent() const { return exponent_; }

 private:
  template <class Result>
  void add_points(const shape::Gap& gap, Result& result) const;
  Feature feature(const shape::Gap& gap) const;

  const body::BodyData& data_a_;
  const body::BodyData& data_b_;
  Pose pose_a_;
  int exponent_;
  shape::Core core_a_, core_b_;
  shape::PlacedCore placed_a_, placed_b_;
};

/// A half-space (A) and a curved shape.
class HalfSpacePair {
 public:
  HalfSpacePair(const body::BodyData& half_space, const Pose& pose, const body::BodyData& shape,
                const Pose& pose_shape);

  void collide(CollideResult& result) const;
  void distance(DistanceResult& result) const;
  void within(double d, WithinResult& result) const;

 private:
  template <class Result>
  void add_points(Result& result) const;

  Pose pose_;
  Vec3 lowest_;   ///< the shape's lowest point, in the half-space's frame; rounded
  double level_;  ///< of the half-space's surface: it may be rounded
  double error_;  ///< of the difference of the two heights
};

}  // namespace graze::engine::curved
