// SPDX-License-Identifier: MIT
#pragma once

#include "query/first_contact/kinematics.hpp"
#include "query/wide_tree.hpp"

namespace graze::query {

/// How one body moves at an instant, in A's float frame: lengths in units of that frame, directions along A's axes.
struct FloatMotion {
  float v[3];  ///< velocity of the reference point
  float w[3];  ///< angular velocity
  float u[3];  ///< its direction; zero if the body does not turn
  float turn;  ///< |w|
  bool twist;  ///< distances count from the axis; else from the reference point, and the next four hold
  float speed, turn_speed, bend, turn_bend;

  bool turns() const { return turn > 0 || !twist; }
};

/// Two moving bodies at one instant in single precision: A's tree as it is, B's tree at rho R x + t.
struct MotionFrame {
  MotionFrame(const WideTree& a, const WideTree& b, const Kinematics& k);
  /// `target`: a distance in the world that is to be kept, rounding of doubles included.
  void set(const Moment& m, double target);

  float r[9];  ///< rows of R
  float rho;
  FloatMotion motion_a, motion_b;
  bool turning;  ///< either body
  bool usable;   ///< false: sizes or places differ so much that single precision says nothing

  double r_exact[9];  ///< rho R and t before they are rounded to single precision, and the reference points
  double t_exact[3];
  double ref_a[3], ref_b[3];
  double target;       ///< in A's units
  double speeds;       ///< of both reference points together, in A's units
  double pace;         ///< of any two points of the bodies, at most
  double speed_error;  ///< what velocities may be off that are not a twist's

 private:
  void orient(const Moment& m);

  const motion::Bounds& bounds_a_;
  const motion::Bounds& bounds_b_;
  double unit_, size_;    ///< of A's frame in the world, and of B's frame in A's
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
struct PairFrame {
  PairFrame(const MotionFrame& f, const bvh::WideNode& a, const bvh::WideNode& b);

  float o[3];  ///< the origin of B's node
  float ref_a[3], ref_b[3];
  float gap_error, reach_error, speed_error;
};

}  // namespace graze::query
