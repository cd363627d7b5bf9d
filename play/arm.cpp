// SPDX-License-Identifier: MIT
#include "arm.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <graze/core/error.hpp>

#include "refuse.hpp"
#include "rotation.hpp"

namespace graze::play {
Arm::Arm(Robot robot, std::string_view link, const Vec3& point, std::vector<double> start, double margin)
    : robot_(std::move(robot)), link_{}, point_(point), q_(std::move(start)), margin_(margin) {
  if (!(margin > 0)) refuse("an arm's margin must be above 0");
  const auto found = robot_.chain().find(link);
  if (!found) refuse("the robot has no link '" + std::string(link) + "' to drag it by");
  link_ = *found;
  const StateResult state = robot_.check(q_);
  if (state.error) throw Error(*state.error);
  if (state.status != Status::free) refuse("the robot touches something at the start: give a state that is free");
}

Vec3 Arm::hand(const std::vector<double>& q) const {
  return robot_.chain().link_poses(q)[index(link_)].pose.apply(point_);
}

/// dq = J^T (J J^T + d^2 1)^-1 way, with J by differences; only the direction matters, what happens is certified later.
std::vector<double> Arm::towards(const Vec3& target, double most) const {
  const Vec3 here = hand(q_), way = target - here;
  std::vector<Vec3> columns;
  Symmetric square{0, 0, 0, 0, 0, 0};
  for (std::size_t j = 0; j < q_.size(); ++j) {
    std::vector<double> nudged = q_;
    nudged[j] += 1e-6;
    const Vec3 c = (hand(nudged) - here) * 1e6;
    square.xx += c.x * c.x, square.yy += c.y * c.y, square.zz += c.z * c.z;
    square.xy += c.x * c.y, square.xz += c.x * c.z, square.yz += c.y * c.z;
    columns.push_back(c);
  }
  const double damping = 1e-3 * (square.xx + square.yy + square.zz) + 1e-12;
  square.xx += damping, square.yy += damping, square.zz += damping;
  const Vec3 pull = solve(square, way);
  double largest = 0;
  for (const Vec3& c : columns) largest = std::fmax(largest, std::fabs(dot(c, pull)));
  const double scale = largest > most ? most / largest : 1;
  std::vector<double> to = q_;
  for (std::size_t j = 0; j < q_.size(); ++j) to[j] += scale * dot(columns[j], pull);
  // Within the limits of the joints.
  for (std::uint32_t i = 0; i < robot_.chain().size(); ++i) {
    const Joint& joint = robot_.chain().link(LinkId{i}).joint;
    const auto first = robot_.chain().first_coordinate(LinkId{i});
    if (joint.limits && first) to[*first] = std::fmin(std::fmax(to[*first], joint.limits->lower), joint.limits->upper);
  }
  return to;
}

DragReport Arm::go(const std::vector<double>& to) {
  RobotMotionOptions options;
  options.pair.min_separation = margin_;
  options.pair.tolerance = 0.1 * margin_;
  const RobotMotionResult found = robot_.check_motion(q_, to, options);
  if (found.error) throw Error(*found.error);
  DragReport report;
  if (found.status == Status::free) {
    q_ = to;
    report.moved = 1;
    return report;
  }
  report.stopped_by = found.pair;
  // A little before the certified time: the coordinates there are rounded.
  const double until = found.status == Status::contact ? found.contact.time.safe * (1 - 1e-9) : 0;
  std::vector<double> between = q_;
  for (std::size_t j = 0; j < q_.size(); ++j) between[j] += until * (to[j] - q_[j]);
  if (until > 0 && robot_.check(between).status == Status::free) {
    q_ = std::move(between);
    report.moved = until;
  }
  return report;
}

DragReport Arm::drag(const Vec3& target, double most) {
  if (!is_finite(target) || !(most > 0)) refuse("a target must be finite, and the greatest change of a joint above 0");
  const DragReport all = go(towards(target, most));
  if (all.moved >= 1) return all;
  // Slide: joints one by one, as long as the hand gets nearer.
  for (std::size_t j = 0; j < q_.size(); ++j) {
    const std::vector<double> wished = towards(target, most);
    std::vector<double> one = q_;
    one[j] = wished[j];
    if (length(hand(one) - target) < length(hand(q_) - target)) go(one);
  }
  return all;
}

}  // namespace graze::play
