// SPDX-License-Identifier: MIT
#include <graze/motion/chain.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "motion/chain_path.hpp"
#include "motion/description.hpp"
#include "motion/twist.hpp"

namespace graze {

using motion::IntervalVector;
using motion::JointPath;

namespace {

[[noreturn]] void refuse(ErrorCode code, std::string message, std::uint64_t link) {
  throw Error(core::problem(code, "link", std::move(message), link));
}

std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

bool is_identity(const Quat& q) { return q.x == 0 && q.y == 0 && q.z == 0; }

/// a b, if the product is exactly representable as a pose: one of them does not rotate, and the sums of the
/// translations are doubles.
std::optional<Pose> exact_product(const Pose& a, const Pose& b) {
  const bool shift_only = is_identity(a.rotation());
  if (!shift_only && b.translation() != Vec3{}) return std::nullopt;
  if (!shift_only && !is_identity(b.rotation())) return std::nullopt;
  Vec3 t;
  for (int i = 0; i < 3; ++i) {
    const Interval sum = Interval(a.translation()[i]) + Interval(b.translation()[i]);
    if (sum.lo != sum.hi || !std::isfinite(sum.lo)) return std::nullopt;
    t[i] = sum.lo;
  }
  return Pose(t, shift_only ? b.rotation() : a.rotation());
}

/// The axis normalised to unit length, enclosed; exact for coordinate axes. Must not be zero.
IntervalVector unit_axis(const Vec3& axis) {
  // Divided by its largest entry first, so that the squares neither overflow nor all underflow to zero.
  const Interval largest(std::max({std::fabs(axis.x), std::fabs(axis.y), std::fabs(axis.z)}));
  IntervalVector u{Interval(axis.x) / largest, Interval(axis.y) / largest, Interval(axis.z) / largest};
  const Interval size = sqrt(motion::squared_length(u));
  for (Interval& x : u) x = intersection(x / size, Interval(-1, 1));
  return u;
}

/// Collects the joints from the base outward. Joints that do not move are merged into the placements between those that
/// do.
class Assembly {
 public:
  /// `base`: its motion; null: the chain is expressed in the base's frame.
  explicit Assembly(const Motion* base) {
    if (!base) return;
    const motion::Path& path = base->path();
    const motion::Bounds& b = path.bounds();
    base_ = *base;
    still_ = path.kinematic() && b.twist && b.speed == 0 && b.turn_speed == 0 && path.start();
    start_ = end_ = still_ ? path.start() : std::nullopt;
  }

  void add(const Joint& joint, double from, double to) {
    describe(joint, from, to);
    if (joint.origin != Pose{}) {
      place(motion::composed(pending_.before, {motion::enclose_rotation(joint.origin.rotation()),
                                               motion::enclose(joint.origin.translation())}));
    }
    advance(start_, joint, from);
    advance(end_, joint, to);
    if (joint.type == JointType::fixed || (from == 0 && to == 0)) return;
    set_motion(joint, from, to);
    if (from == to) {
      place(JointPath(pending_).over(0.0));
    } else {
      done_.push_back(pending_);
      pending_ = {};
    }
  }

  Motion result() {
    if (done_.empty() && unmoved_) return base_;
    if (done_.empty() && start_) return Still{*start_};
    if (done_.empty()) {
      done_.push_back(pending_);
    } else {
      done_.back().after = pending_.before;
    }
    if (still_ && done_.size() == 1) return single();
    // A pointer to the path of the base that shares ownership of the motion containing it.
    const auto owner = std::make_shared<const Motion>(base_);
    const bool nowhere = still_ && owner->path().start() == Pose{};
    std::shared_ptr<const motion::Path> path;
    if (!nowhere) path = {owner, &owner->path()};
    return Motion(std::make_shared<const motion::ChainPath>(
        std::move(path), std::vector<JointPath>(done_.begin(), done_.end()), description()));
  }

 private:
  /// In the format of certificates: the base, then each placement and joint outward.
  std::string description() const {
    const std::string base = base_.path().description();
    return base.empty() ? base : "chain " + base + ' ' + std::to_string(parts_) + text_;
  }
  void describe(const Joint& joint, double from, double to) {
    if (joint.origin != Pose{}) {
      ++parts_;
      text_ += motion::describe(" place", joint.origin);
    }
    if (joint.type == JointType::fixed || (from == 0 && to == 0)) return;
    ++parts_;
    text_ += std::string(" ") + name(joint.type);
    motion::append(text_, from);
    motion::append(text_, to);
    motion::append(text_, joint.axis);
    if (joint.type == JointType::screw) motion::append(text_, joint.pitch);
  }

  /// A joint that does not move.
  void place(const IntervalPlacement& before) {
    pending_ = {};
    pending_.before = before;
    unmoved_ = false;
  }

  static void advance(std::optional<Pose>& pose, const Joint& joint, double q) {
    if (pose) pose = q == 0 || joint.type == JointType::fixed ? exact_product(*pose, joint.origin) : std::nullopt;
  }

  void set_motion(const Joint& joint, double from, double to) {
    const Interval first(from), change = from == to ? Interval(0) : Interval(to) - Interval(from);
    pending_.axis = unit_axis(joint.axis);
    if (joint.type != JointType::prismatic) {
      pending_.angle = first;
      pending_.turn = change;
    }
    const Interval pitch = joint.type == JointType::prismatic ? 1 : joint.type == JointType::screw ? joint.pitch : 0;
    pending_.slide = pitch * first;
    pending_.shift = pitch * change;
  }

  /// One moving joint on a base at rest: its translation remains exact.
  Motion single() {
    JointPath::Real& real = done_.front();
    const Pose pose = *base_.path().start();
    IntervalPlacement turned;
    turned.r = motion::enclose_rotation(pose.rotation());
    real.before = motion::composed(turned, real.before);
    real.anchor = pose.translation();
    real.start = start_;
    real.end = end_;
    real.description = description();
    return Motion(std::make_shared<const JointPath>(real));
  }

  Motion base_;
  bool still_ = true, unmoved_ = true;
  std::optional<Pose> start_ = Pose{}, end_ = Pose{};
  JointPath::Real pending_;
  std::vector<JointPath::Real> done_;
  std::size_t parts_ = 0;  ///< number of parts in the description
  std::string text_;
};

void check_joint(const Joint& joint, std::size_t id) {
  if (joint.type == JointType::fixed) return;
  if (!is_finite(joint.axis)) refuse(ErrorCode::not_finite, "the joint's axis is not finite; give three numbers", id);
  if (joint.axis == Vec3{})
    refuse(ErrorCode::bad_option, "the joint's axis is zero, which is no direction; 0 0 1 is the z axis", id);
  if (joint.type == JointType::screw && !std::isfinite(joint.pitch))
    refuse(ErrorCode::not_finite, "the screw joint's pitch is not finite; give metres per radian", id);
}

}  // namespace

const char* name(JointType type) {
  switch (type) {
    case JointType::fixed: return "fixed";
    case JointType::revolute: return "revolute";
    case JointType::prismatic: return "prismatic";
    case JointType::screw: return "screw";
  }
  return "unknown";
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
    if (link.joint.type != JointType::fixed) ++coordinates_;
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
}

std::optional<LinkId> Chain::find(std::string_view wanted) const {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].name == wanted) return LinkId{static_cast<std::uint32_t>(i)};
  return std::nullopt;
}

std::optional<LinkId> Chain::common_ancestor(LinkId a, LinkId b) const {
  std::optional<LinkId> u = a, v = b;
  while (u && v && *u != *v) {
    std::optional<LinkId>& deeper = depths_[index(*u)] >= depths_[index(*v)] ? u : v;
    deeper = parent(*deeper);
  }
  return u && v ? u : std::nullopt;
}

bool Chain::neighbours(LinkId a, LinkId b) const { return parent(a) == b || parent(b) == a; }

void Chain::check(std::span<const double> q) const {
  if (q.size() != coordinates_)
    refuse(ErrorCode::bad_option,
           "a configuration has " + std::to_string(coordinates_) +
               " coordinates, one for each joint that is not fixed, not " + std::to_string(q.size()),
           ErrorDetail::none);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const JointType type = links_[i].joint.type;
    if (type == JointType::fixed) continue;
    const double x = q[first_coordinates_[i]];
    if (!std::isfinite(x)) refuse(ErrorCode::not_finite, "the joint's coordinate is not finite", i);
    if (type != JointType::prismatic && !(std::fabs(x) < 0x1p20))
      refuse(ErrorCode::bad_option, "the joint's angle must be below 2^20 radians; take whole turns off", i);
  }
}

Motion Chain::motion_from(std::optional<LinkId> ancestor, LinkId id, std::span<const double> from,
                          std::span<const double> to, bool with_base) const {
  std::vector<LinkId> links;
  for (std::optional<LinkId> up = id; up != ancestor; up = parent(*up)) links.push_back(*up);
  Assembly assembly(with_base ? &base_ : nullptr);
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const Joint& joint = links_[index(*link)].joint;
    const std::size_t q = first_coordinates_[index(*link)];
    const bool moves = joint.type != JointType::fixed;
    assembly.add(joint, moves ? from[q] : 0, moves ? to[q] : 0);
  }
  return assembly.result();
}

Motion Chain::link_motion(LinkId id, std::span<const double> from, std::span<const double> to) const {
  check(from);
  check(to);
  const core::FpGuard guard;
  return motion_from(std::nullopt, id, from, to, true);
}

std::pair<Motion, Motion> Chain::pair_motions(LinkId a, LinkId b, std::span<const double> from,
                                              std::span<const double> to) const {
  check(from);
  check(to);
  const core::FpGuard guard;
  const std::optional<LinkId> ancestor = common_ancestor(a, b);
  return {motion_from(ancestor, a, from, to, false), motion_from(ancestor, b, from, to, false)};
}

}  // namespace graze
