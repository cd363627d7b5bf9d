// SPDX-License-Identifier: MIT
// Two moving meshes in long double: their gap at a time by brute force, and the time when it first falls to a threshold
// by the simplest argument (no point is faster than a speed bound), independent of the library's methods.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <graze/body/contact.hpp>
#include <graze/mesh/mesh.hpp>

#include "oracle/motion_truth.hpp"

namespace graze::oracle {

using RealTriangle = std::array<RealPoint, 3>;
using RealSegment = std::array<RealPoint, 2>;

/// The shortest vector from the first to the second.
RealPoint point_segment(const RealPoint& p, const RealSegment& s);
RealPoint point_triangle(const RealPoint& p, const RealTriangle& t);
RealPoint segment_segment(const RealSegment& s, const RealSegment& u);
/// The segment passes through the triangle's interior: the distance is 0.
bool pierces(const RealSegment& s, const RealTriangle& t);
/// None if an edge of one pierces the other.
std::optional<RealPoint> closest(const RealTriangle& a, const RealTriangle& b);
Real triangle_triangle(const RealTriangle& a, const RealTriangle& b);

/// The truth about a flight, as far as the oracle could determine it.
struct FlightTruth {
  Real apart_until = 0;            ///< the gap exceeds the tolerance before this time
  bool free_beyond_doubt = false;  ///< ... and during all of [0, 1]
  std::optional<Real> zero_at;     ///< the gap is 0 at this time at the latest
  Real least = 0;                  ///< the smallest gap found, and its time
  Real least_at = 0;
  bool looked_everywhere = true;  ///< false: the oracle's own step budget ran out
};

class TrueFlight {
 public:
  TrueFlight(Mesh a, const MotionRecipe& motion_a, Mesh b, const MotionRecipe& motion_b);

  const Mesh& mesh(int body) const { return body == 0 ? a_ : b_; }
  const MotionRecipe& recipe(int body) const { return body == 0 ? recipe_a_ : recipe_b_; }
  const TrueMotion& motion(int body) const { return body == 0 ? motion_a_ : motion_b_; }

  Real gap(Real t) const;
  Real gap(Real t, const TrianglePair& pair) const;
  Real gap(Real t, const Feature& feature) const;
  /// Every vertex/face and edge/edge pair whose closest points are at most `within` apart at t and lie inside face and
  /// edges (not on their boundaries, where they also belong to another pair). Polygons must be triangles.
  std::vector<Feature> features_within(Real t, Real within) const;
  /// Velocity of B relative to A at a point in world coordinates.
  RealPoint closing(Real t, const Vec3& on_a, const Vec3& on_b) const;
  Vec3 origin() const { return origin_; }

  /// A bound of the rounding error of all computations here.
  Real error() const { return error_; }
  Real speed() const { return speed_; }
  FlightTruth look(Real tolerance, int steps = 1500, Real least_step = 1.0L / 1000) const;
  /// The same by subdividing time and certifying directions in interval arithmetic: also works for near misses at
  /// distances of 1e-9.
  FlightTruth subdivide(Real tolerance, int spans = 1500) const;
  /// Meshes and motions, to reproduce a failure.
  std::string text() const;

 private:
  std::vector<RealPoint> placed(int body, Real t) const;

  Mesh a_, b_;
  MotionRecipe recipe_a_, recipe_b_;
  Vec3 origin_;
  TrueMotion motion_a_, motion_b_;
  Real speed_ = 0, error_ = 0;
};

}  // namespace graze::oracle
