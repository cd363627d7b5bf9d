// SPDX-License-Identifier: MIT
#include "motion/chain_path.hpp"

#include <algorithm>
#include <limits>

#include "math/vectors.hpp"
#include "motion/own_path.hpp"
#include "motion/travel.hpp"

namespace graze::motion {

namespace {

using math::eps;
using math::turned;

constexpr double slack = 1 + 0x1p-40;  // for the few sums and products of a bound

void store(const Vec3& v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

std::array<double, 9> times(const std::array<double, 9>& a, const std::array<double, 9>& b) {
  std::array<double, 9> r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return r;
}

/// The largest distance of the joint's reference point from a point of the frame before it, at any t: it moves on a
/// straight line, so the maximum is at an end.
double largest_distance(const JointPath& joint, const Vec3& from) {
  const auto [first, last] = joint.reference_line();
  return (std::max(length(first - from), length(last - from)) + joint.bounds().error) * slack;
}

/// The same from the axis of what is before it, a twist or (not null) a joint: the axis is fixed in that frame.
double largest_axis_distance(const Path& before, const JointPath* before_joint, const JointPath& joint) {
  const double w = before.bounds().turn_speed, far = largest_distance(joint, before.reference());
  const bool curved = before_joint && before_joint->curved();
  if (!(before.bounds().twist || curved) || !(w > 0x1p-400)) return far;
  const Instant now = before.at(0);
  const Vec3 axis = curved ? before_joint->axis() : now.w;
  const auto distance = [&](const Vec3& o) {
    return length(cross(axis, turned(now.r, o - before.reference()))) / length(axis);
  };
  const auto [first, last] = joint.reference_line();
  const double off = before.bounds().turn_error + (curved ? 2 * before_joint->axis_error() : 0) + 0x1p-46;
  return std::min(far, (std::max(distance(first), distance(last)) + off * far + joint.bounds().error) * slack);
}

/// Adds up speeds and accelerations along the chain, from the base outward.
class BoundsOfChain {
 public:
  explicit BoundsOfChain(const Path* base) : last_(base) {
    if (!base) return;
    const Bounds& b = base->bounds();
    shares_.push_back(share_of(b));
    total_.error = b.error;
    total_.turn_error = b.turn_error;
    total_.velocity_error = b.velocity_error;
    total_.turn_velocity_error = b.turn_velocity_error;
    // The velocities of a twist are exact, but the position at which they are evaluated is not.
    if (b.twist) total_.turn_velocity_error = b.turn_speed * b.turn_error;
  }

  void add(const JointPath& joint) {
    const Bounds& b = joint.real_bounds();
    const Vec3 from = last_ ? last_->reference() : Vec3{};
    const double apart = largest_distance(joint, from);
    if (!shares_.empty()) {
      for (std::size_t i = 0; i + 1 < shares_.size(); ++i) shares_[i].distance += apart;
      shares_.back().distance = largest_axis_distance(*last_, last_joint_, joint);
    }
    shares_.push_back(share_of(b));
    shares_.back().frame_error = total_.turn_error;
    shares_.back().turn_bend = joint.turn_bend();
    shares_.back().slide_bend = joint.slide_bend();
    add_errors(b, apart);
    last_ = last_joint_ = &joint;
  }

  const std::vector<Share>& shares() const { return shares_; }

  Bounds result() const {
    Bounds r = total_;
    r.twist = false;
    double outer = 0;  // angular speed of the frame of a share
    for (const Share& s : shares_) {
      const double own_speed = s.speed + s.turn * s.distance;
      r.speed += own_speed;
      r.turn_speed += s.turn;
      r.acceleration += s.acceleration + s.turn_acceleration * s.distance + 2 * outer * own_speed;
      r.turn_acceleration += s.turn_acceleration + 2 * outer * s.turn;
      outer += s.turn;
    }
    for (double* x : {&r.speed, &r.turn_speed, &r.acceleration, &r.turn_acceleration, &r.error, &r.turn_error,
                      &r.velocity_error, &r.turn_velocity_error})
      *x *= slack;
    return r;
  }

 private:
  static Share share_of(const Bounds& b) {
    return {
        b.speed, b.turn_speed, b.acceleration, b.turn_acceleration, 0, b.velocity_error, b.turn_velocity_error, 0, 0,
        0};
  }

  /// Errors of position and velocity of x = P(y), y = J(z): P's own error at y, where |y| <= apart + r, and J's error
  /// transformed by P.
  void add_errors(const Bounds& b, double apart) {
    Bounds& e = total_;
    double turn = 0, speed = 0;
    for (const Share& s : shares_) {
      turn += s.turn;
      speed += s.speed + s.turn * s.distance;
    }
    const double outer = turn - b.turn_speed;
    reach_ += apart;
    e.velocity_error += e.turn_velocity_error * apart + outer * b.error + e.turn_error * b.speed + b.velocity_error +
                        16 * eps * (speed + outer * apart);
    e.turn_velocity_error +=
        outer * b.turn_error + e.turn_error * b.turn_speed + b.turn_velocity_error + 32 * eps * turn;
    e.error += e.turn_error * apart + (1 + e.turn_error) * b.error + 8 * eps * reach_;
    e.turn_error += (1 + e.turn_error) * b.turn_error + 16 * eps;
  }

  const Path* last_;
  const JointPath* last_joint_ = nullptr;
  std::vector<Share> shares_;
  Bounds total_;
  double reach_ = 0;
};

/// A ball around all positions of a ball.
struct Ball {
  Vec3 centre;
  double radius;
};
Ball around(const IntervalPlacement& p, const Ball& b) {
  const IntervalVector box = p.r * enclose(b.centre) + p.t;
  return {middle(box), (radius(box) + b.radius) * slack};
}

}  // namespace

ChainPath::ChainPath(std::shared_ptr<const Path> base, std::vector<JointPath> joints, std::string description)
    : base_(std::move(base)), joints_(std::move(joints)) {
  description_ = std::move(description);
  reference_ = joints_.back().reference();
  if (!kinematic()) {
    bounds_ = unbounded();
    return;
  }
  BoundsOfChain bounds(base_.get());
  for (const JointPath& joint : joints_) bounds.add(joint);
  bounds_ = bounds.result();
  directed_ = std::make_shared<const DirectedBounds>(directed_bounds(base_.get(), joints_, bounds.shares()));
}

Motion ChainPath::scaled(int exponent) const {
  std::shared_ptr<const Path> base;
  if (base_) {
    const auto owner = std::make_shared<const Motion>(base_->scaled(exponent));
    base = {owner, &owner->path()};
  }
  std::vector<JointPath> joints;
  for (const JointPath& joint : joints_) joints.push_back(joint.enlarged(exponent));
  return Motion(std::make_shared<const ChainPath>(std::move(base), std::move(joints), description_));
}

double ChainPath::turn_rate() const {
  double sum = base_ ? base_->turn_rate() : 0;
  for (const JointPath& joint : joints_) sum += joint.turn_rate();
  return sum * slack;
}

/// The reference point is the base's plus, for each joint, R u: R is the rotation of everything before the joint, and u
/// leads from the last reference point to the joint's, which moves on a straight line. R is a product of rotations
/// about axes that stay, at constant speeds; differentiating a factor multiplies it by a matrix whose norm is its
/// speed, so by the multinomial theorem |R^(m)| <= W^m for the sum W of the speeds, and by Leibniz's rule
/// |(R u)^(m)| <= W^m |u| + m W^(m-1) |u'|. Speeds along a course are not constant.
double ChainPath::reference_derivative(int order) const {
  for (const JointPath& joint : joints_)
    if (joint.curved()) return unknown();
  double sum = base_ ? base_->reference_derivative(order) : 0, turn = base_ ? base_->turn_rate() : 0;
  Vec3 from = base_ ? base_->reference() : Vec3{};
  for (const JointPath& joint : joints_) {
    double slower = 1;
    for (int k = 1; k < order; ++k) slower *= turn;
    sum += slower * (turn * largest_distance(joint, from) + order * joint.bounds().speed);
    turn += joint.turn_rate();
    from = joint.reference();
  }
  return sum * slack;
}

Instant ChainPath::place(double t, const Vec3& origin, JointAxes* axes) const {
  // Positions relative to the base's reference point are summed first; only the last sum includes the coordinates of
  // the world.
  Instant now{{1, 0, 0, 0, 1, 0, 0, 0, 1}, Vec3{} - origin, {}, {}};
  Vec3 reference, offset;
  if (base_) {
    now = base_->at(t, origin);
    reference = base_->reference();
  }
  std::size_t known = 0;
  const auto add_axis = [&](const Vec3& w, const Vec3& v) {
    if (known < axes->most) store(w, axes->w[known++]);
    axes->slide = axes->slide + v;
  };
  if (axes) axes->slide = {};
  if (axes && base_ && base_->bounds().twist) add_axis(now.w, now.v);
  for (const JointPath& joint : joints_) {
    const Instant next = joint.at(t);
    const Vec3 arm = turned(now.r, next.o - reference);
    offset = offset + arm;
    const Vec3 v = turned(now.r, next.v), w = turned(now.r, next.w);
    if (axes) add_axis(w, v);
    now.v = now.v + (cross(now.w, arm) + v);
    now.w = now.w + w;
    now.r = times(now.r, next.r);
    reference = joint.reference();
  }
  now.o = now.o + offset;
  return now;
}

Placement ChainPath::placement(double t) const {
  const Instant now = at(t);
  return {now.r, now.o - turned(now.r, reference_)};
}

IntervalPlacement ChainPath::product(const Interval& t) const {
  IntervalPlacement p = base_ ? base_->over(t) : IntervalPlacement{};
  for (const JointPath& joint : joints_) p = composed(p, joint.over(t));
  return p;
}

IntervalPlacement ChainPath::over(const Interval& t) const {
  IntervalPlacement p = product(t);
  if (!kinematic()) return p;
  // Nested boxes grow along the chain; the midpoint of the span and the largest speeds do not: an entry of R changes at
  // most as fast as R rotates. Three errors: at the midpoint, and twice between the computed and the real path.
  const double m = middle(t), half = std::max(t.hi - m, m - t.lo);
  const Instant now = at(m);
  const double turned_by = (bounds_.turn_speed * half + 3 * bounds_.turn_error) * slack;
  const double far = length(reference_);
  const double moved_by =
      (bounds_.speed * half + 3 * bounds_.error + turned_by * far + 8 * eps * (length(now.o) + length(now.v) + far)) *
      slack;
  const Vec3 place = placement(m).t;
  if (!(turned_by < 2) || !(moved_by < std::numeric_limits<double>::infinity())) return p;
  for (std::size_t i = 0; i < 9; ++i)
    p.r[i] = intersection(p.r[i], Interval(now.r[i]) + Interval(-turned_by, turned_by));
  for (std::size_t i = 0; i < 3; ++i)
    p.t[i] = intersection(p.t[i], Interval(place[static_cast<int>(i)]) + Interval(-moved_by, moved_by));
  return p;
}

double ChainPath::travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const {
  const Sweep sweep{n, centre, radius, t0, t1};
  const double best = std::min(stepwise_travel(n, centre, radius, t0, t1), reach_bound(*this, sweep));
  if (!kinematic()) return best;
  // The bounds refer to the computed path; the real path is within the error of it at both times.
  const double far = length(centre - reference_) + radius;
  const double errors = 2 * length(n) * (bounds_.error + bounds_.turn_error * far) * slack;
  return std::min(best, travel_bound(*this, bounds_, sweep) + errors * slack);
}

// P(t) y(t) - P(t0) y(t0) = [P(t) - P(t0)] y(t) + P(t0) [y(t) - y(t0)]: the outer motion carries a ball that contains
// all y, the inner one travels along the direction expressed in its frame at t0; and so on inward.
double ChainPath::stepwise_travel(const Vec3& n, const Vec3& centre, double radius, double t0, double t1) const {
  const Interval span(t0, t1);
  std::vector<Ball> balls(joints_.size() + 1);
  balls.back() = {centre, radius};
  for (std::size_t k = joints_.size(); k-- > 0;) balls[k] = around(joints_[k].over(span), balls[k + 1]);
  double total = 0;
  IntervalVector direction = enclose(n);
  if (base_) {
    total = base_->travel(n, balls[0].centre, balls[0].radius, t0, t1);
    direction = transposed_times(base_->over(Interval(t0)).r, direction);
  }
  const double dt = next_up(t1 - t0);
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const JointPath& joint = joints_[k];
    const Ball& ball = balls[k + 1];
    total += joint.travel(middle(direction), ball.centre, ball.radius, t0, t1);
    // The uncertainty of the direction contributes at most in proportion to the movement of the ball.
    const double far = length(ball.centre - joint.reference()) + ball.radius;
    const Bounds& b = joint.real_bounds();
    total += motion::radius(direction) * (b.speed + b.turn_speed * far) * dt * slack;
    direction = transposed_times(joint.over(Interval(t0)).r, direction);
  }
  total *= slack;
  return total >= 0 ? total : std::numeric_limits<double>::infinity();
}

}  // namespace graze::motion
