// SPDX-License-Identifier: MIT
#include "ask/shapes/moving_distance.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include <graze/ask/distance.hpp>

#include "ask/shapes/half_space.hpp"
#include "body/body_data.hpp"
#include "core/limits.hpp"
#include "math/vectors.hpp"
#include "motion/path.hpp"

namespace graze::ask {

namespace {

constexpr double rounded_up = 1 + 0x1p-40;  // covers the roundings of some sums, products and roots

/// A pose to ask for the distance at, and how far a point of the body may be from its exact place there.
struct RoundedPose {
  Pose pose;
  double error;
};

/// The rounded placement lies in the intervals, as the exact one does: entries of the rotation differ by at most their
/// width, so points by at most 3 times that (rows of three entries, length of a vector) of their distance from the
/// origin. Turning the matrix into a quaternion and placing the corners adds less than 256 eps of the sizes.
RoundedPose pose_at_time(const Motion& motion, double t, double far) {
  const Placement p = motion.at(t);
  const IntervalPlacement exact = motion.over(t, t);
  double turn = 0, shift = 0, place = 0;
  for (const Interval& x : exact.r) turn = std::max(turn, x.hi - x.lo);
  for (std::size_t k = 0; k < 3; ++k) {
    shift = std::max(shift, exact.t[k].hi - exact.t[k].lo);
    place += exact.t[k].magnitude();
  }
  const Pose pose = Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
  return {pose, 3 * turn * far + 2 * shift + 256 * math::eps * (far + place)};
}

double speed_of(const motion::Path& a, const motion::Path& b) {
  if (!a.bounds().twist || !b.bounds().twist) return a.bounds().speed + b.bounds().speed;
  return length(a.at(0).v - b.at(0).v);  // both are constant
}

}  // namespace

MovingDistance::Side::Side(const Body& of, const Motion& moves, const Body& other, const Motion& moves_other)
    : body(of), motion(moves) {
  if (of.data().is_half_space()) {
    radius = far = reach_from(moves, other, moves_other);
    return;
  }
  const Box3& box = of.box();
  centre = (box.lo + box.hi) * 0.5;
  radius = 0.5 * length(box.hi - box.lo) * rounded_up;
  far = (length(centre) + radius) * rounded_up;
}

double MovingDistance::Side::path_error() const {
  const motion::Path& path = motion.path();
  return path.bounds().error + path.bounds().turn_error * (length(centre - path.reference()) + radius);
}

double MovingDistance::Side::turning_speed() const {
  const motion::Path& path = motion.path();
  const double from_reference = length(centre - path.reference());
  if (!path.bounds().twist) return path.bounds().turn_speed * (from_reference + radius);
  // About a fixed axis: |w x r| of the centre does not change.
  const motion::Instant start = path.at(0);
  const double centre_speed = length(cross(start.w, math::turned(start.r, centre - path.reference())));
  return centre_speed + length(start.w) * (radius + 0x1p-40 * from_reference);
}

/// No point of the ball gets farther than this from its place at t0 until t1: along each axis its travel is bounded in
/// both directions.
double MovingDistance::Side::displacement(double t0, double t1) const {
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    Vec3 n;
    n[k] = 1;
    const double way = std::max(motion.travel(n, centre, radius, t0, t1), motion.travel(-n, centre, radius, t0, t1));
    squared += way * way;
  }
  return std::sqrt(squared) * rounded_up;
}

MovingDistance::MovingDistance(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b)
    : a_(a, motion_a, b, motion_b), b_(b, motion_b, a, motion_a), speed_(math::infinity), path_error_(0) {
  const motion::Path &of_a = motion_a.path(), &of_b = motion_b.path();
  if (!of_a.kinematic() || !of_b.kinematic()) return;
  speed_ = (speed_of(of_a, of_b) + a_.turning_speed() + b_.turning_speed()) * rounded_up;
  path_error_ = (a_.path_error() + b_.path_error()) * rounded_up;
}

DistanceAt MovingDistance::at(double t, double relative_error, std::uint64_t work) const try {
  const RoundedPose pose_a = pose_at_time(a_.motion, t, a_.far), pose_b = pose_at_time(b_.motion, t, b_.far);
  DistanceOptions how_far;
  how_far.relative_error = relative_error;
  how_far.work = work;
  const DistanceResult d = distance(a_.body, pose_a.pose, b_.body, pose_b.pose, how_far);
  DistanceAt out{.time = t, .lower = 0, .upper = math::infinity, .counters = d.counters, .error = d.error};
  out.known = d.status == Status::free || d.status == Status::contact;
  out.touches = d.status == Status::contact;
  if (!out.known) return out;
  double error = pose_a.error + pose_b.error;
  if (!a_.body.has_mesh() || !b_.body.has_mesh())  // the rounding bound of shape/shape.hpp
    error += 0x1p-35 * (a_.far + b_.far + length(pose_a.pose.translation() - pose_b.pose.translation()));
  error *= rounded_up;
  out.upper = d.distance * (1 + 2 * relative_error) + error;
  out.lower = std::max(0.0, d.distance * (1 - 2 * relative_error) - error);
  return out;
} catch (const Error& error) {  // a placement beyond the doubles
  return {.time = t, .lower = 0, .upper = math::infinity, .error = error.detail()};
}

double MovingDistance::lower_between(const DistanceAt& first, const DistanceAt& last) const {
  const double least = std::min(first.lower, last.lower), time = last.time - first.time;
  if (!first.known || !(first.lower > 0)) return 0;
  const double moved = a_.displacement(first.time, last.time) + b_.displacement(first.time, last.time);
  double bound = first.lower - moved * rounded_up;
  // From both ends: at t it is at least f - L (t - t0) and g - L (t1 - t). These meet at half of f + g - L (t1 - t0).
  if (last.known && speed_ < math::infinity)
    bound = std::max(bound, 0.5 * (first.lower + last.lower - speed_ * time * rounded_up) - 2 * path_error_);
  return bound > 0 ? std::min(least, bound * (1 - 0x1p-48)) : 0;  // 0 also if it is no number
}

double MovingDistance::doubtful_time(const DistanceAt& first, const DistanceAt& last) const {
  const double time = last.time - first.time;
  double share = 0.5;
  if (speed_ > 0 && speed_ < math::infinity && time > 0)
    share = std::clamp(0.5 + 0.5 * (first.lower - last.lower) / (speed_ * time), 0.125, 0.875);
  return first.time + share * time;
}

std::optional<Clearance> least_moving_distance(const MovingDistance& moving, std::uint64_t work, Counters& counters) {
  constexpr std::size_t most = 4096;
  constexpr double relative_error = 1e-8, share = 1 - 1e-3;
  struct Span {
    DistanceAt first, last;
    double lower;
    bool operator<(const Span& other) const {
      return lower != other.lower ? lower > other.lower : first.time > other.first.time;
    }
  };
  std::optional<Clearance> best;
  std::size_t asked = 0;
  bool ended = false;  // by a limit, or an error: nothing is known of some times
  const auto ask = [&](double t) {
    const DistanceAt d = moving.at(t, relative_error, work);
    counters += d.counters;
    ++asked;
    ended = ended || !d.known;
    if (d.known && (!best || d.upper < best->upper)) best = Clearance{0, d.upper, t};
    return d;
  };
  try {
    const DistanceAt start = ask(0), end = ask(1);
    std::priority_queue<Span> spans;
    spans.push({start, end, moving.lower_between(start, end)});
    double finest = math::infinity;  // the least bound of spans that cannot be divided
    while (!ended && !spans.empty() && spans.top().lower < share * best->upper && asked < most) {
      if (work > 0 && asked >= work) break;
      core::poll_once();
      const Span span = spans.top();
      spans.pop();
      const double middle = moving.doubtful_time(span.first, span.last);
      if (!(middle > span.first.time && middle < span.last.time) || best->upper == 0) {
        finest = std::min(finest, span.lower);
        continue;
      }
      const DistanceAt between = ask(middle);
      spans.push({span.first, between, moving.lower_between(span.first, between)});
      spans.push({between, span.last, moving.lower_between(between, span.last)});
    }
    if (best && !ended) best->lower = std::min({spans.empty() ? best->upper : spans.top().lower, finest, best->upper});
  } catch (const core::Stopped&) {
    if (best) best->lower = 0;
  }
  return best;
}

void add_moving_clearance(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                          const FirstContactOptions& options, FirstContactResult& result) {
  const bool touches = result.status == Status::contact || result.status == Status::touching_at_start;
  if (touches && !(options.min_separation > 0 && result.gap > 0)) {
    result.clearance = Clearance{0, result.gap, result.time.touch};
    return;
  }
  if (!touches && result.status != Status::free) return;
  const MovingDistance moving(a, motion_a, b, motion_b);
  result.clearance = least_moving_distance(moving, options.work, result.counters);
}

}  // namespace graze::ask
