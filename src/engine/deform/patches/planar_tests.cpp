// SPDX-License-Identifier: MIT
#include "engine/deform/patches/planar_tests.hpp"

#include <cmath>

namespace graze::engine::deform {

namespace {

struct Flat {
  double x, y;
};
Flat difference(const PlanePoint& p, const PlanePoint& q, int end) {
  return {p.x[end] - q.x[end], p.y[end] - q.y[end]};
}
double turn(const Flat& a, const Flat& b) { return a.x * b.y - a.y * b.x; }
double product(const Flat& a, const Flat& b) { return a.x * b.x + a.y * b.y; }

/// A quadratic in Bernstein form on an interval.
struct Quadratic {
  double b[3];
  bool above(double e) const { return b[0] > e && b[1] > e && b[2] > e; }
  bool below(double e) const { return b[0] < -e && b[1] < -e && b[2] < -e; }
  /// De Casteljau: the two halves.
  Quadratic left() const { return {{b[0], 0.5 * (b[0] + b[1]), 0.25 * (b[0] + b[1]) + 0.25 * (b[1] + b[2])}}; }
  Quadratic right() const { return {{0.25 * (b[0] + b[1]) + 0.25 * (b[1] + b[2]), 0.5 * (b[1] + b[2]), b[2]}}; }
};

template <class Form>
Quadratic quadratic(const PlanePoint& p, const PlanePoint& q, const PlanePoint& origin, Form form) {
  const Flat p0 = difference(p, origin, 0), p1 = difference(p, origin, 1);
  const Flat q0 = difference(q, origin, 0), q1 = difference(q, origin, 1);
  return {{form(p0, q0), 0.5 * (form(p0, q1) + form(p1, q0)), form(p1, q1)}};
}

constexpr int halvings = 4;

bool apart(const Quadratic (&q)[4], double error, int left) {
  if ((q[0].above(error) && q[1].above(error)) || (q[0].below(error) && q[1].below(error))) return true;
  if ((q[2].above(error) && q[3].above(error)) || (q[2].below(error) && q[3].below(error))) return true;
  if (left == 0) return false;
  const Quadratic l[4] = {q[0].left(), q[1].left(), q[2].left(), q[3].left()};
  if (!apart(l, error, left - 1)) return false;
  const Quadratic r[4] = {q[0].right(), q[1].right(), q[2].right(), q[3].right()};
  return apart(r, error, left - 1);
}

bool unfolded(const Quadratic& turning, const Quadratic& along, double error, int left) {
  if (turning.above(error) || turning.below(error) || along.below(error)) return true;
  if (left == 0) return false;
  return unfolded(turning.left(), along.left(), error, left - 1) &&
         unfolded(turning.right(), along.right(), error, left - 1);
}

}  // namespace

bool never_meet(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d, double error) {
  const Quadratic q[4] = {quadratic(a, c, d, turn), quadratic(b, c, d, turn), quadratic(c, a, b, turn),
                          quadratic(d, a, b, turn)};
  return apart(q, error, halvings);
}

bool never_fold(const PlanePoint& v, const PlanePoint& a, const PlanePoint& b, double error) {
  return unfolded(quadratic(a, b, v, turn), quadratic(a, b, v, product), error, halvings);
}

void PointInLoop::add(const PlanePoint& from, const PlanePoint& to) {
  const double u = from.y[0] - p_.y[0], w = to.y[0] - p_.y[0];
  if (!(std::fabs(u) > 4 * off_) || !(std::fabs(w) > 4 * off_)) {
    certain_ = false;
    return;
  }
  if ((u > 0) == (w > 0)) return;
  const double side = turn(difference(from, p_, 0), difference(to, p_, 0));
  if (!(std::fabs(side) > error_)) certain_ = false;
  if ((side > 0) == (w > 0)) odd_ = !odd_;
}

}  // namespace graze::engine::deform
