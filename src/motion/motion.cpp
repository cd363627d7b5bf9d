// SPDX-License-Identifier: MIT
#include <graze/motion/motion.hpp>

#include <limits>

#include "core/fp_guard.hpp"
#include "motion/own_path.hpp"

namespace graze {

OwnMotion::~OwnMotion() = default;

Motion::Motion() : Motion(Still{}) {}

Motion::Motion(std::shared_ptr<const OwnMotion> own) : path_(std::make_shared<const motion::OwnPath>(std::move(own))) {}

Placement Motion::at(double t) const {
  const core::FpGuard guard;
  return path_->placement(t);
}

IntervalPlacement Motion::over(double t0, double t1) const {
  const core::FpGuard guard;
  if (0 <= t0 && t0 <= t1 && t1 <= 1) return path_->over({t0, t1});
  IntervalPlacement anywhere;  // not a time span of this motion: no information
  anywhere.r.fill(Interval::whole());
  anywhere.t.fill(Interval::whole());
  return anywhere;
}

double Motion::travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const {
  const core::FpGuard guard;
  const bool asked = is_finite(n) && is_finite(centre) && radius >= 0 && 0 <= t0 && t0 <= t1 && t1 <= 1;
  return asked ? path_->travel(n, centre, radius, t0, t1) : std::numeric_limits<double>::infinity();
}

}  // namespace graze
