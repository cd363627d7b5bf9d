// SPDX-License-Identifier: MIT
#pragma once

#include "engine/deform/patches/contour_test.hpp"

namespace graze::engine::deform {

/// Two edges in the plane whose ends move on straight lines never meet (ICCD's planar edge/edge test, Fig. 4). At any
/// time they are disjoint if both ends of one are strictly on one side of the other's line. The side is the sign of a
/// quadratic in time (eq. 1). If all its Bernstein coefficients are beyond `error` on one side, this is proved for an
/// interval. Otherwise the interval is halved, a few times at most.
bool never_meet(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d, double error);

/// Edges va and vb share only v at all times: at any time they are either not parallel or point in opposite directions.
bool never_fold(const PlanePoint& v, const PlanePoint& a, const PlanePoint& b, double error);

/// Is a point inside a loop, at the start? Counts the edges that a ray in x direction crosses.
class PointInLoop {
 public:
  PointInLoop(const PlanePoint& p, double off, double error) : p_(p), off_(off), error_(error) {}
  void add(const PlanePoint& from, const PlanePoint& to);
  bool is_certain() const { return certain_; }
  bool is_inside() const { return odd_; }

 private:
  PlanePoint p_;
  double off_, error_;
  bool certain_ = true, odd_ = false;
};

}  // namespace graze::engine::deform
