// SPDX-License-Identifier: MIT
// Real motions in 100 digits, written down from their definitions and from nothing else, and the checks that every
// motion of the library must pass against them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <functional>
#include <random>

#include <graze/motion/motion.hpp>

#include "motion/path.hpp"

namespace graze::testing {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

struct RealVector {
  Real x = 0, y = 0, z = 0;
  RealVector() = default;
  RealVector(Real a, Real b, Real c) : x(std::move(a)), y(std::move(b)), z(std::move(c)) {}
  RealVector(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
  const Real& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }
};
inline RealVector operator+(const RealVector& a, const RealVector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline RealVector operator-(const RealVector& a, const RealVector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline RealVector operator*(const RealVector& a, const Real& s) { return {a.x * s, a.y * s, a.z * s}; }
inline Real dot(const RealVector& a, const RealVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline RealVector cross(const RealVector& a, const RealVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real length(const RealVector& a) { return sqrt(dot(a, a)); }

/// A rotation row by row, and a translation.
struct RealPlacement {
  std::array<Real, 9> r{1, 0, 0, 0, 1, 0, 0, 0, 1};
  RealVector t;
  RealVector turn(const RealVector& x) const {
    return {r[0] * x.x + r[1] * x.y + r[2] * x.z, r[3] * x.x + r[4] * x.y + r[5] * x.z,
            r[6] * x.x + r[7] * x.y + r[8] * x.z};
  }
  RealVector apply(const RealVector& x) const { return turn(x) + t; }
};
inline RealPlacement operator*(const RealPlacement& a, const RealPlacement& b) {
  RealPlacement p;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      p.r[3 * i + j] = a.r[3 * i] * b.r[j] + a.r[3 * i + 1] * b.r[3 + j] + a.r[3 * i + 2] * b.r[6 + j];
  p.t = a.apply(b.t);
  return p;
}

struct RealQuat {
  Real w, x, y, z;
};
inline RealQuat normalised(const Quat& q) {
  const Real w(q.w), x(q.x), y(q.y), z(q.z), n = sqrt(w * w + x * x + y * y + z * z);
  return {w / n, x / n, y / n, z / n};
}
inline RealPlacement placed(const Pose& pose) {
  const auto [w, x, y, z] = normalised(pose.rotation());
  RealPlacement p;
  p.r = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  p.t = pose.translation();
  return p;
}

/// By `angle` about a unit vector (Rodrigues).
inline RealPlacement turn_about(const RealVector& u, const Real& angle) {
  const Real c = cos(angle), s = sin(angle), k = 1 - c;
  RealPlacement p;
  p.r = {c + k * u.x * u.x,       k * u.x * u.y - s * u.z, k * u.x * u.z + s * u.y,
         k * u.x * u.y + s * u.z, c + k * u.y * u.y,       k * u.y * u.z - s * u.x,
         k * u.x * u.z - s * u.y, k * u.y * u.z + s * u.x, c + k * u.z * u.z};
  return p;
}

/// The shorter turn from one orientation to another, in the world.
struct RealTurn {
  RealVector axis{0, 0, 1};
  Real angle = 0;
};
inline RealTurn shorter_turn(const Quat& from, const Quat& to) {
  // Products of the quaternions as they are given, so that a half turn is one exactly (they are below 2^10 in tests of
  // that, or scaled by powers of two).
  const Real aw(from.w), ax(from.x), ay(from.y), az(from.z), bw(to.w), bx(to.x), by(to.y), bz(to.z);
  Real w = bw * aw + bx * ax + by * ay + bz * az;
  RealVector v{bx * aw - bw * ax - (by * az - bz * ay), by * aw - bw * ay - (bz * ax - bx * az),
               bz * aw - bw * az - (bx * ay - by * ax)};
  const Real size = length(v);
  if (size == 0) return {};
  bool other = w < 0;
  if (w == 0) other = v.x != 0 ? v.x < 0 : v.y != 0 ? v.y < 0 : v.z < 0;
  if (other) {
    w = -w;
    v = v * Real(-1);
  }
  return {v * (1 / size), 2 * atan2(size, w)};
}

using RealMotion = std::function<RealPlacement(const Real& t)>;

inline RealMotion real_velocity(const Pose& from, const Pose& to, const Vec3& reference) {
  const RealPlacement a = placed(from), b = placed(to);
  const RealTurn turn = shorter_turn(from.rotation(), to.rotation());
  const RealVector first = a.apply(reference), last = b.apply(reference);
  return [=](const Real& t) {
    RealPlacement p = turn_about(turn.axis, t * turn.angle) * a;
    p.t = first + (last - first) * t - p.turn(reference);
    return p;
  };
}
inline RealMotion real_speeds(const Pose& from, const Vec3& v, const Vec3& w, const Vec3& reference) {
  const RealPlacement a = placed(from);
  const Real angle = length(RealVector(w));
  const RealVector axis = angle == 0 ? RealVector{0, 0, 1} : RealVector(w) * (1 / angle);
  const RealVector first = a.apply(reference);
  return [=](const Real& t) {
    RealPlacement p = turn_about(axis, t * angle) * a;
    p.t = first + RealVector(v) * t - p.turn(reference);
    return p;
  };
}
/// Turns about the axis through c and slides along it, where c solves (I - Rot) c = what the origin moves across.
inline RealMotion real_screw(const Pose& from, const Pose& to) {
  const RealPlacement a = placed(from);
  const RealTurn turn = shorter_turn(from.rotation(), to.rotation());
  const RealVector d = RealVector(to.translation()) - RealVector(from.translation());
  if (turn.angle == 0) return real_velocity(from, to, {});
  const RealVector along = turn.axis * dot(turn.axis, d), across = d - along;
  const RealVector c = (across + cross(turn.axis, across) * (1 / tan(turn.angle / 2))) * (Real(1) / 2);
  return [=](const Real& t) {
    const RealPlacement rot = turn_about(turn.axis, t * turn.angle);
    RealPlacement p = rot * a;
    p.t = a.t + c - rot.turn(c) + along * t;
    return p;
  };
}

/// Random numbers for the checks.
struct Dice {
  std::mt19937_64 bits;
  explicit Dice(std::uint64_t seed) : bits(seed) {}
  double real(double lo, double hi) { return lo + (hi - lo) * (static_cast<double>(bits() >> 11) * 0x1p-53); }
  int whole(int lo, int hi) { return lo + static_cast<int>(bits() % static_cast<std::uint64_t>(hi - lo + 1)); }
  Vec3 point(double size) { return {real(-size, size), real(-size, size), real(-size, size)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = point(1);
      const double l = graze::length(v);
      if (l > 0.1 && l < 1) return v * (1 / l);
    }
  }
  double time() {
    switch (whole(0, 5)) {
      case 0: return 0;
      case 1: return 1;
      case 2: return std::ldexp(real(0, 1), -whole(0, 40));
      default: return real(0, 1);
    }
  }
  /// Of every size.
  Interval span() {
    const double a = time(), size = whole(0, 8) == 0 ? 0 : std::ldexp(real(0, 1), -whole(0, 45));
    return {a, std::min(1.0, a + size)};
  }
};

struct Velocities {
  RealVector x, v, a;  ///< place, velocity, acceleration
};
/// By differences, which so many digits allow; t is kept inside [0, 1] only by the motion's own formula, not needed
/// here.
inline Velocities differentiate(const RealMotion& m, const Real& t, const RealVector& local) {
  const Real h = ldexp(Real(1), -70);
  const RealVector before = m(t - h).apply(local), now = m(t).apply(local), after = m(t + h).apply(local);
  return {now, (after - before) * (1 / (2 * h)), (after - now * Real(2) + before) * (1 / (h * h))};
}

/// Checks a motion against the real one for bodies of about the given size.
class Checker {
 public:
  Checker(const Motion& motion, RealMotion real, double size, std::uint64_t seed)
      : motion_(motion), path_(motion.path()), real_(std::move(real)), size_(size), dice_(seed) {}

  void all(int rounds) {
    ends();
    for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) {
      if (path_.kinematic()) instant();
      if (path_.directed()) directed();
      placement();
      over();
      travel();
    }
  }

  void instant() {
    const double t = dice_.time();
    const Vec3 local = path_.reference() + dice_.direction() * (size_ * dice_.real(0, 1));
    const Vec3 origin = dice_.whole(0, 1) ? Vec3{} : motion_.at(dice_.time()).t;
    const motion::Instant now = path_.at(t, origin);
    const motion::Bounds& b = path_.bounds();
    const RealVector arm = turned(now.r, RealVector(local) - RealVector(path_.reference()));
    const Velocities truth = differentiate(real_, t, local);
    const Real r = length(RealVector(local) - RealVector(path_.reference()));
    const Real off = length(RealVector(now.o) + RealVector(origin) + arm - truth.x);
    const double eps = 0x1p-53;
    const Real rounding = 4 * eps * (length(RealVector(now.o)) + length(RealVector(now.v)));
    EXPECT_LE(double(off), double(b.error + b.turn_error * r + rounding)) << "place at t = " << t;
    // The derivative of the place.
    const RealVector v = RealVector(now.v) + cross(RealVector(now.w), arm);
    Real allowed = b.velocity_error + b.turn_velocity_error * r;
    // A twist's velocities are those of the computed path, which is as near to the real one as its places.
    if (b.twist) allowed += 4 * (b.error + b.turn_error * r) * (1 + b.turn_speed);
    EXPECT_LE(double(length(v - truth.v)), double(allowed)) << "velocity at t = " << t;
    speeds(now, arm, truth, r);
  }

  /// Speed and acceleration along a direction, at any time after that of the axes: n perpendicular to them, along one,
  /// and any other.
  void directed() {
    const double t0 = dice_.time(), span = (1 - t0) * (dice_.whole(0, 1) ? 1 : dice_.real(0, 1));
    const motion::DirectedBounds& b = *path_.directed();
    motion::JointAxes axes;
    path_.at(t0, {}, axes);
    Vec3 n = dice_.direction();
    if (b.count > 0 && dice_.whole(0, 1)) {
      const double* w = axes.w[static_cast<std::size_t>(dice_.whole(0, static_cast<int>(b.count) - 1))];
      const double size = graze::length({w[0], w[1], w[2]});
      if (size > 1e-9) n = Vec3{w[0], w[1], w[2]} * (1 / size);
    }
    const motion::DirectedRise rise = motion::directed_rise(b, axes, n, span);
    const double far = size_ * dice_.real(0, 1);
    const Vec3 local = path_.reference() + dice_.direction() * far;
    const Real r = length(RealVector(local) - RealVector(path_.reference()));
    const motion::Bounds& whole = path_.bounds();
    // The bounds speak of the computed path, which is as near to the real one as its places.
    const Real slack =
        (whole.error + whole.turn_error * r) * (1 + whole.turn_speed) * (1 + whole.turn_speed) * 4 +
        Real(0x1p-50) * (whole.speed + whole.acceleration + (whole.turn_speed + whole.turn_acceleration) * r);
    for (const double share : {0.0, 0.3, 1.0}) {
      const double t = t0 + share * span;
      const Velocities truth = differentiate(real_, t, local);
      const RealVector direction(n);
      const Real speed = dot(direction, RealVector(axes.slide)) + rise.speed + rise.turn_speed * r +
                         (rise.growth + rise.turn_growth * r) * (t - t0);
      EXPECT_LE(double(dot(direction, truth.v)), double(speed + slack)) << t0 << " " << t;
      EXPECT_LE(double(abs(dot(direction, truth.a))), double(rise.acceleration + rise.turn_acceleration * r + slack))
          << t0 << " " << t;
    }
    EXPECT_LE(rise.speed, whole.speed * (1 + 0x1p-30) + 0x1p-40);
    EXPECT_LE(rise.acceleration + rise.turn_acceleration,
              (whole.acceleration + whole.turn_acceleration) * (1 + 0x1p-30) + 0x1p-40);
  }

  void placement() {
    const double t = dice_.time();
    const Vec3 local = dice_.point(size_);
    const Placement p = motion_.at(t);
    const RealVector truth = real_(t).apply(local), found = turned(p.r, local) + RealVector(p.t);
    const motion::Bounds& b = path_.bounds();
    const Real r = length(RealVector(local) - RealVector(path_.reference()));
    const double sizes = graze::length(p.t) + graze::length(local) + graze::length(path_.reference()) + b.speed;
    if (!path_.kinematic()) return;
    EXPECT_LE(double(length(found - truth)), double(b.error + b.turn_error * r + 0x1p-49 * sizes)) << "t = " << t;
  }

  void over() {
    const Interval span = dice_.span();
    const IntervalPlacement p = motion_.over(span.lo, span.hi);
    for (const double t : {span.lo, span.hi, dice_.real(span.lo, span.hi), dice_.real(span.lo, span.hi)}) {
      const RealPlacement truth = real_(t);
      for (std::size_t i = 0; i < 9; ++i) EXPECT_TRUE(holds(p.r[i], truth.r[i])) << "r" << i << " " << text(span, t);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(holds(p.t[i], truth.t[i])) << "t" << i << " " << text(span, t);
    }
    if (!path_.kinematic()) return;
    // Widths shrink with the span.
    const motion::Bounds& b = path_.bounds();
    const double s = span.hi - span.lo, far = graze::length(path_.reference());
    for (const Interval& x : p.r)
      EXPECT_LE(x.hi - x.lo, 6 * b.turn_speed * s + 64 * (b.turn_error + 0x1p-50)) << text(span, s);
    const double speed = b.speed + b.turn_speed * far, error = b.error + (b.turn_error + 0x1p-48) * far;
    for (const Interval& x : p.t)
      EXPECT_LE(x.hi - x.lo, 6 * speed * s + 64 * error + 0x1p-49 * x.magnitude() + 0x1p-35 * speed) << text(span, s);
  }

  void travel() {
    const Interval span = dice_.span();
    const Vec3 n = dice_.direction() * dice_.real(0.1, 3), centre = dice_.point(size_);
    const double radius = dice_.whole(0, 2) == 0 ? 0 : size_ * dice_.real(0, 0.5);
    const double bound = motion_.travel(n, centre, radius, span.lo, span.hi);
    EXPECT_GE(bound, 0);
    const RealPlacement first = real_(span.lo);
    for (int i = 0; i < 4; ++i) {
      const double t = i == 0 ? span.hi : dice_.real(span.lo, span.hi);
      const RealPlacement now = real_(t);
      RealVector e = dice_.direction();
      if (i % 2) {  // the point of the ball that gets furthest
        const RealVector best = back(now, n) - back(first, n);
        if (length(best) > 0) e = best * (1 / length(best));
      }
      const RealVector x = RealVector(centre) + e * Real(radius);
      const Real went = dot(RealVector(n), now.apply(x) - first.apply(x));
      EXPECT_LE(double(went), bound) << text(span, t) << " n " << n.x << " " << n.y << " " << n.z;
    }
    if (!path_.kinematic()) return;
    const motion::Bounds& b = path_.bounds();
    const double far = graze::length(centre - path_.reference()) + radius, size = graze::length(n);
    const double plain = size * (b.speed + b.turn_speed * far) * (span.hi - span.lo);
    EXPECT_LE(bound, 1.001 * plain + 8 * size * (b.error + b.turn_error * far) + size * 0x1p-40 * (far + b.speed));
  }

  /// Exactly at the poses, where the path has a `start` or `end`.
  void ends() {
    if (path_.start()) same(*path_.start(), 0);
    if (path_.end()) same(*path_.end(), 1);
  }

 private:
  static RealVector turned(const std::array<double, 9>& r, const RealVector& x) {
    RealPlacement p;
    for (std::size_t i = 0; i < 9; ++i) p.r[i] = r[i];
    return p.turn(x);
  }
  static RealVector back(const RealPlacement& p, const RealVector& n) {
    return {p.r[0] * n.x + p.r[3] * n.y + p.r[6] * n.z, p.r[1] * n.x + p.r[4] * n.y + p.r[7] * n.z,
            p.r[2] * n.x + p.r[5] * n.y + p.r[8] * n.z};
  }
  // The truth has 100 digits, some of which cancel: what exact zeros come out as.
  bool holds(const Interval& i, const Real& x) const {
    const Real tiny = Real(1e-36) * (1 + abs(x) + size_);
    return Real(i.lo) <= x + tiny && x - tiny <= Real(i.hi);
  }
  static std::string text(const Interval& span, double t) {
    return "span " + std::to_string(span.lo) + " + " + std::to_string((span.hi - span.lo) * 1e9) + "e-9, t " +
           std::to_string(t);
  }
  void same(const Pose& pose, int t) {
    const RealPlacement expected = placed(pose), found = real_(t);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_LT(double(abs(expected.r[i] - found.r[i])), 1e-30) << t;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LT(double(abs(expected.t[i] - found.t[i])), 1e-30 * (1 + double(abs(expected.t[i])))) << t;
  }
  void speeds(const motion::Instant& now, const RealVector& arm, const Velocities& truth, Real r) {
    const motion::Bounds& b = path_.bounds();
    Real speed = b.speed + b.turn_speed * r, acceleration = b.acceleration + b.turn_acceleration * r;
    if (b.twist && length(RealVector(now.w)) > 0) {
      const Real from_axis = length(cross(RealVector(now.w), arm)) / length(RealVector(now.w));
      acceleration = b.acceleration + b.turn_acceleration * from_axis;
      speed = b.speed + b.turn_speed * from_axis;
    }
    const Real slack =
        (b.error + b.turn_error * r) * (1 + b.turn_speed) * (1 + b.turn_speed) * 4 + Real(1e-25) * (r + size_);
    EXPECT_LE(double(length(truth.v)), double(speed * (1 + 1e-12) + slack));
    EXPECT_LE(double(length(truth.a)), double(acceleration * (1 + 1e-12) + slack));
  }

  Motion motion_;
  const motion::Path& path_;
  RealMotion real_;
  double size_;
  Dice dice_;
};

}  // namespace graze::testing
