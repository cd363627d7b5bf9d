// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "motion/joint_path.hpp"

namespace graze::motion {

/// A link after several moving joints, on a base that may move too: base(t) joint_1(t) ... joint_m(t) x. The
/// derivation of its bounds is in docs/motions.md.
class ChainPath : public Path {
 public:
  /// `base` may be null: then the motion is relative to the base. At least one joint.
  ChainPath(std::shared_ptr<const Path> base, std::vector<JointPath> joints, std::string description);

  using Path::at;
  Instant at(double t, const Vec3& origin) const override { return place(t, origin, nullptr); }
  Instant at(double t, const Vec3& origin, JointAxes& axes) const override { return place(t, origin, &axes); }
  Placement placement(double t) const override;
  IntervalPlacement over(const Interval& t) const override;
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override;
  double reference_derivative(int order) const override;
  double turn_rate() const override;
  Motion scaled(int exponent) const override;
  bool kinematic() const override { return !base_ || base_->kinematic(); }

 private:
  Instant place(double t, const Vec3& origin, JointAxes* axes) const;
  IntervalPlacement product(const Interval& t) const;
  double stepwise_travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const;

  std::shared_ptr<const Path> base_;
  std::vector<JointPath> joints_;
};

}  // namespace graze::motion
