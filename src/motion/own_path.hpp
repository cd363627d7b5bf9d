// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "motion/path.hpp"

namespace graze::motion {

/// A user-defined motion. Its answers are trusted, except where they carry no information: a NaN or an empty interval
/// becomes "anywhere".
class OwnPath : public Path {
 public:
  /// Its lengths are multiplied by 2^exponent.
  explicit OwnPath(std::shared_ptr<const OwnMotion> own, int exponent = 0);

  using Path::at;
  /// There are no velocities: they are NaN, and the bounds are infinite, so that using them by mistake certifies
  /// nothing.
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

/// Infinite bounds, which guarantee nothing.
Bounds unbounded();

}  // namespace graze::motion
