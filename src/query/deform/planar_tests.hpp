// SPDX-License-Identifier: MIT
#pragma once

#include "query/deform/contour_test.hpp"

namespace graze::query {

/// Two edges in the plane whose ends move straight never meet (ICCD's planar edge/edge test, Fig. 4). At any time they
/// are apart if both ends of one are strictly on one side of the other's line. Which side is a quadratic in time
/// (eq. 1); its Bernstein coefficients, all beyond `error` on one side, prove it for an interval, which is halved a few
/// times where they do not.
bool never_meet(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d, double error);

/// Edges va and vb share only v at all times: at any time either they are not parallel or they point apart.
bool never_fold(const PlanePoint& v, const PlanePoint& a, const PlanePoint& b, double error);

/// Is a point inside a loop, at the start? By the edges that a ray in x direction passes.
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

}  // namespace graze::query
