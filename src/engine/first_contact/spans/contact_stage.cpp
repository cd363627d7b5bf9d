// SPDX-License-Identifier: MIT
#include "engine/first_contact/spans/contact_stage.hpp"

#include <algorithm>

#include "math/vectors.hpp"

namespace graze::engine::first_contact {

namespace {

using math::infinity;

LocalBall ball_around(const LocalPoints& x) {
  // For an edge {p, q, q} and for a vertex, the midpoint of the first and the last is the centre; for a triangle any
  // point is valid.
  const Vec3 centre = x[1] == x[2] ? (x[0] + x[2]) * 0.5 : (x[0] + x[1] + x[2]) * (1.0 / 3);
  const double radius =
      std::max({scaled_length(x[0] - centre), scaled_length(x[1] - centre), scaled_length(x[2] - centre)});
  return {centre, radius * (1 + 0x1p-45)};
}

}  // namespace

Stage::Stage(const Flight& flight) : f_(flight), own_(flight) {
  if (!f_.motion_a.kinematic() || !f_.motion_b.kinematic()) return;
  kinematics_.emplace(f_.a, f_.motion_a, f_.b, f_.motion_b);
  pairs_.emplace(f_.a, f_.b, *kinematics_, f_.tolerance);
}

Stage::Instant Stage::at(double t) const {
  Instant now{t, {}, {}, f_.rounding, {}};
  if (kinematics_) {
    now.moment = kinematics_->at(t);
    now.origin = kinematics_->origin();
  } else {
    now.places = own_.at(t);
    now.error = now.places.error;
    now.origin = f_.motion_a.placement(t).t;  // OwnPairs is relative to A's position
  }
  return now;
}

MovingPair Stage::place(const Instant& now, const LocalPoints& a, const LocalPoints& b) const {
  MovingPair p{};
  const auto turned = [](const std::array<double, 9>& r, const Vec3& x) {
    return Vec3{r[0] * x.x + r[1] * x.y + r[2] * x.z, r[3] * x.x + r[4] * x.y + r[5] * x.z,
                r[6] * x.x + r[7] * x.y + r[8] * x.z};
  };
  for (std::size_t k = 0; k < 3; ++k) {
    if (kinematics_) {
      p.arm_a[k] = turned(now.moment.a.r, a[k] - kinematics_->a().reference());
      p.arm_b[k] = turned(now.moment.b.r, b[k] - kinematics_->b().reference());
      p.a[k] = now.moment.a.o + p.arm_a[k];
      p.b[k] = now.moment.b.o + p.arm_b[k];
    } else {
      p.a[k] = now.places.a.apply(a[k]);
      p.b[k] = now.places.b.apply(b[k]);
    }
  }
  return p;
}

double Stage::step(const Instant& now, const MovingPair& p, const LocalPoints& a, const LocalPoints& b, const Vec3& n,
                   double target) const {
  if (kinematics_) {
    const double safe = pairs_->safe_time(now.moment, p, n, target + now.error);
    if (!(safe > 0)) return now.t;
    return now.t + safe > 1 ? infinity : std::max(now.t, next_down(now.t + safe));
  }
  double apart = infinity;
  for (const Vec3& x : p.a)
    for (const Vec3& y : p.b) apart = std::min(apart, dot(n, y - x));
  apart -= target + now.error;
  return apart > 0 ? own_.step(now.t, n, apart, ball_around(a), ball_around(b)) : now.t;
}

}  // namespace graze::engine::first_contact
