// SPDX-License-Identifier: MIT
#include <graze/motion/chain.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "motion/chain_assembly.hpp"
#include "motion/forward_kinematics.hpp"
#include "motion/trajectory_data.hpp"

namespace graze {

namespace {

[[noreturn]] void refuse(ErrorCode code, std::string message, std::uint64_t link) {
  throw Error(core::problem(code, "link", std::move(message), link));
}

std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

bool follows(const Joint& joint) { return joint.mimic.has_value(); }

void check_follower(const Joint& joint, std::size_t id) {
  if (coordinates_of(joint.type) != 1)
    refuse(ErrorCode::bad_option, std::string("a ") + name(joint.type) + " joint cannot follow another one", id);
  if (!std::isfinite(joint.mimic->factor) || !std::isfinite(joint.mimic->offset))
    refuse(ErrorCode::not_finite, "the factor or the offset by which the joint follows another one is not finite", id);
}

void check_limits(const JointLimits& limits, std::size_t id) {
  if (!(limits.lower <= limits.upper))
    refuse(ErrorCode::bad_option, "the joint's lower limit must not be above its upper one", id);
}

void check_joint(const Joint& joint, std::size_t id) {
  if (follows(joint)) check_follower(joint, id);
  if (joint.limits) check_limits(*joint.limits, id);
  if (joint.type == JointType::fixed || joint.type == JointType::floating) return;
  if (!is_finite(joint.axis)) refuse(ErrorCode::not_finite, "the joint's axis is not finite; give three numbers", id);
  if (joint.axis == Vec3{})
    refuse(ErrorCode::bad_option, "the joint's axis is zero, which is no direction; 0 0 1 is the z axis", id);
  if (joint.type == JointType::planar && !motion::plane_axes(joint.axis))
    refuse(ErrorCode::bad_option,
           "the axis of a planar joint must be 1 0 0, 0 1 0 or 0 0 1; turn the joint's origin instead", id);
  if (joint.type == JointType::screw && !std::isfinite(joint.pitch))
    refuse(ErrorCode::not_finite, "the screw joint's pitch is not finite; give metres per radian", id);
}

/// An angle among the joint's coordinates?
bool is_angle(JointType type, std::size_t coordinate) {
  if (type == JointType::planar) return coordinate == 2;
  return type == JointType::revolute || type == JointType::continuous || type == JointType::screw;
}

constexpr double most_angle = 0x1p20;

/// Between two numbers, with no velocity or acceleration at either end, as far as the degree allows it.
bool rests_at_both_ends(const motion::Polynomial& p) {
  const auto c = p.coefficients();
  for (std::size_t i = 0; i < c.size(); ++i)
    if (const Interval& end = 2 * i < c.size() ? p.first() : p.last(); c[i] != end || end.lo != end.hi) return false;
  return true;
}

}  // namespace

const char* name(JointType type) {
  switch (type) {
    case JointType::fixed: return "fixed";
    case JointType::revolute: return "revolute";
    case JointType::prismatic: return "prismatic";
    case JointType::screw: return "screw";
    case JointType::continuous: return "continuous";
    case JointType::planar: return "planar";
    case JointType::floating: return "floating";
  }
  return "unknown";
}

std::size_t coordinates_of(JointType type) {
  switch (type) {
    case JointType::fixed: return 0;
    case JointType::planar: return 3;
    case JointType::floating: return 7;
    default: return 1;
  }
}

Chain::Chain(std::vector<Link> links, Motion base) : links_(std::move(links)), base_(std::move(base)) {
  std::unordered_map<std::string_view, LinkId> ids;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (link.name.empty()) refuse(ErrorCode::bad_option, "the link has no name; give it one", i);
    if (!ids.emplace(link.name, LinkId{static_cast<std::uint32_t>(i)}).second)
      refuse(ErrorCode::bad_option,
             "the name " + in_quotes(link.name) + " is used twice; links need names of their own", i);
    check_joint(link.joint, i);
    first_coordinates_.push_back(coordinates_);
    if (!follows(link.joint)) coordinates_ += coordinates_of(link.joint.type);
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const std::string& parent = links_[i].parent;
    if (parent.empty()) {
      parents_.push_back(std::nullopt);
      continue;
    }
    const auto found = ids.find(parent);
    if (found == ids.end())
      refuse(ErrorCode::bad_option,
             "its parent " + in_quotes(parent) + " is no link; name a link, or none for the base", i);
    parents_.push_back(found->second);
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    std::uint32_t depth = 0;
    for (auto up = parents_[i]; up; up = parents_[index(*up)])
      if (++depth > links_.size())
        refuse(ErrorCode::bad_option,
               in_quotes(links_[i].name) + " depends on a cycle of parents; chains must be acyclic", i);
    depths_.push_back(depth);
  }
  find_mimicked();
  const core::FpGuard guard;
  kinematics_ = std::make_shared<const motion::ForwardKinematics>(links_, parents_, depths_, first_coordinates_);
}

void Chain::find_mimicked() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (!follows(links_[i].joint)) continue;
    const std::string& followed = links_[i].joint.mimic->link;
    const std::optional<LinkId> link = find(followed);
    if (!link)
      refuse(ErrorCode::bad_option, "its joint follows that of " + in_quotes(followed) + ", which is no link", i);
    const Joint& joint = links_[index(*link)].joint;
    if (coordinates_of(joint.type) != 1 || follows(joint))
      refuse(ErrorCode::bad_option,
             "its joint follows that of " + in_quotes(followed) + ", which has not one coordinate of its own", i);
    first_coordinates_[i] = first_coordinates_[index(*link)];
  }
}

void Chain::no_such_link(LinkId id) const {
  refuse(ErrorCode::index_out_of_range, "there is no such link; there are " + std::to_string(size()), index(id));
}

std::optional<LinkId> Chain::find(std::string_view wanted) const {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].name == wanted) return LinkId{static_cast<std::uint32_t>(i)};
  return std::nullopt;
}

std::optional<LinkId> Chain::common_ancestor(LinkId a, LinkId b) const {
  std::optional<LinkId> u = a, v = b;
  while (u && v && *u != *v) {
    std::optional<LinkId>& deeper = depths_[known(*u)] >= depths_[known(*v)] ? u : v;
    deeper = parent(*deeper);
  }
  return u && v ? u : std::nullopt;
}

bool Chain::neighbours(LinkId a, LinkId b) const { return parent(a) == b || parent(b) == a; }

std::optional<std::size_t> Chain::first_coordinate(LinkId id) const {
  const Joint& joint = link(id).joint;
  if (follows(joint) || coordinates_of(joint.type) == 0) return std::nullopt;
  return first_coordinates_[index(id)];
}

std::optional<LinkId> Chain::beyond_limits(std::span<const double> q) const {
  check(q);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Joint& joint = links_[i].joint;
    if (!joint.limits || coordinates_of(joint.type) != 1) continue;
    double x = q[first_coordinates_[i]];
    if (joint.mimic) x = joint.mimic->factor * x + joint.mimic->offset;
    if (!(joint.limits->lower <= x && x <= joint.limits->upper)) return LinkId{static_cast<std::uint32_t>(i)};
  }
  return std::nullopt;
}

void Chain::check(std::span<const double> q) const {
  if (q.size() != coordinates_)
    refuse(ErrorCode::bad_option,
           "a configuration has " + std::to_string(coordinates_) +
               " coordinates, those of each joint that moves by itself, not " + std::to_string(q.size()),
           ErrorDetail::none);
  const auto of = [&](std::size_t i) {
    const std::string& joint = links_[i].joint.name;
    return (joint.empty() ? "" : " \"" + joint + "\"") + " of link \"" + links_[i].name + "\"";
  };
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Joint& joint = links_[i].joint;
    for (std::size_t k = 0; k < coordinates_of(joint.type); ++k) {
      double x = q[first_coordinates_[i] + k];
      if (joint.mimic) x = joint.mimic->factor * x + joint.mimic->offset;
      if (!std::isfinite(x)) refuse(ErrorCode::not_finite, "the coordinate of the joint" + of(i) + " is not finite", i);
      if (is_angle(joint.type, k) && !(std::fabs(x) < most_angle))
        refuse(ErrorCode::bad_option,
               "the angle of the joint" + of(i) + " must be below 2^20 radians; take whole turns off", i);
    }
    if (joint.type != JointType::floating) continue;
    const auto turn = q.subspan(first_coordinates_[i] + 3, 4);
    if (turn[0] == 0 && turn[1] == 0 && turn[2] == 0 && turn[3] == 0)
      refuse(ErrorCode::bad_pose,
             "the quaternion of the joint" + of(i) + " is zero, which is no rotation; 1 0 0 0 turns nothing", i);
  }
}

void Chain::check(const Trajectory& trajectory, std::size_t segment) const {
  if (segment >= trajectory.segments())
    refuse(ErrorCode::index_out_of_range,
           "the trajectory has " + std::to_string(trajectory.segments()) + " segments, and none of this number",
           segment);
  const motion::TrajectorySegment& s = trajectory.data().segments[segment];
  check(s.from);
  check(s.to);
  const auto where = [&](std::size_t i) {
    return " of link \"" + links_[i].name + "\", in segment " + std::to_string(segment) + " of the trajectory,";
  };
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Joint& joint = links_[i].joint;
    for (std::size_t k = 0; k < coordinates_of(joint.type); ++k) {
      const motion::Polynomial& course = s.courses[first_coordinates_[i] + k];
      Interval range = course.range();
      if (joint.mimic) range = Interval(joint.mimic->factor) * range + Interval(joint.mimic->offset);
      if (is_angle(joint.type, k) && !(range.magnitude() < most_angle))
        refuse(ErrorCode::bad_option, "the joint" + where(i) + " may turn beyond 2^20 radians; take whole turns off",
               i);
      if (joint.type != JointType::floating || k < 3) continue;
      if (!rests_at_both_ends(course))
        refuse(ErrorCode::bad_option,
               "the quaternion of the joint" + where(i) +
                   " must change evenly: give it no velocities but 0, and a spline no floating joint; six joints, "
                   "three prismatic and three revolute, move a body along splines",
               i);
    }
  }
}

void Chain::check(const Trajectory& trajectory) const {
  for (std::size_t k = 0; k < trajectory.segments(); ++k) check(trajectory, k);
}

Motion Chain::motion_from(std::optional<LinkId> ancestor, LinkId id, const motion::Way& way, bool with_base,
                          const Pose& on_link) const {
  std::vector<LinkId> links;
  for (std::optional<LinkId> up = id; up != ancestor; up = parent(*up)) links.push_back(*up);
  motion::ChainAssembly assembly(with_base ? &base_ : nullptr);
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const Joint& joint = links_[index(*link)].joint;
    const std::size_t count = coordinates_of(joint.type);
    assembly.add(joint, way.some(count ? first_coordinates_[index(*link)] : 0, count));
  }
  assembly.add(on_link);
  return assembly.result();
}

std::pair<Motion, Motion> Chain::pair_motions(LinkId a, LinkId b, const motion::Way& way, const Pose& on_a,
                                              const Pose& on_b) const {
  const core::FpGuard guard;
  const std::optional<LinkId> ancestor = common_ancestor(a, b);
  return {motion_from(ancestor, a, way, false, on_a), motion_from(ancestor, b, way, false, on_b)};
}

Motion Chain::link_motion(LinkId id, std::span<const double> from, std::span<const double> to) const {
  return link_motion(id, from, to, Pose{});
}

Motion Chain::link_motion(LinkId id, std::span<const double> from, std::span<const double> to,
                          const Pose& on_link) const {
  check(from);
  check(to);
  const core::FpGuard guard;
  return motion_from(std::nullopt, id, {from, to}, true, on_link);
}

Motion Chain::link_motion(LinkId id, const Trajectory& trajectory, std::size_t segment, const Pose& on_link) const {
  check(trajectory, segment);
  const core::FpGuard guard;
  return motion_from(std::nullopt, id, trajectory.data().segments[segment].way(), true, on_link);
}

std::pair<Motion, Motion> Chain::pair_motions(LinkId a, LinkId b, std::span<const double> from,
                                              std::span<const double> to) const {
  return pair_motions(a, b, from, to, Pose{}, Pose{});
}

std::pair<Motion, Motion> Chain::pair_motions(LinkId a, LinkId b, std::span<const double> from,
                                              std::span<const double> to, const Pose& on_a, const Pose& on_b) const {
  check(from);
  check(to);
  return pair_motions(a, b, motion::Way{from, to}, on_a, on_b);
}

std::pair<Motion, Motion> Chain::pair_motions(LinkId a, LinkId b, const Trajectory& trajectory, std::size_t segment,
                                              const Pose& on_a, const Pose& on_b) const {
  check(trajectory, segment);
  return pair_motions(a, b, trajectory.data().segments[segment].way(), on_a, on_b);
}

void Chain::link_poses(std::span<const double> q, std::span<LinkPose> poses) const {
  check(q);
  if (poses.size() != size())
    refuse(ErrorCode::bad_option, "there must be one pose for each of the " + std::to_string(size()) + " links",
           ErrorDetail::none);
  const std::optional<Pose> base = base_.path().start();
  if (!base || base_.path().end() != base)
    refuse(ErrorCode::unsupported, "the base moves, and a link has no single pose; use link_motion", ErrorDetail::none);
  const core::FpGuard guard;
  if (const auto beyond = kinematics_->place(*base, q, poses))
    refuse(ErrorCode::not_finite, "the link is placed beyond the largest double", *beyond);
}

std::vector<LinkPose> Chain::link_poses(std::span<const double> q) const {
  std::vector<LinkPose> poses(size());
  link_poses(q, poses);
  return poses;
}

}  // namespace graze
