// SPDX-License-Identifier: MIT
#pragma once

#include "separation.hpp"

namespace verify {

/// A separation along a direction that turns with one of the bodies, the frame: n is given in its own axes, and points
/// from A to B.
///
/// With R and c the frame's rotation and path, a vertex x of the other body is at y = R^T z, z = x - c, in the frame,
/// and n . y'' = n . (R''^T z + 2 R'^T z' + R^T z''), where |R'| is at most the frame's rate of turning, and |R''| its
/// square, or more where joints speed up. About a fixed axis k, R'^T z and R''^T z are perpendicular to k, and only the
/// part of n perpendicular to k counts. The frame's own vertices do not move. The rest is as for `Separation`.
class TurningSeparation {
 public:
  TurningSeparation(Body& a, Body& b, bool with_b, const std::array<double, 3>& n, double keep, Instants& instants)
      : frame_(with_b ? b : a), other_(with_b ? a : b), n_(vec(n.data())), instants_(instants) {
    if (with_b) n_ = {-n_[0], -n_[1], -n_[2]};  // from the frame to the other body
    own_ = frame_.furthest(n_);
    if (keep > 0) own_ = (Interval(own_) + Interval(keep) * length(n_)).hi;
    const Motion &f = frame_.motion, &o = other_.motion;
    // Bounds at all times: |z'| <= speed, |z''| <= acceleration, |z| <= away.
    const Interval across(f.across(n_)), far(other_.farthest_across());
    const Interval speed = Interval(o.path_speed()) + Interval(o.rate()) * far + f.path_speed();
    const Interval acceleration = Interval(o.turning()) * far + o.path_acceleration() + f.path_acceleration();
    const Interval away = length(other_.at(0).path - frame_.at(0).path).hi + Interval(o.path_speed()) + f.path_speed() +
                          Interval(2) * other_.size();
    curvature_ = (Interval(length(n_).hi) * acceleration +
                  across * (Interval(2) * f.rate() * speed + Interval(f.turning()) * away))
                     .hi;
  }

  bool holds(double from, double to) {
    const Instant s = at(from), e = at(to);
    return holds(s, e);
  }

 private:
  struct Instant {
    double t;
    Real gap;
  };

  Instant at(double t) {
    instants_.take(used_);
    const Body::Placed &f = frame_.at(t), &o = other_.at(t);
    const Vec n = transposed(f.to_local) * n_, minus{-n[0], -n[1], -n[2]};
    const Interval apart = dot(n, o.path - f.path);
    return {t, (apart - Interval(own_) - Interval(other_.furthest(o.to_local * minus))).lo};
  }

  bool holds(const Instant& s, const Instant& e) {
    const Interval time = Interval(e.t) - Interval(s.t);
    if (stays_positive(s.gap, e.gap, (Interval(0.5L) * time * time * curvature_).hi)) return true;
    const double middle = s.t + (e.t - s.t) / 2;
    if (!(s.gap > 0) || !(e.gap > 0) || middle <= s.t || middle >= e.t) return false;
    const Instant m = at(middle);
    return holds(s, m) && holds(m, e);
  }

  Body &frame_, &other_;
  Vec n_;
  Instants& instants_;
  std::size_t used_ = 0;
  Real own_ = 0, curvature_ = 0;
};

}  // namespace verify
