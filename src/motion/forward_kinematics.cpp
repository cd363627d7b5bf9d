// SPDX-License-Identifier: MIT
#include "motion/forward_kinematics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/quat_size.hpp"
#include "math/vectors.hpp"
#include "motion/chain_assembly.hpp"
#include "motion/path.hpp"

// Error bounds. eps = 2^-53 is the error of one operation; a real quaternion Q has length one, and its double q is
// within d of it, so |q| <= 1 + d. Every bound below is rounded up to a round number and multiplied by `a_little`,
// which covers the few roundings of the bound itself, and `tiny` covers products that underflow.
namespace graze::motion {

namespace {

using math::eps;

constexpr double a_little = 1 + 0x1p-40;
constexpr double tiny = 256 * std::numeric_limits<double>::denorm_min();

/// Each component is a sum of four products, with an error of at most 4 eps sum |a_i b_j| <= 4 eps |a| |b|: together
/// 8 eps |a| |b|. And |a b - A B| <= |a - A| |b| + |A| |b - B|.
Quat times(const Quat& a, const Quat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

double size_bound(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// v + 2 (w u x v + u x (u x v)), which is R(q) v for a quaternion of length one. The second summand is a quadratic
/// form B(q, q) v with |B(p, q)| <= 3 |p| |q|: evaluated at q and not at Q it is off by at most 3 (|q| + |Q|) d |v|,
/// below 7 d |v|. Rounding: u x v is off by 3.5 eps |v|, w u x v by 4.5 eps |v|, u x (u x v) by 7 eps |v|, their sum by
/// another 2 eps |v|; twice that, and the last sum, below 4 eps |v|: 32 eps |v|.
Vec3 turned(const Quat& q, const Vec3& v) {
  const Vec3 u{q.x, q.y, q.z}, c = cross(u, v);
  return v + 2.0 * (q.w * c + cross(u, c));
}

/// Adds the point v of the frame to its translation: 7 d |v| + 32 eps |v|, the sum, and the error of v itself, which
/// the real rotation does not lengthen. The last sum is off by eps of itself.
void shift_by(RoundedPose& p, const Vec3& v, double error) {
  p.shift = p.shift + turned(p.turn, v);
  const double size = size_bound(v);
  p.error = (p.error + (7 * p.turn_error + 34 * eps) * size + 2 * eps * size_bound(p.shift) + error + tiny) * a_little;
}

void turn_by(RoundedPose& p, const Quat& q, double error) {
  p.turn = times(p.turn, q);
  p.turn_error = (p.turn_error + error + 9 * eps) * a_little;
}

bool turns_nothing(const Quat& q) { return q.x == 0 && q.y == 0 && q.z == 0; }

/// Components of q / |q| are accurate to 5 eps of themselves: 4 for the sum of squares, halved by the root, the root,
/// the quotient. Together 5 eps, and 6 with the scaling of components that underflow.
Quat of_length_one(const Quat& given) {
  const Quat q = math::near_unit_size(given);
  const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w / size, q.x / size, q.y / size, q.z / size};
}

/// Half the angle is exact. Sine and cosine are off by less than 2^-50 = 8 eps each, together 12 eps; the product with
/// the axis adds eps and the axis's own error. An angle that is off by e turns the quaternion by e / 2.
void rotate(RoundedPose& p, const Vec3& axis, double axis_error, double angle, double angle_error) {
  if (angle == 0 && angle_error == 0) return;
  const SineCosine f = sine_cosine(0.5 * angle);
  turn_by(p, {f.cosine, f.sine * axis.x, f.sine * axis.y, f.sine * axis.z}, 14 * eps + axis_error + 0.5 * angle_error);
}

void slide(RoundedPose& p, const Vec3& axis, double axis_error, double way, double way_error) {
  if (way == 0 && way_error == 0) return;
  shift_by(p, axis * way, (axis_error + 2 * eps) * std::fabs(way) + 2 * way_error);
}

void shift_and_turn(RoundedPose& p, const RoundedPose& inner) {
  if (inner.shift != Vec3{} || inner.error != 0) shift_by(p, inner.shift, inner.error);
  if (!turns_nothing(inner.turn)) turn_by(p, inner.turn, inner.turn_error);
}

}  // namespace

RoundedPose rounded(const Pose& pose) {
  if (turns_nothing(pose.rotation())) return {{}, pose.translation(), 0, 0};
  return {of_length_one(pose.rotation()), pose.translation(), 6 * eps, 0};
}

RoundedPose composed(const RoundedPose& a, const RoundedPose& b) {
  RoundedPose p = a;
  shift_and_turn(p, b);
  return p;
}

// Let P = q / |q|: |P - Q| <= |P - q| + |q - Q| <= 2 d. Two quaternions of length one that are apart by c belong to
// rotations that move a point of length one at most 2 c apart (they differ by an angle a with c = 2 sin(a / 4), and the
// chord is 2 sin(a / 2)): 4 d.
LinkPose link_pose(const RoundedPose& p) { return {Pose(p.shift, p.turn), p.error, 4 * p.turn_error * a_little}; }

LinkPose on_link(const LinkPose& link, const RoundedPose& piece) {
  if (piece.shift == Vec3{} && turns_nothing(piece.turn)) return link;
  return link_pose(
      composed({link.pose.rotation(), link.pose.translation(), 0.25 * link.turn_error, link.error}, piece));
}

ForwardKinematics::ForwardKinematics(std::span<const Link> links, std::span<const std::optional<LinkId>> parents,
                                     std::span<const std::uint32_t> depths, std::span<const std::size_t> coordinates) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Joint& joint = links[i].joint;
    Step step{};
    step.link = static_cast<std::uint32_t>(i);
    step.parent = parents[i] ? index(*parents[i]) : none;
    step.coordinate = static_cast<std::uint32_t>(coordinates[i]);
    step.type = joint.type;
    step.has_origin = joint.origin != Pose{};
    step.origin = rounded(joint.origin);
    step.pitch = joint.pitch;
    step.follows = joint.mimic.has_value();
    if (step.follows) {
      step.factor = joint.mimic->factor;
      step.offset = joint.mimic->offset;
    }
    if (joint.type != JointType::fixed && joint.type != JointType::floating) {
      const IntervalVector axis = unit_axis(joint.axis);
      step.axis = middle(axis);
      step.axis_error = radius(axis);
    }
    steps_.push_back(step);
  }
  std::stable_sort(steps_.begin(), steps_.end(),
                   [&](const Step& a, const Step& b) { return depths[a.link] < depths[b.link]; });
}

std::optional<std::size_t> ForwardKinematics::place(const Pose& base, std::span<const double> q,
                                                    std::span<LinkPose> poses) const {
  // Few robots have more links.
  std::array<RoundedPose, 64> on_stack;
  std::vector<RoundedPose> on_heap(steps_.size() > on_stack.size() ? steps_.size() : 0);
  RoundedPose* const placed = on_heap.empty() ? on_stack.data() : on_heap.data();
  const RoundedPose start = rounded(base);
  for (const Step& s : steps_) {
    RoundedPose& p = placed[s.link];
    p = s.parent == none ? start : placed[s.parent];
    if (s.has_origin) shift_and_turn(p, s.origin);
    double x = 0, x_error = 0;
    if (s.type != JointType::fixed) x = q[s.coordinate];
    if (s.follows) {
      const Interval real = Interval(s.factor) * Interval(x) + Interval(s.offset);
      x = middle(real);
      x_error = radius(real);
    }
    switch (s.type) {
      case JointType::fixed: break;
      case JointType::revolute:
      case JointType::continuous: rotate(p, s.axis, s.axis_error, x, x_error); break;
      case JointType::prismatic: slide(p, s.axis, s.axis_error, x, x_error); break;
      case JointType::screw:
        slide(p, s.axis, s.axis_error, s.pitch * x,
              2 * eps * std::fabs(s.pitch * x) + std::fabs(s.pitch) * x_error + tiny);
        rotate(p, s.axis, s.axis_error, x, x_error);
        break;
      case JointType::planar: {
        const PlaneAxes axes = plane_axes(s.axis).value();
        shift_by(p, axes.x * x + axes.y * q[s.coordinate + 1], 0);
        rotate(p, s.axis, s.axis_error, q[s.coordinate + 2], 0);
        break;
      }
      case JointType::floating: {
        const double* const f = &q[s.coordinate];
        shift_and_turn(p, rounded(Pose({f[0], f[1], f[2]}, {f[3], f[4], f[5], f[6]})));
        break;
      }
    }
    if (!is_finite(p.shift)) return s.link;
    poses[s.link] = link_pose(p);
  }
  return std::nullopt;
}

}  // namespace graze::motion
