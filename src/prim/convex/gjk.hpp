// SPDX-License-Identifier: MIT
#pragma once

#include "prim/convex/frame.hpp"
#include "prim/convex/points.hpp"
#include "prim/convex/simplex.hpp"

namespace graze::prim {

/// Two placed convex bodies, searched in double precision for the nearest points (Gilbert, Johnson and Keerthi's
/// iteration).
///
/// Each step computes the support points of both bodies along v, the vector between the nearest points known so far.
/// That direction is also a certificate: along it all of A lies below all of B by v . w / |v| less the slacks. The
/// search ends with a proof of separation or of contact, or reports that double precision cannot decide; it never
/// guesses.
class ConvexSearch {
 public:
  enum class Outcome {
    apart,    ///< proved; for `distance`: lower() and the simplex's points also meet the requested accuracy
    contact,  ///< proved: the simplex is a tetrahedron with the origin inside, or balls inscribed in the bodies overlap
    open,     ///< double precision cannot decide
  };

  ConvexSearch(const ConvexPoints& a, const ConvexPoints& b, const ConvexFrame& frame) : a_(a), b_(b), frame_(frame) {}

  /// Starts from corners remembered from an earlier search; wrong ones only cost time.
  void start_from(int size, const std::array<std::uint32_t, 4>& a, const std::array<std::uint32_t, 4>& b);
  /// Do the bodies share a point? `axis`, if it is not zero, is tried first as a separating direction.
  Outcome collide(const Vec3& axis);
  /// How far apart are the bodies? `apart` only if double precision proves it to the relative error.
  Outcome distance(double relative_error);

  const ConvexSimplex& simplex() const { return simplex_; }
  const Vec3& direction() const { return v_; }
  /// A certified lower bound of the distance.
  double lower() const { return lower_; }
  /// True if overlapping inscribed balls proved contact, without a simplex.
  bool by_balls() const { return by_balls_; }

  unsigned iterations = 0, support_calls = 0;

 private:
  struct Support {
    std::uint32_t a, b;
    Vec3 w;
    double slack;
  };
  enum class Step { go_on, contact, stalled };

  bool begin();
  bool keeps_apart(const Support& s) const;
  Support support();
  Step advance(const Support& s);
  void set(const NearestPoint& p) {
    v_ = p.v;
    squared_ = p.squared;
  }

  const ConvexPoints& a_;
  const ConvexPoints& b_;
  const ConvexFrame& frame_;
  ConvexSimplex simplex_;
  Vec3 v_;
  double squared_ = 0, lower_ = 0;
  std::uint32_t hint_a_ = 0, hint_b_ = 0;
  bool by_balls_ = false;
};

}  // namespace graze::prim
