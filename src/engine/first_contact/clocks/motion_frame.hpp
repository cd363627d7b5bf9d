// SPDX-License-Identifier: MIT
#pragma once

#include "body/wide_tree.hpp"
#include "engine/first_contact/pair/kinematics.hpp"

namespace graze::engine::first_contact {

/// `motion::DirectedBounds` and the axes at an instant, in A's float frame. Roundings of the axes and of the products
/// with them are in `error`.
struct FloatAxes {
  int count = 0;
  struct Axis {
    float w[3];
    float error;       ///< |n x w_i| <= |n x w| + error now
    float turn, tilt;  ///< and until the end at most `turn`, and at most |n x w| + error + tilt
    float distance;    ///< of the reference point, at most
    float acceleration, turn_acceleration, slides;  ///< as in `motion::DirectedBounds`
  } axis[motion::JointAxes::most];
  float slide[3];
  float speed, turn_speed, acceleration, turn_acceleration, growth, turn_growth, slide_growth, rest_slide_growth;
};

/// The motion of one body at an instant, in A's float frame: lengths in units of that frame, directions along A's axes,
/// times in units of the frame's `time_unit`.
struct FloatMotion {
  float v[3];  ///< velocity of the reference point
  float w[3];  ///< angular velocity
  float u[3];  ///< its direction; zero if the body does not turn
  float turn;  ///< |w|
  bool twist;  ///< distances are from the axis; otherwise from the reference point, and the next four bounds hold
  float speed, turn_speed, acceleration, turn_acceleration;
  const FloatAxes* axes = nullptr;  ///< of several joints: sharper bounds along a direction than those four

  bool turns() const { return turn > 0 || !twist; }
};

/// Two moving bodies at one instant in single precision: A's tree as it is, B's tree at rho R x + t.
///
/// Range of everything that the kernels (motion_kernel, motion_sides, motion_triangles, motion_orbits) compute while
/// `usable`, in these units. Let P be the sum of all positions, arms, sizes and the target, S of all speeds and their
/// errors, W the larger |w|, B the sum of all |x''|. `usable` means P, S, W <= 2^60 and B P <= 2^120, and is false
/// where one of them is NaN. The time unit is chosen such that fast motions satisfy the second: it reduces S to about
/// 2^30.
///
/// Overflow: every position, gap and reach is below 4 P, every speed below 4 S. The largest products of two are squares
/// of these, below 2^124 with the sums of three, and 2 `acceleration` `gap` < 2^124: none overflows. Products of three
/// are the acceleration bound |n x w| |w| `far`, whose first two factors are below W^2 and which is below 4 B, and
/// directions
/// (`unit` of a cross product), which are scaled where their square leaves the range.
///
/// Underflow: a positive gap is at least 2^-45, as it is the difference of two floats of which the smaller is
/// `gap_error` or `reach_error` or more, at least 2^-22. So a speed below 2^-60 or an `acceleration` below 2^-100,
/// whose squares and products with a gap lose digits or underflow, closes no gap before t = 1, however inaccurate its
/// root is. A turn is either treated as an error of the velocity or at least 2^-40 (`least_turn`); then n x w is off by
/// 3 u |w| anyway, far above the error of 2^-74 of the root of a square that underflows.
///
/// NaN comes only from the `unit` of a vector without a direction: its gap is NaN, no comparison finds it positive, and
/// its time is 0. Times of gaps that are not positive are 0 as well, so that minima and maxima of times that count have
/// no NaN operand.
struct MotionFrame {
  MotionFrame(const body::WideTree& a, const body::WideTree& b, const Kinematics& k);
  MotionFrame(const MotionFrame&) = delete;
  MotionFrame& operator=(const MotionFrame&) = delete;
  /// `target`: a distance in the world that is to be kept, including the rounding error of doubles.
  void set(const Moment& m, double target);

  float r[9];  ///< rows of R
  float rho;
  double time_unit;  ///< a power of two, at most 1
  FloatMotion motion_a, motion_b;
  bool turning;   ///< either body
  bool directed;  ///< either body has axes; then the time unit is 1
  bool usable;    ///< false: sizes, positions or speeds differ so much that single precision proves nothing

  double r_exact[9];  ///< rho R and t before they are rounded to single precision, and the reference points
  double t_exact[3];
  double ref_a[3], ref_b[3];
  double target;       ///< in A's units
  double speeds;       ///< of both reference points together, in A's units
  double pace;         ///< upper bound for any two points of the bodies; per unit of t, not of `time_unit`
  double speed_error;  ///< error bound of velocities that are not those of a twist

 private:
  void orient(const Moment& m);
  void direct(const Moment& m);

  const motion::DirectedBounds* const directed_a_;
  const motion::DirectedBounds* const directed_b_;
  FloatAxes axes_a_, axes_b_;
  const motion::Bounds& bounds_a_;
  const motion::Bounds& bounds_b_;
  double unit_, size_;       ///< of A's frame in the world, and of B's frame in A's
  double acceleration_ = 0;  ///< upper bound of |x''|, of both bodies together
  Vec3 from_a_,
      from_b_;      ///< the reference point of A relative to A's centre; B's centre relative to its reference point
  Vec3 to_centre_;  ///< the latter, rotated
  bool in_range_;
  bool oriented_ = false;  ///< directions are set and constant
};

/// A pair of nodes at the frame's instant. Everything is relative to the origin of A's node, so that single-precision
/// errors are relative to the nodes and their distance, not to the bodies.
///
/// Error, with u = 2^-24: boxes and slabs were made of corners rounded in the bodies' frames, off by u / 2 a coordinate
/// there, and their bounds are decoded with 3 roundings there: 4 u and 4 u rho along any direction (triangles'
/// corners: u of their node's size). Everything else is relative to the node: 24 u of the sizes of the nodes and their
/// distance. `gap_error` includes the target; `reach_error` is for positions relative to the axes of rotation.
///
/// `speed_error`: along n, a velocity is off by 8 u of the speeds and 12 u |w| r for its own roundings. The
/// acceleration bounds are computed from n x w, off by 3 u |w|, and from w x r, off by 6 u |w| r. Over a long time the
/// missing acceleration is not bounded by a constant, but the missing travelled distance is: the integral of e . (r(s)
/// - r(0)) over s is at most 2 |e| r t. So an additional speed of 18 u |w| r along n covers it for any t.
struct PairFrame {
  PairFrame(const MotionFrame& f, const bvh::WideNode& a, const bvh::WideNode& b);

  float o[3];  ///< the origin of B's node
  float ref_a[3], ref_b[3];
  float gap_error, reach_error, speed_error;
};

}  // namespace graze::engine::first_contact
