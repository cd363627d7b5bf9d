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
    float error;                    ///< |n x w_i| <= |n x w| + error now
    float turn, tilt;               ///< and until the end at most `turn`, and at most |n x w| + error + tilt
    float distance;                 ///< of the reference point, at most
    float bend, turn_bend, slides;  ///< as in `motion::DirectedBounds`
  } axis[motion::JointAxes::most];
  float slide[3];
  float speed, turn_speed, bend, turn_bend, growth, turn_growth, slide_growth, rest_slide_growth;
};

/// How one body moves at an instant, in A's float frame: lengths in units of that frame, directions along A's axes,
/// times in units of the frame's `time_unit`.
struct FloatMotion {
  float v[3];  ///< velocity of the reference point
  float w[3];  ///< angular velocity
  float u[3];  ///< its direction; zero if the body does not turn
  float turn;  ///< |w|
  bool twist;  ///< distances count from the axis; else from the reference point, and the next four hold
  float speed, turn_speed, bend, turn_bend;
  const FloatAxes* axes = nullptr;  ///< of several joints: better bounds along a direction than those four

  bool turns() const { return turn > 0 || !twist; }
};

/// Two moving bodies at one instant in single precision: A's tree as it is, B's tree at rho R x + t.
///
/// Range of everything that the kernels (motion_kernel, motion_sides, motion_triangles, motion_orbits) compute while
/// `usable`, in these units. Let P be the sum of all places, arms, sizes and the target, S of all speeds and their
/// errors, W the larger |w|, B the sum of all |x''|; `usable` means P, S, W <= 2^60 and B P <= 2^120, and is false
/// where one of them is not a number. The time unit is chosen such that fast motions fulfil the second: S counts from
/// 2^30.
///
/// Overflow: every place, gap and reach is below 4 P, every speed below 4 S. The largest products of two are squares of
/// these, below 2^124 with the sums of three, and 2 `bend` `gap` < 2^124: none overflows. Products of three exist in
/// directions only (`unit` of a cross product), which are scaled where their square leaves the range.
///
/// Underflow: a positive gap is at least 2^-45, as it is the difference of two floats of which the smaller is
/// `gap_error` or `reach_error` or more, at least 2^-22. So a speed below 2^-60 or a bend below 2^-100, whose squares
/// and products with a gap lose digits or vanish, closes no gap before the end of time, whichever way its root is off.
/// A turn is either taken for an error of the velocity or at least 2^-40 (`least_turn`); then n x w is off by 3 u |w|
/// anyway, far above the 2^-74 that the root of a lost square may be off by.
///
/// NaN comes only from the `unit` of a vector without a direction: its gap is NaN, no comparison finds it positive, and
/// its time is 0. Times of gaps that are not positive are 0 as well, so that none of the minima and maxima of times
/// meets NaN.
struct MotionFrame {
  MotionFrame(const body::WideTree& a, const body::WideTree& b, const Kinematics& k);
  MotionFrame(const MotionFrame&) = delete;
  MotionFrame& operator=(const MotionFrame&) = delete;
  /// `target`: a distance in the world that is to be kept, rounding of doubles included.
  void set(const Moment& m, double target);

  float r[9];  ///< rows of R
  float rho;
  double time_unit;  ///< a power of two, at most 1
  FloatMotion motion_a, motion_b;
  bool turning;   ///< either body
  bool directed;  ///< either body has axes; then the time unit is 1
  bool usable;    ///< false: sizes, places or speeds differ so much that single precision says nothing

  double r_exact[9];  ///< rho R and t before they are rounded to single precision, and the reference points
  double t_exact[3];
  double ref_a[3], ref_b[3];
  double target;       ///< in A's units
  double speeds;       ///< of both reference points together, in A's units
  double pace;         ///< of any two points of the bodies, at most; for times as they are
  double speed_error;  ///< what velocities may be off that are not a twist's

 private:
  void orient(const Moment& m);
  void direct(const Moment& m);

  const motion::DirectedBounds* const directed_a_;
  const motion::DirectedBounds* const directed_b_;
  FloatAxes axes_a_, axes_b_;
  const motion::Bounds& bounds_a_;
  const motion::Bounds& bounds_b_;
  double unit_, size_;    ///< of A's frame in the world, and of B's frame in A's
  double bends_ = 0;      ///< no point's |x''| is more, of both bodies together
  Vec3 from_a_, from_b_;  ///< the reference point of A from A's centre, of B's centre from its reference point
  Vec3 to_centre_;        ///< the latter turned
  bool in_range_;
  bool oriented_ = false;  ///< directions are set, and do not change
};

/// A pair of nodes at the frame's instant. Everything is seen from the origin of A's node, so that single precision is
/// relative to the nodes and their distance, not to the bodies.
///
/// Error, with u = 2^-24: boxes and slabs were made of corners rounded in the bodies' frames, off by u / 2 a coordinate
/// there, and their bounds are decoded with 3 roundings there: 4 u and 4 u rho along any direction (triangles'
/// corners: u of their node's size). All else is seen from the node: 24 u of the nodes' sizes and their distance.
/// `gap_error` includes the target; `reach_error` is for places that are seen from the turning axes.
///
/// `speed_error`: along n, a velocity is off by 8 u of the speeds and 12 u |w| r for its own roundings. The bends are
/// made of n x w, off by 3 u |w|, and of w x r, off by 6 u |w| r. What is missing of them is no bound of its own over a
/// long time, but the way that it makes up is: the integral of e . (r(s) - r(0)) over s is at most 2 |e| r t, so that
/// 18 u |w| r more along n cover it for any t.
struct PairFrame {
  PairFrame(const MotionFrame& f, const bvh::WideNode& a, const bvh::WideNode& b);

  float o[3];  ///< the origin of B's node
  float ref_a[3], ref_b[3];
  float gap_error, reach_error, speed_error;
};

}  // namespace graze::engine::first_contact
