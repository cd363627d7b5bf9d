// SPDX-License-Identifier: MIT
// Decides whether two triangles that touch at the start separate immediately.
#include <algorithm>
#include <cmath>

#include "engine/first_contact/pair/pair_motion.hpp"
#include "engine/first_contact/pair/time_to_close.hpp"
#include "math/vectors.hpp"

namespace graze::engine::first_contact {

namespace {

using math::infinity;
using math::norm;

/// A moving corner: its velocity now, the error of that, and bounds on speed and acceleration at all times.
struct OpeningCorner {
  Vec3 x, velocity;
  double error, speed, acceleration;
};

OpeningCorner opening_corner(const motion::Instant& m, const motion::Bounds& bounds, const Vec3& x, const Vec3& arm) {
  const double far = norm(arm);
  return {x, m.v + cross(m.w, arm), bounds.velocity_error + bounds.turn_velocity_error * far,
          bounds.speed + bounds.turn_speed * far, bounds.acceleration + bounds.turn_acceleration * far};
}

/// The pairs of corners along one direction. Close pairs must separate: gap + opening t - acceleration t^2 / 2 grows
/// until opening / acceleration, and by then they must be two tolerances apart; the other pairs must stay that far
/// apart until then.
class OpeningSpan {
 public:
  OpeningSpan(double tolerance, double rounding) : tolerance_(tolerance), rounding_(rounding) {}

  /// `noise`: opening speeds up to this cannot be distinguished from sliding, as in `direction_of`.
  bool add(double gap, double opening, double acceleration, double noise) {
    if (gap < -4 * rounding_) return false;  // no separating direction
    if (gap > 4 * tolerance_) {
      until_ = std::min(until_, time_to_close(gap - 2 * tolerance_, -opening, acceleration));
      return true;
    }
    if (!(opening > noise)) return false;
    until_ = std::min(until_, acceleration > 0 ? opening / acceleration : infinity);
    // Before opening / acceleration, the acceleration takes away at most half of the gain.
    opened_ = std::max(opened_, 2 * (2 * tolerance_ - gap) / opening);
    return true;
  }
  double time() const {
    if (until_ > 1) return opened_ <= 1 ? opened_ : infinity;
    return opened_ <= until_ ? opened_ : 0.0;
  }

 private:
  double tolerance_, rounding_;
  double until_ = infinity, opened_ = 0;
};

class PairOpening {
 public:
  PairOpening(const Moment& m, const MovingPair& p, const Kinematics& kinematics, double tolerance)
      : m_(m),
        twist_a_(kinematics.a().bounds().twist),
        twist_b_(kinematics.b().bounds().twist),
        span_(tolerance, kinematics.rounding()) {
    for (std::size_t k = 0; k < 3; ++k) {
      a_[k] = opening_corner(m.a, kinematics.a().bounds(), p.a[k], p.arm_a[k]);
      b_[k] = opening_corner(m.b, kinematics.b().bounds(), p.b[k], p.arm_b[k]);
    }
  }

  /// Along n and along -n, whichever separates.
  void offer(const Vec3& n, const Vec3& turn = {}) {
    if (n == Vec3{}) return;
    for (const double sign : {1.0, -1.0}) {
      const double time = along(n * sign, turn * sign);
      if (time > 0 && (best_ == 0 || time < best_)) best_ = time;
    }
  }
  double best() const { return best_; }

 private:
  /// The direction rotates uniformly from n (unit) at the rate of `turn` (perpendicular to n): f = n . d of two
  /// corners' difference d has f' = n' . d + n . d' and |f''| <= |n'|^2 |d| + 2 |n'| |d'| + |n . d''|, with |d| at most
  /// its present value plus the distance that the two corners can travel until t = 1.
  double along(const Vec3& n, const Vec3& turn) const {
    OpeningSpan span = span_;
    const double rate = norm(turn);
    for (const OpeningCorner& a : a_)
      for (const OpeningCorner& b : b_) {
        const Vec3 d = b.x - a.x, v = b.velocity - a.velocity;
        const double speed = a.speed + b.speed;
        double acceleration = acceleration_of(m_.a, twist_a_, a, n, rate) + acceleration_of(m_.b, twist_b_, b, n, rate);
        acceleration += rate * rate * (norm(d) + speed) + 2 * rate * speed;
        const double noise = 1e-9 * (norm(a.velocity) + norm(b.velocity) + rate * norm(d));
        const double opening = dot(n, v) + dot(turn, d) - a.error - b.error;
        if (!span.add(dot(n, d), opening, acceleration * (1 + 0x1p-40), noise)) return 0;
      }
    return span.time();
  }

  /// |n . x''|: of a twist along a fixed direction, n . (w x (w x r)) = (n x w) . (w x r), where |w x r| does not
  /// change while the body turns.
  static double acceleration_of(const motion::Instant& m, bool twist, const OpeningCorner& c, const Vec3& n,
                                double rate) {
    if (!twist || rate > 0) return c.acceleration;
    return std::min(c.acceleration, norm(cross(n, m.w)) * norm(c.velocity - m.v));
  }

  const Moment& m_;
  bool twist_a_, twist_b_;
  OpeningSpan span_;
  std::array<OpeningCorner, 3> a_, b_;
  double best_ = 0;
};

/// Of length one, or zero; at every scale.
Vec3 unit_or_zero(const Vec3& v) {
  const Vec3 x = math::of_size_one(v);
  return x == Vec3{} ? x : x * (1 / norm(x));
}
Vec3 opening_edge(const std::array<Vec3, 3>& t, std::size_t k) { return unit_or_zero(t[(k + 1) % 3] - t[k]); }
Vec3 unit_across(const Vec3& u, const Vec3& v) { return unit_or_zero(cross(u, v)); }

}  // namespace

double PairMotion::opening_time(const Moment& m, const MovingPair& p) const {
  PairOpening opening(m, p, kinematics_, tolerance_);
  const Vec3 na = unit_across(opening_edge(p.a, 0), opening_edge(p.a, 1)),
             nb = unit_across(opening_edge(p.b, 0), opening_edge(p.b, 1));
  opening.offer(na);
  opening.offer(nb);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      opening.offer(unit_across(opening_edge(p.a, i), opening_edge(p.b, j)));
      opening.offer(unit_or_zero(p.b[j] - p.a[i]));
    }
    opening.offer(unit_across(na, opening_edge(p.a, i)));
    opening.offer(unit_across(nb, opening_edge(p.b, i)));
  }
  if (opening.best() > 0) return opening.best();
  // Where a face or an edge rotates, its far corners may approach along a fixed direction although the contact opens.
  // So try directions that rotate with a face, or stay perpendicular to two edges.
  const auto with = [&](const motion::Instant& body, const Vec3& n) { opening.offer(n, cross(body.w, n)); };
  with(m.a, na);
  with(m.b, nb);
  for (std::size_t i = 0; i < 3; ++i) {
    with(m.a, unit_across(na, opening_edge(p.a, i)));
    with(m.b, unit_across(nb, opening_edge(p.b, i)));
    for (std::size_t j = 0; j < 3; ++j) {
      const Vec3 e = opening_edge(p.a, i), f = opening_edge(p.b, j), product = cross(e, f), n = unit_or_zero(product);
      if (n == Vec3{}) continue;
      // n' in the plane of both edges with n' . e = -n . e' and n' . f = -n . f'.
      const double along_e = -dot(n, cross(m.a.w, e)), along_f = -dot(n, cross(m.b.w, f));
      opening.offer(n, (cross(f, n) * along_e + cross(n, e) * along_f) * (1 / norm(product)));
    }
  }
  return opening.best();
}

}  // namespace graze::engine::first_contact
