// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>

#include "ask/shared/first_contact_options.hpp"
#include "core/counter_sum.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "motion/trajectory_data.hpp"
#include "robot/check_route.hpp"
#include "robot/clearance.hpp"

namespace graze {

namespace robot {

namespace {

using RouteOf = std::function<Route(std::size_t segment)>;

/// A path of several routes.
class PathCheck {
 public:
  PathCheck(const State& state, std::size_t segments, const RouteOf& route, const RobotMotionOptions& options,
            RobotMotionResult& result)
      : s_(state), segments_(segments), route_(route), options_(options), result_(result), each_(options) {
    // Each segment is the matter of one thread. The limits are those of the path.
    each_.threads = 1;
    each_.budget.reset();
    each_.cancel = {};
    if (options.threads > 1) each_.memory = nullptr;
  }

  void run() {
    check_segments();
    if (result_.status == Status::free && options_.clearance) find_clearance();
  }

 private:
  /// As many segments at a time as there are threads: what follows the first that is not free is dropped.
  void check_segments() {
    const std::size_t most = static_cast<std::size_t>(options_.threads);
    RobotMotionResult all;
    for (std::size_t first = 0; first < segments_; first += most) {
      std::vector<RobotMotionResult> answers(std::min(most, segments_ - first));
      core::parallel_for(answers.size(), options_.threads,
                         [&](std::size_t i) { check_route(s_, route_(first + i), each_, answers[i]); });
      for (std::size_t i = 0; i < answers.size(); ++i) {
        take(std::move(answers[i]), first + i);
        if (result_.status != Status::free) return;
      }
    }
  }

  void take(RobotMotionResult answer, std::size_t segment) {
    answer.segment = segment;
    answer.pairs += result_.pairs;
    answer.counters += result_.counters;
    std::move(answer.proofs.begin(), answer.proofs.end(), std::back_inserter(result_.proofs));
    std::swap(answer.proofs, result_.proofs);
    result_ = std::move(answer);
  }

  /// Of each segment by itself, so that the answer does not depend on the threads.
  void find_clearance() {
    std::vector<std::optional<RobotClearance>> found(segments_);
    std::vector<Counters> counters(segments_);
    core::parallel_for(segments_, options_.threads, [&](std::size_t i) {
      std::optional<RobotMemory> own;
      Memory& memory = each_.memory ? each_.memory->memory() : own.emplace().memory();
      found[i] = least_clearance(s_, route_(i), *options_.clearance, memory, counters[i]);
      if (found[i]) found[i]->segment = i;
    });
    for (std::size_t i = 0; i < segments_; ++i) {
      result_.counters += counters[i];
      if (!found[i]) continue;
      std::optional<RobotClearance>& least = result_.clearance;
      const double lower = least ? std::min(least->lower, found[i]->lower) : found[i]->lower;
      if (!least || found[i]->upper < least->upper) least = found[i];
      least->lower = lower;
    }
  }

  const State& s_;
  std::size_t segments_;
  const RouteOf& route_;
  const RobotMotionOptions& options_;
  RobotMotionResult& result_;
  RobotMotionOptions each_;
};

void check_path(const State& s, std::size_t segments, const RouteOf& route, const RobotMotionOptions& options,
                RobotMotionResult& result) {
  if (core::refused(result, core::bad_threads(options.threads))) return;
  if (options.clearance && !(*options.clearance > 0))
    return core::refuse(result, core::problem(ErrorCode::bad_option, "option clearance",
                                              "the clearance is found to within a positive distance"));
  core::Limits limits(options.cancel, options.budget);
  try {
    core::run_within(limits, [&](core::Limits*) { PathCheck(s, segments, route, options, result).run(); });
    if (result.status == Status::free && result.segment + 1 < segments) result.status = Status::undecided;
  } catch (const Error& error) {
    core::refuse(result, error.detail());
  }
  core::leave_if_outer_ended(limits);
}

/// Whether a course stays within limits, as far as doubles tell: certified to within its rounding, or else some value
/// is beyond.
bool stays_within(const motion::Polynomial& course, const JointLimits& limits, int halvings = 48) {
  const Interval& all = course.range();
  const double rounding = course.value_error();
  if (limits.lower <= all.lo + rounding && all.hi - rounding <= limits.upper) return true;
  const double ends[] = {motion::middle(course.first()), course.value(0.5), motion::middle(course.last())};
  for (const double x : ends)
    if (x < limits.lower || limits.upper < x) return false;
  if (halvings == 0) return true;  // it touches the limit, as far as doubles tell
  return stays_within(course.part(0, 0.5), limits, halvings - 1) &&
         stays_within(course.part(0.5, 1), limits, halvings - 1);
}

void find_beyond_limits(const State& s, const Trajectory& trajectory, RobotTrajectoryResult& result) {
  for (std::size_t k = 0; k < trajectory.segments(); ++k) {
    const std::vector<motion::Polynomial>& courses = trajectory.data().segments[k].courses;
    for (std::uint32_t i = 0; i < s.chain.size(); ++i) {
      const Joint& joint = s.chain.link(LinkId{i}).joint;
      if (!joint.limits || coordinates_of(joint.type) != 1) continue;
      motion::Polynomial course = courses[s.coordinate[i]];
      if (joint.mimic) {
        std::vector<Interval> rounded;
        for (const Interval& c : course.coefficients())
          rounded.push_back(joint.mimic->factor * motion::middle(c) + joint.mimic->offset);
        course = motion::Polynomial(rounded);
      }
      if (stays_within(course, *joint.limits)) continue;
      result.beyond_limits = LinkId{i};
      result.beyond_limits_in = k;
      return;
    }
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// start + share (end - start), rounded away from where it would claim more than is certified.
double time_below(const Trajectory& trajectory, std::size_t segment, double share) {
  const double start = trajectory.start(segment), end = trajectory.end(segment);
  if (share >= 1) return end;
  return std::clamp((Interval(start) + Interval(share) * (Interval(end) - Interval(start))).lo, start, end);
}

}  // namespace

}  // namespace robot

RobotMotionResult Robot::check_path(std::span<const double> waypoints, const RobotMotionOptions& options) const {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  RobotMotionResult result;
  const std::size_t n = coordinates();
  if (n == 0 || waypoints.size() % n != 0 || waypoints.size() < 2 * n) {
    core::refuse(result, core::problem(ErrorCode::bad_option, "path",
                                       "a path has at least two waypoints of " + std::to_string(n) + " coordinates"));
    return result;
  }
  const auto route = [&](std::size_t i) {
    return robot::Route{waypoints.subspan(i * n, n), waypoints.subspan((i + 1) * n, n)};
  };
  robot::check_path(*state_, waypoints.size() / n - 1, route, options, result);
  result.seconds = robot::seconds_since(start);
  return result;
}

RobotTrajectoryResult Robot::check_trajectory(const Trajectory& trajectory, const RobotMotionOptions& options) const {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  RobotTrajectoryResult result;
  try {
    chain().check(trajectory);
  } catch (const Error& error) {
    core::refuse(result, error.detail());
    return result;
  }
  robot::find_beyond_limits(*state_, trajectory, result);
  robot::check_path(
      *state_, trajectory.segments(), [&](std::size_t i) { return robot::route_of(trajectory, i); }, options, result);
  result.when = {robot::time_below(trajectory, result.segment, result.safe), math::not_a_number};
  if (result.pair) result.when.touch = trajectory.time(result.segment, result.contact.time.touch);
  result.seconds = robot::seconds_since(start);
  return result;
}

}  // namespace graze
