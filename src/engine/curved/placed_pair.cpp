// SPDX-License-Identifier: MIT
#include "engine/curved/placed_pair.hpp"

#include <algorithm>

#include "math/rotation_matrix.hpp"

namespace graze::engine::curved {

namespace {

void round_entries(std::array<double, 9>& r) {
  for (double& x : r) x = std::round(x);
}

bool is_ball(const shape::Core& core) { return core.kind == shape::Core::Kind::point && core.in_own_place(); }

}  // namespace

/// As `math::RelativePlacement` computes the rounded placement, with its error bounds: rotations that permute the axes
/// have exact matrices. What a ball does not need is left out. `d`: from A's origin to B's, scaled already, so that no
/// product of it overflows or underflows by more than 2^-1074 of the size of all.
void PlacedPair::place(const Pose& pose_a, const Pose& pose_b, const Vec3& d) {
  using namespace math;
  const bool ball_a = is_ball(*a.core), ball_b = is_ball(*b.core);
  frame.t = pose_a.translation();
  b.t = d;
  const Quat qa = ball_a ? Quat{} : near_unit_size(pose_a.rotation());
  const bool axes_a = ball_a || permutes_axes(qa);
  if (!ball_a) {
    frame.r = rotation_matrix(qa);
    if (axes_a) round_entries(frame.r);
    const auto& r = frame.r;
    b.t = {r[0] * d.x + r[3] * d.y + r[6] * d.z, r[1] * d.x + r[4] * d.y + r[7] * d.z,
           r[2] * d.x + r[5] * d.y + r[8] * d.z};
  }
  if (ball_b || (!ball_a && pose_a.rotation() == pose_b.rotation())) return;  // not turned
  const Quat qb = near_unit_size(pose_b.rotation());
  b.r = rotation_matrix(ball_a ? qb : near_unit_size(quotient_rotation(qa, qb)));
  if (axes_a && permutes_axes(qb)) round_entries(b.r);
}

PlacedPair::PlacedPair(const shape::Core& core_a, const Pose& pose_a, const shape::Core& core_b, const Pose& pose_b) {
  a.core = &core_a;
  b.core = &core_b;
  Vec3 d = pose_b.translation() - pose_a.translation();
  int less = 0;  // d is 2^less times as long
  if (!is_finite(d)) {
    less = 2;
    d = pose_b.translation() * 0.25 - pose_a.translation() * 0.25;
  }
  // Turned, d's coordinates are at most sqrt(3) times as large: all coordinates will be below 1/2.
  const double part = less == 0 ? 1 : 0.25;
  exponent = exponent_of(std::max(core_a.reach() * part, math::largest(d) + core_b.reach() * part)) + less + 2;
  place(pose_a, pose_b, scaled(d, less - exponent));
  if (exponent < -400 || exponent > 400) {
    copy_a_ = core_a;
    copy_b_ = core_b;
    copy_a_->scale(-exponent);
    copy_b_->scale(-exponent);
    a.core = &*copy_a_;
    b.core = &*copy_b_;
  } else {
    a.scale = b.scale = power_of_two(-exponent);
  }
  radius_a = a.core->radius * a.scale;
  radius_b = b.core->radius * b.scale;
}

}  // namespace graze::engine::curved
