// SPDX-License-Identifier: MIT
// Motions implemented from their definitions in include/graze/motion/motion.hpp, independently of the library's
// formulas: parameters with 50 digits, placements in long double or in intervals of it.
#pragma once

#include <string>

#include <graze/motion/motion.hpp>

#include "oracle/motion_numbers.hpp"

namespace graze::oracle {

/// Defines a motion; the library's and the oracle's motions are both created from this.
struct MotionRecipe {
  enum class Kind { still, velocity, speeds, screw, angles, angles_of_poses };
  Kind kind = Kind::still;
  Pose from, to;
  Vec3 linear, angular, reference;
  RollPitchYaw angles_from, angles_to;

  static MotionRecipe still(const Pose& pose) { return {Kind::still, pose, pose, {}, {}, {}, {}, {}}; }
  static MotionRecipe velocity(const Pose& from, const Pose& to, const Vec3& reference = {}) {
    return {Kind::velocity, from, to, {}, {}, reference, {}, {}};
  }
  static MotionRecipe speeds(const Pose& from, const Vec3& linear, const Vec3& angular, const Vec3& reference = {}) {
    return {Kind::speeds, from, {}, linear, angular, reference, {}, {}};
  }
  static MotionRecipe screw(const Pose& from, const Pose& to) { return {Kind::screw, from, to, {}, {}, {}, {}, {}}; }
  static MotionRecipe angles(const RollPitchYaw& from, const RollPitchYaw& to) {
    return {Kind::angles, {}, {}, {}, {}, {}, from, to};
  }
  static MotionRecipe angles_of_poses(const Pose& from, const Pose& to) {
    return {Kind::angles_of_poses, from, to, {}, {}, {}, {}, {}};
  }
  /// The library's motion.
  Motion make() const;
  /// C++ source of the recipe, in full precision.
  std::string text() const;
};

template <class T>
struct TruePlace {
  Matrix<T> r;
  Triple<T> t;
  Triple<T> apply(const Triple<T>& x) const { return r * x + t; }
};

/// The oracle's motion. Positions are relative to `origin`, so that no precision is lost far from the world's origin.
class TrueMotion {
 public:
  explicit TrueMotion(const MotionRecipe& recipe, const Vec3& origin = {});

  TruePlace<Real> at(Real t) const { return place<Real>(t); }
  TruePlace<Range> over(const Range& t) const { return place<Range>(t); }
  /// Velocities: x' = r x + t.
  TruePlace<Real> rate(Real t) const { return derivative<Real>(t); }
  TruePlace<Range> rates(const Range& t) const { return derivative<Range>(t); }
  /// The placement as a pose in the world, rounded to doubles.
  Pose pose(double t) const;

  /// An upper bound of the speed of every local point at most `radius` from `centre`, without the constant part
  /// `steady`.
  Real turning_speed(const RealPoint& centre, Real radius) const;
  RealPoint steady() const { return steady_; }

 private:
  template <class T>
  TruePlace<T> place(const T& t) const;
  template <class T>
  TruePlace<T> derivative(const T& t) const;
  template <class T>
  Matrix<T> turn(const T& t) const;
  template <class T>
  Matrix<T> turn_rate(const T& t) const;

  bool by_angles_ = false;
  Vec3 origin_;
  // Rotation about an axis: R(t) = Rot(axis, angle t) start. A point fixed in the body, `reference`, is at base +
  // steady t + sin(angle t) side + (1 - cos(angle t)) out: the last two vanish for `Velocity`.
  RealPoint axis_, base_, steady_, side_, out_, reference_;
  Real angle_ = 0;
  Matrix<Real> start_;
  std::array<Real, 4> start_quat_{1, 0, 0, 0};
  // By angles: roll, pitch, yaw, and their rates.
  std::array<Real, 3> rpy_{}, rpy_rate_{};
};

}  // namespace graze::oracle
