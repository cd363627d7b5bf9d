// SPDX-License-Identifier: MIT
// Surfaces whose contacts have closed forms, and an oracle for flights of a closed surface and another one.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <graze/ask/surface.hpp>

#include "oracle/pose_generators.hpp"

namespace graze::testing {

/// x^2 + y^2 + z^2 - r^2, with or without its gradient.
class BallSurface : public ImplicitSurface {
 public:
  explicit BallSurface(double radius, bool smooth = true) : radius_(radius), smooth_(smooth) {}
  Interval over(const IntervalBox3& p) const override {
    return sqr(p[0]) + sqr(p[1]) + sqr(p[2]) - sqr(Interval(radius_));
  }
  bool gradient(const IntervalBox3& p, IntervalBox3& g) const override {
    for (std::size_t k = 0; k < 3; ++k) g[k] = Interval(2) * p[k];
    return smooth_;
  }
  Box3 bounds() const override {
    const double r = 1.25 * radius_;
    return {{-r, -r, -r}, {r, r, r}};
  }

 private:
  double radius_;
  bool smooth_;
};

/// A sphere by latitude and longitude: it has two poles and a seam, where the parameters are degenerate.
class GlobePatch : public ParametricPatch {
 public:
  explicit GlobePatch(double radius) : radius_(radius) {}
  IntervalBox3 over(const Interval& u, const Interval& v) const override {
    const Interval a = longitude(u), b = latitude(v), r(radius_);
    return {r * cos(a) * cos(b), r * sin(a) * cos(b), r * sin(b)};
  }
  bool derivatives(const Interval& u, const Interval& v, IntervalBox3& by_u, IntervalBox3& by_v) const override {
    const Interval a = longitude(u), b = latitude(v), r(radius_), turn = r * full(), half = r * full() * Interval(0.5);
    by_u = {-(turn * sin(a) * cos(b)), turn * cos(a) * cos(b), Interval(0)};
    by_v = {-(half * cos(a) * sin(b)), -(half * sin(a) * sin(b)), half * cos(b)};
    return true;
  }

 private:
  static Interval full() { return {next_down(2 * std::numbers::pi), next_up(2 * std::numbers::pi)}; }
  static Interval longitude(const Interval& u) { return full() * u; }
  static Interval latitude(const Interval& v) { return full() * Interval(0.5) * (v - Interval(0.5)); }
  double radius_;
};

/// z = `bend` (x^2 + y^2) over the square [-1, 1]^2, as a biquadratic patch.
inline std::shared_ptr<const ParametricPatch> bowl(double bend) {
  // u, v in [0, 1] stand for x, y in [-1, 1]; x^2 has the Bernstein coefficients 1, -1, 1.
  std::vector<Vec3> net;
  const double square[3] = {1, -1, 1};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) net.push_back({i - 1.0, j - 1.0, bend * (square[i] + square[j])});
  return bezier_patch(2, 2, net);
}

/// The unit square [0, 1]^2 in the plane z = 0, as a biquadratic patch.
inline std::shared_ptr<const ParametricPatch> flat_patch() {
  std::vector<Vec3> net;
  for (int i = 0; i <= 2; ++i)
    for (int j = 0; j <= 2; ++j) net.push_back({i / 2.0, j / 2.0, 0});
  return bezier_patch(2, 2, net);
}

inline SurfaceBody ball(double radius) { return SurfaceBody(std::make_shared<BallSurface>(radius)); }
inline SurfaceBody globe(double radius) { return SurfaceBody({std::make_shared<GlobePatch>(radius)}); }

inline Quat turned_about(const Vec3& axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}
inline Motion straight(const Vec3& from, const Vec3& to, const Quat& q = {}) {
  return Velocity(Pose(from, q), Pose(to, q));
}

/// Draws one after the other: the order in which a call's arguments are evaluated is the compiler's, and with it the
/// questions would differ.
inline Motion random_flight(oracle::Random& random, double reach) {
  const bool screw = oracle::whole(random, 0, 3) == 0;
  const Vec3 from = oracle::real_point(random, reach);
  const Quat turned = oracle::whole_quaternion(random);
  const Vec3 to = oracle::real_point(random, reach);
  const Quat turned_to = oracle::whole_quaternion(random);
  if (screw) return Screw(Pose(from, turned), Pose(to, turned_to));
  return Velocity(Pose(from, turned), Pose(to, turned_to));
}

/// A world point in a body's frame, rounded.
inline Vec3 local(const Placement& p, const Vec3& x) {
  const Vec3 d = x - p.t;
  return {p.r[0] * d.x + p.r[3] * d.y + p.r[6] * d.z, p.r[1] * d.x + p.r[4] * d.y + p.r[7] * d.z,
          p.r[2] * d.x + p.r[5] * d.y + p.r[8] * d.z};
}

}  // namespace graze::testing
