// SPDX-License-Identifier: MIT
// The gradient of a distance by the coordinates of the joints. The distance of two closest points changes by the speed
// at which they part along the line through them; how they slide on their surfaces does not count. A point x of a link
// moves with each joint on the way from the base to it:
//
//   turning    axis x (x - o), o the link's origin, which lies on the axis
//   sliding    axis
//   screw      both, the second times the pitch
//   planar     the two directions of its plane; turning
//   floating   the three directions of its frame; and of a change c of the quaternion q, turning by 2 Im(c q*) / |q|^2
#include <algorithm>
#include <array>
#include <cmath>

#include "core/fp_guard.hpp"
#include "math/rotation_matrix.hpp"
#include "math/vectors.hpp"
#include "motion/chain_assembly.hpp"
#include "robot/state.hpp"

namespace graze {

namespace robot {

namespace {

std::array<double, 9> rotation_of(const Pose& pose) {
  return math::rotation_matrix(math::near_unit_size(pose.rotation()));
}

/// Adds `sign` times the speed along n of a point that is fixed to a link, by each coordinate.
class PointSpeeds {
 public:
  PointSpeeds(const State& state, std::span<const double> q, std::span<const LinkPose> links, const Vec3& n,
              std::span<double> gradient)
      : s_(state), q_(q), links_(links), n_(n), gradient_(gradient) {}

  void add(std::uint32_t part, const Vec3& x, double sign) {
    if (part >= s_.moving) return;
    for (const std::uint32_t link : s_.ways[s_.parts[part].link]) add_joint(link, x, sign);
  }

 private:
  void add_joint(std::uint32_t link, const Vec3& x, double sign) {
    const Joint& joint = s_.chain.link(LinkId{link}).joint;
    if (joint.type == JointType::fixed) return;
    const std::size_t first = s_.coordinate[link];
    if (joint.mimic) sign *= joint.mimic->factor;
    const Vec3 arm = x - links_[link].pose.translation();
    const auto turning = [&](const Vec3& axis) { return sign * dot(n_, cross(axis, arm)); };
    if (joint.type == JointType::planar || joint.type == JointType::floating) {
      const std::array<double, 9> frame = frame_of(link);
      if (joint.type == JointType::planar) {
        const motion::PlaneAxes plane = motion::plane_axes(joint.axis).value();
        gradient_[first] += sign * dot(n_, math::turned(frame, plane.x));
        gradient_[first + 1] += sign * dot(n_, math::turned(frame, plane.y));
        gradient_[first + 2] += turning(math::turned(frame, math::unit(joint.axis)));
        return;
      }
      for (std::size_t i = 0; i < 3; ++i)
        gradient_[first + i] += sign * (n_.x * frame[i] + n_.y * frame[3 + i] + n_.z * frame[6 + i]);
      const Quat q{q_[first + 3], q_[first + 4], q_[first + 5], q_[first + 6]};
      const Vec3 v{q.x, q.y, q.z};
      const double scale = 2 / (q.w * q.w + dot(v, v));
      gradient_[first + 3] += turning(math::turned(frame, v * -scale));
      const std::array<Vec3, 3> units{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
      for (std::size_t i = 0; i < 3; ++i)
        gradient_[first + 4 + i] += turning(math::turned(frame, (units[i] * q.w - cross(units[i], v)) * scale));
      return;
    }
    const Vec3 axis = math::turned(rotation_of(links_[link].pose), math::unit(joint.axis));
    if (joint.type == JointType::prismatic || joint.type == JointType::screw)
      gradient_[first] += sign * (joint.type == JointType::screw ? joint.pitch : 1) * dot(n_, axis);
    if (joint.type != JointType::prismatic) gradient_[first] += turning(axis);
  }

  /// The rotation of the frame in which the joint's coordinates are: that of its origin.
  std::array<double, 9> frame_of(std::uint32_t link) const {
    const std::optional<LinkId> parent = s_.chain.parent(LinkId{link});
    const std::array<double, 9> outer = rotation_of(parent ? links_[index(*parent)].pose : s_.options.base),
                                inner = rotation_of(s_.chain.link(LinkId{link}).joint.origin);
    std::array<double, 9> out{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k) out[3 * i + j] += outer[3 * i + k] * inner[3 * k + j];
    return out;
  }

  const State& s_;
  std::span<const double> q_;
  std::span<const LinkPose> links_;
  Vec3 n_;
  std::span<double> gradient_;
};

}  // namespace

}  // namespace robot

bool Robot::distance_gradient(std::span<const double> q, const RobotDistanceResult& at,
                              std::span<double> gradient) const {
  const core::FpGuard guard;
  if (gradient.size() != coordinates())
    robot::refuse(ErrorCode::bad_option, "the gradient must have " + std::to_string(coordinates()) +
                                             " coordinates, not " + std::to_string(gradient.size()));
  const std::vector<LinkPose> links = chain().link_poses(q);
  std::fill(gradient.begin(), gradient.end(), 0.0);
  if (!at.pair || !at.normal) return false;
  if (at.pair->a >= state_->parts.size() || at.pair->b >= state_->parts.size())
    robot::refuse(ErrorCode::index_out_of_range, "the pair is not of this robot as it is now");
  robot::PointSpeeds speeds(*state_, q, links, *at.normal, gradient);
  speeds.add(at.pair->a, at.points[0], -1);
  speeds.add(at.pair->b, at.points[1], 1);
  return true;
}

}  // namespace graze
