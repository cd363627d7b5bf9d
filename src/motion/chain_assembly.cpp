// SPDX-License-Identifier: MIT
#include "motion/chain_assembly.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "motion/chain_path.hpp"
#include "motion/description.hpp"
#include "motion/twist.hpp"

namespace graze::motion {

namespace {

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

/// What a joint does at a coordinate, where that is exactly a pose.
std::optional<Pose> exact_pose(JointType type, const Vec3& axis, const Interval& q) {
  if (q == Interval(0)) return Pose{};
  if (type != JointType::prismatic || q.lo != q.hi) return std::nullopt;
  const IntervalVector way = unit_axis(axis) * q;
  for (const Interval& x : way)
    if (x.lo != x.hi) return std::nullopt;
  return Pose(middle(way));
}

}  // namespace

IntervalVector unit_axis(const Vec3& axis) {
  // Divided by its largest entry first, so that the squares neither overflow nor all underflow to zero.
  const Interval largest(std::max({std::fabs(axis.x), std::fabs(axis.y), std::fabs(axis.z)}));
  IntervalVector u{Interval(axis.x) / largest, Interval(axis.y) / largest, Interval(axis.z) / largest};
  const Interval size = sqrt(squared_length(u));
  for (Interval& x : u) x = intersection(x / size, Interval(-1, 1));
  return u;
}

std::optional<PlaneAxes> plane_axes(const Vec3& axis) {
  constexpr Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  if (axis.x == 0 && axis.y == 0 && axis.z > 0) return PlaneAxes{x, y};
  if (axis.y == 0 && axis.z == 0 && axis.x > 0) return PlaneAxes{y, z};
  if (axis.z == 0 && axis.x == 0 && axis.y > 0) return PlaneAxes{z, x};
  return std::nullopt;
}

ChainAssembly::ChainAssembly(const Motion* base) {
  if (!base) return;
  const Path& path = base->path();
  const Bounds& b = path.bounds();
  base_ = *base;
  still_ = path.kinematic() && b.twist && b.speed == 0 && b.turn_speed == 0 && path.start();
  start_ = end_ = still_ ? path.start() : std::nullopt;
}

void ChainAssembly::add(const Pose& pose) {
  if (pose == Pose{}) return;
  ++parts_;
  text_ += motion::describe(" place", pose);
  place(composed(pending_.before, {enclose_rotation(pose.rotation()), enclose(pose.translation())}));
  for (auto* end : {&start_, &end_})
    if (*end) *end = exact_product(**end, pose);
}

/// Courses that do not bend are even motions, which have sharper bounds.
ChainAssembly::Single ChainAssembly::single_along(JointType type, const Vec3& axis, double pitch, const Way& way,
                                                  std::size_t i) {
  Single single{type, axis, pitch, way.from[i], way.to[i]};
  if (way.courses.empty()) return single;
  const Polynomial& course = way.courses[i];
  single.from = course.first();
  single.to = course.last();
  if (course.degree() > 1 && !course.constant()) {
    single.course = course;
    single.statement = way.statements[i];
  }
  return single;
}

void ChainAssembly::add(const Joint& joint, const Way& way) {
  add(joint.origin);
  if (joint.type == JointType::planar) return move_planar(joint, way);
  if (joint.type == JointType::floating) return move_floating(way);
  if (joint.type == JointType::fixed) return;
  Single single = single_along(joint.type == JointType::continuous ? JointType::revolute : joint.type, joint.axis,
                               joint.pitch, way, 0);
  if (joint.mimic) {
    const bool stays = !single.course && single.from == single.to;
    const Interval factor(joint.mimic->factor), offset(joint.mimic->offset);
    single.from = factor * single.from + offset;
    // Where the coordinate itself stays, so does what follows it, although its enclosure may have a width.
    single.to = stays ? single.from : factor * single.to + offset;
    if (single.course && joint.mimic->factor == 0) single.course.reset();
    if (single.course) {
      single.course = single.course->followed(factor, offset);
      single.factor = joint.mimic->factor;
      single.offset = joint.mimic->offset;
    }
  }
  move(single);
}

void ChainAssembly::describe(const Single& joint) {
  if (joint.course) {
    described_ = described_ && !joint.statement.empty();
    ++parts_;
    text_ += ' ' + joint.statement;
    const bool turns = joint.type != JointType::prismatic;
    for (const double x : {joint.factor, joint.offset, turns ? 1.0 : 0.0,
                           joint.type == JointType::screw ? joint.pitch
                           : turns                        ? 0.0
                                                          : 1.0})
      append(text_, x);
    append(text_, joint.axis);
    return;
  }
  if (joint.from.lo != joint.from.hi || joint.to.lo != joint.to.hi) {
    described_ = false;
    return;
  }
  ++parts_;
  text_ += std::string(" ") + name(joint.type);
  append(text_, joint.from.lo);
  append(text_, joint.to.lo);
  append(text_, joint.axis);
  if (joint.type == JointType::screw) append(text_, joint.pitch);
}

void ChainAssembly::move(const Single& joint) {
  if (!joint.course && joint.from == Interval(0) && joint.to == Interval(0)) return;
  describe(joint);
  const auto advance = [&](std::optional<Pose>& end, const Interval& q) {
    const std::optional<Pose> moved = end ? exact_pose(joint.type, joint.axis, q) : std::nullopt;
    end = moved ? exact_product(*end, *moved) : std::nullopt;
  };
  advance(start_, joint.from);
  advance(end_, joint.to);
  const bool moves = joint.course || !(joint.from == joint.to);
  const Interval start = joint.course ? Interval(0) : joint.from;
  const Interval change = joint.course ? Interval(1) : moves ? joint.to - joint.from : Interval(0);
  pending_.axis = unit_axis(joint.axis);
  if (joint.type != JointType::prismatic) {
    pending_.angle = start;
    pending_.turn = change;
  }
  const Interval pitch = joint.type == JointType::prismatic ? 1 : joint.type == JointType::screw ? joint.pitch : 0;
  pending_.slide = pitch * start;
  pending_.shift = pitch * change;
  pending_.course = joint.course;
  finish_joint(moves);
}

void ChainAssembly::finish_joint(bool moves) {
  if (moves) {
    done_.push_back(pending_);
    pending_ = {};
  } else {
    place(JointPath(pending_).over(0.0));
  }
}

void ChainAssembly::move_planar(const Joint& joint, const Way& way) {
  const PlaneAxes axes = plane_axes(joint.axis).value();
  move(single_along(JointType::prismatic, axes.x, 0, way, 0));
  move(single_along(JointType::prismatic, axes.y, 0, way, 1));
  move(single_along(JointType::revolute, joint.axis, 0, way, 2));
}

bool ChainAssembly::at_the_start() const {
  return done_.empty() && unmoved_ && still_ && base_.path().start() == Pose{};
}

void ChainAssembly::move_floating(const Way& way) {
  const auto pose = [](std::span<const double> q) { return Pose({q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}); };
  const Pose first = pose(way.from), last = pose(way.to);
  constexpr Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::array<Single, 3> slides;
  for (std::size_t i = 0; i < 3; ++i) slides[i] = single_along(JointType::prismatic, axes[i], 0, way, i);
  const bool even = std::none_of(slides.begin(), slides.end(), [](const Single& s) { return s.course.has_value(); });
  if (even && first == last) return add(first);
  if (even && at_the_start()) {  // a body that flies by itself: the same motion, but certificates have a word for it
    *this = ChainAssembly(nullptr);
    base_ = Velocity(first, last);
    still_ = false;
    start_ = end_ = std::nullopt;
    return;
  }
  for (const Single& slide : slides) move(slide);
  turn(first.rotation(), last.rotation());
}

// Rot(axis, t angle) R(from), which at t = 1 is R(to).
void ChainAssembly::turn(const Quat& from, const Quat& to) {
  const auto advance = [](std::optional<Pose>& end, const Quat& q) {
    if (end) end = exact_product(*end, Pose({}, q));
  };
  if (from == to) return add(Pose({}, from));
  advance(start_, from);
  advance(end_, to);
  described_ = false;
  const Turn turn = shorter_turn(from, to);
  const bool moves = !(turn.angle == Interval(0));
  if (moves) {
    pending_.axis = turn.axis;
    pending_.turn = turn.angle;
    finish_joint(true);
  }
  place(composed(pending_.before, {enclose_rotation(from), {}}));
}

Motion ChainAssembly::result() {
  if (done_.empty() && unmoved_) return base_;
  if (done_.empty() && start_) return Still{*start_};
  if (done_.empty()) {
    done_.push_back(pending_);
  } else {
    done_.back().after = pending_.before;
  }
  if (still_ && done_.size() == 1 && !done_.front().course) return single();
  // A pointer to the path of the base that shares ownership of the motion containing it.
  const auto owner = std::make_shared<const Motion>(base_);
  const bool nowhere = still_ && owner->path().start() == Pose{};
  std::shared_ptr<const Path> path;
  if (!nowhere) path = {owner, &owner->path()};
  return Motion(std::make_shared<const ChainPath>(std::move(path), std::vector<JointPath>(done_.begin(), done_.end()),
                                                  description()));
}

/// In the format of certificates: the base, then each placement and joint outward.
std::string ChainAssembly::description() const {
  const std::string base = base_.path().description();
  return base.empty() || !described_ ? std::string() : "chain " + base + ' ' + std::to_string(parts_) + text_;
}

/// A joint that does not move.
void ChainAssembly::place(const IntervalPlacement& before) {
  pending_ = {};
  pending_.before = before;
  unmoved_ = false;
}

/// One moving joint on a base at rest: its translation remains exact.
Motion ChainAssembly::single() {
  JointPath::Real& real = done_.front();
  const Pose pose = *base_.path().start();
  IntervalPlacement turned;
  turned.r = enclose_rotation(pose.rotation());
  real.before = composed(turned, real.before);
  real.anchor = pose.translation();
  real.start = start_;
  real.end = end_;
  real.description = description();
  return Motion(std::make_shared<const JointPath>(real));
}

}  // namespace graze::motion
