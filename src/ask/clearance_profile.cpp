// SPDX-License-Identifier: MIT
#include <graze/ask/clearance_profile.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <graze/ask/distance.hpp>

#include "body/body_data.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "motion/path.hpp"

namespace graze {

namespace {

/// A ball around a body, in its own coordinates.
struct ProfileBall {
  Vec3 centre;
  double radius, far;  ///< `far`: of its points from the origin

  explicit ProfileBall(const Box3& box) : centre((box.lo + box.hi) * 0.5) {
    const Vec3 size = box.hi - box.lo;
    radius = 0.5 * length(size) * (1 + 0x1p-40);
    far = (length(centre) + radius) * (1 + 0x1p-40);
  }
};

/// A pose to ask for the distance at, and how far a point of the body may be from its exact place there.
struct ProfilePose {
  Pose pose;
  double error;
};

/// The rounded placement lies in the intervals, as the exact one does: entries of the rotation differ by at most their
/// width, so points by at most 3 times that (rows of three entries, length of a vector) of their distance from the
/// origin. Turning the matrix into a quaternion and placing the corners adds less than 256 eps of the sizes.
ProfilePose pose_at_time(const Motion& motion, double t, double far) {
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

/// No point of the ball gets farther than this from its place at t0 until t1: along each axis its travel is bounded in
/// both directions.
double displacement(const Motion& motion, const ProfileBall& ball, double t0, double t1) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    Vec3 n;
    n[k] = 1;
    const double way = std::max(motion.travel(n, ball.centre, ball.radius, t0, t1),
                                motion.travel(-n, ball.centre, ball.radius, t0, t1));
    squared += way * way;
  }
  return std::sqrt(squared) * (1 + 0x1p-48);
}

std::optional<ErrorDetail> mistake_in_times(std::span<const double> times, std::size_t samples) {
  if (times.empty()) return core::bad_option("times", "there are none; give at least one time in [0, 1]");
  if (times.size() != samples) return core::bad_option("samples", "there must be as many samples as times");
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(times[i] >= (i ? times[i - 1] : 0) && times[i] <= 1))
      return core::bad_option("times", "times must ascend and lie in [0, 1]");
  return std::nullopt;
}

/// One profile.
class Profile {
 public:
  Profile(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b, std::span<const double> times,
          std::span<ClearanceSample> samples, const ClearanceProfileOptions& options)
      : a_(a),
        b_(b),
        motion_a_(motion_a),
        motion_b_(motion_b),
        ball_a_(a.box()),
        ball_b_(b.box()),
        times_(times),
        samples_(samples),
        options_(options),
        counted_(times.size()),
        touches_(times.size()),
        errors_(times.size()) {}

  void run() {
    core::parallel_for(times_.size(), options_.threads, [&](std::size_t i) { measure(i); });
  }

  Status status() const {
    bool free = true, contact = false;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      free = free && samples_[i].lower_until_next > 0;
      contact = contact || touches_[i];
    }
    return contact ? Status::contact : free ? Status::free : Status::undecided;
  }
  Counters counters() const {
    Counters sum;
    for (const Counters& c : counted_) sum += c;
    return sum;
  }
  std::optional<ErrorDetail> error() const {
    for (const auto& e : errors_)
      if (e) return e;
    return std::nullopt;
  }

 private:
  void measure(std::size_t i) try {
    if (core::stop_requested()) return;
    const double t = times_[i];
    const ProfilePose pose_a = pose_at_time(motion_a_, t, ball_a_.far),
                      pose_b = pose_at_time(motion_b_, t, ball_b_.far);
    DistanceOptions how_far;
    how_far.relative_error = options_.relative_error;
    how_far.work = options_.work;
    const DistanceResult d = distance(a_, pose_a.pose, b_, pose_b.pose, how_far);
    counted_[i] = d.counters;
    touches_[i] = d.status == Status::contact;
    errors_[i] = d.error;
    if (d.status != Status::free && d.status != Status::contact) return;
    double error = pose_a.error + pose_b.error;
    if (!a_.has_mesh() || !b_.has_mesh())  // the rounding bound of shape/shape.hpp
      error += 0x1p-35 * (ball_a_.far + ball_b_.far + length(pose_a.pose.translation() - pose_b.pose.translation()));
    error *= 1 + 0x1p-40;
    ClearanceSample& s = samples_[i];
    s.upper = d.distance * (1 + 2 * options_.relative_error) + error;
    s.lower = std::max(0.0, d.distance * (1 - 2 * options_.relative_error) - error);
    s.lower_until_next = s.lower;
    if (i + 1 == times_.size()) return;
    const double moved =
        displacement(motion_a_, ball_a_, t, times_[i + 1]) + displacement(motion_b_, ball_b_, t, times_[i + 1]);
    s.lower_until_next = std::max(0.0, s.lower * (1 - 0x1p-48) - moved * (1 + 0x1p-48));
  } catch (const core::Stopped&) {
    // The sample stays as it was: nothing is known.
  } catch (const Error& error) {  // a placement beyond the doubles
    errors_[i] = error.detail();
  }

  const Body& a_;
  const Body& b_;
  const Motion& motion_a_;
  const Motion& motion_b_;
  ProfileBall ball_a_, ball_b_;
  std::span<const double> times_;
  std::span<ClearanceSample> samples_;
  const ClearanceProfileOptions& options_;
  std::vector<Counters> counted_;
  std::vector<char> touches_;  ///< at the rounded poses
  std::vector<std::optional<ErrorDetail>> errors_;
};

}  // namespace

ClearanceProfileResult clearance_profile(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                                         std::span<const double> times, std::span<ClearanceSample> samples,
                                         const ClearanceProfileOptions& options) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  ClearanceProfileResult result;
  if (a.data().is_half_space() || b.data().is_half_space()) {
    core::refuse(result, core::problem(ErrorCode::unsupported, "body",
                                       "a half-space has no end, so nothing bounds how far it moves; use a large box"));
    return result;
  }
  if (core::refused(result, mistake_in_times(times, samples.size())) ||
      core::refused(result, core::bad_threads(options.threads)))
    return result;
  for (std::size_t i = 0; i < times.size(); ++i) samples[i] = {times[i], 0, math::infinity, 0};
  core::Limits limits(options.cancel, options.budget);
  Profile profile(a, motion_a, b, motion_b, times, samples, options);
  const bool ended = core::run_within(limits, [&](core::Limits*) { profile.run(); });
  result.counters = profile.counters();
  result.status = ended ? profile.status() : Status::undecided;
  core::refused(result, profile.error());
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
  return result;
}

}  // namespace graze
