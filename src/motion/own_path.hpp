// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "motion/path.hpp"

namespace graze::motion {

/// A caller's own motion. What it says is believed, except where it says nothing: a NaN or an empty interval becomes
/// "anywhere".
class OwnPath : public Path {
 public:
  /// Its lengths are taken times 2^exponent.
  explicit OwnPath(std::shared_ptr<const OwnMotion> own, int exponent = 0);

  using Path::at;
  /// There are no velocities: they are NaN, and the bounds infinite, so that using them by mistake certifies nothing.
  Instant at(double t, const Vec3& origin) const override;
  IntervalPlacement over(const Interval& t) const override;
  double travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const override;
  bool kinematic() const override { return false; }
  Placement placement(double t) const override;
  Motion scaled(int exponent) const override;

 private:
  std::shared_ptr<const OwnMotion> own_;
  int exponent_;
};

/// Bounds that promise nothing.
Bounds unbounded();

}  // namespace graze::motion
