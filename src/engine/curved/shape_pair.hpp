// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>

#include "body/body_data.hpp"
#include "engine/curved/placed_pair.hpp"
#include "shape/closed_forms.hpp"
#include "shape/verdict.hpp"

namespace graze::engine::curved {

/// Two shapes, neither a half-space, seen from A's frame, with lengths scaled by a power of two so that no coordinate
/// exceeds 1. At least one is curved: polyhedral pairs are decided exactly elsewhere.
///
/// Spheres against all but hulls, and capsules against each other, have closed forms
/// (shape/closed_forms.hpp). Of other pairs, balls that contain the cores or are in them often tell whether they meet;
/// then the searches of shape/verdict.hpp do. Everything is rounded as shape/gap.hpp says.
class ShapePair {
 public:
  ShapePair(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b)
      : data_a_(a), data_b_(b), pair_(*a.core, pose_a, *b.core, pose_b) {}

  /// Sets status, kind, certain, features, points and normal; there are no triangles and no pairs.
  void collide(CollideResult& result) const;
  void distance(double relative_error, DistanceResult& result) const;
  void within(double d, WithinResult& result) const;

 private:
  /// What is closest or deepest, in this frame.
  struct Witness {
    Vec3 a, b;    ///< points of the bodies
    Vec3 normal;  ///< zero: none
    Feature feature;
  };

  Witness witness(const shape::CoreGap& gap) const;
  Witness witness(const shape::Gap& gap) const;
  template <class Result>
  void add_points(const Witness& w, Result& result) const;
  bool closed_form(shape::CoreGap& gap) const;
  bool meet_by_balls(double radius, shape::Verdict& verdict, Vec3& common) const;
  void report_contact(const Witness& w, bool certain, CollideResult& result) const;

  const body::BodyData& data_a_;
  const body::BodyData& data_b_;
  PlacedPair pair_;
};

/// The distance of two spheres or capsules that are clearly apart. False: of anything else, and nothing is set.
bool distance_of_capsules(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b, const Pose& pose_b,
                          double relative_error, DistanceResult& result);

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
