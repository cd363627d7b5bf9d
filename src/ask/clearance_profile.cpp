// SPDX-License-Identifier: MIT
#include <graze/ask/clearance_profile.hpp>

#include <algorithm>
#include <vector>

#include "ask/shapes/moving_distance.hpp"
#include "ask/surfaces/surfaces.hpp"
#include "body/body_data.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"

namespace graze {

namespace {

using ask::DistanceAt;

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
      : moving_(a, motion_a, b, motion_b),
        times_(times),
        samples_(samples),
        options_(options),
        at_(times.size()),
        counted_(times.size()) {}

  void run() {
    core::parallel_for(times_.size(), options_.threads, [&](std::size_t i) { measure(i); });
    core::parallel_for(times_.size() - 1, options_.threads, [&](std::size_t i) { bound_until_next(i); });
  }

  Status status() const {
    bool free = true, contact = false;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      free = free && samples_[i].lower_until_next > 0;
      contact = contact || at_[i].touches;
    }
    return contact ? Status::contact : free ? Status::free : Status::undecided;
  }
  Counters counters() const {
    Counters sum;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      sum += at_[i].counters;
      sum += counted_[i];
    }
    return sum;
  }
  std::optional<ErrorDetail> error() const {
    for (const DistanceAt& d : at_)
      if (d.error) return d.error;
    return std::nullopt;
  }

 private:
  void measure(std::size_t i) try {
    if (core::stop_requested()) return;
    at_[i] = moving_.at(times_[i], options_.relative_error, options_.work);
    if (!at_[i].known) return;
    samples_[i].lower = at_[i].lower;
    samples_[i].upper = at_[i].upper;
    if (i + 1 == times_.size()) samples_[i].lower_until_next = at_[i].lower;
  } catch (const core::Stopped&) {
    // The sample stays as it was: nothing is known.
  }

  /// Divides the time to the next sample where least is known of it, until the bound is 0.9 of the least distance seen.
  void bound_until_next(std::size_t i) try {
    if (core::stop_requested() || !at_[i].known) return;
    constexpr int most = 32;
    std::vector<DistanceAt> seen{at_[i], at_[i + 1]};
    std::vector<double> bounds{moving_.lower_between(seen[0], seen[1])};
    for (int asked = 0;; ++asked) {
      const auto lowest = std::min_element(bounds.begin(), bounds.end());
      samples_[i].lower_until_next = *lowest;  // also if a limit ends what follows
      double least = math::infinity;
      for (const DistanceAt& d : seen) least = std::min(least, d.lower);
      const auto at = static_cast<std::size_t>(lowest - bounds.begin());
      const double middle = moving_.doubtful_time(seen[at], seen[at + 1]);
      if (asked == most || *lowest >= 0.9 * least || !(middle > seen[at].time && middle < seen[at + 1].time)) return;
      const DistanceAt between = moving_.at(middle, options_.relative_error, options_.work);
      counted_[i] += between.counters;
      if (!between.known) return;
      seen.insert(seen.begin() + static_cast<std::ptrdiff_t>(at) + 1, between);
      bounds[at] = moving_.lower_between(seen[at], between);
      bounds.insert(bounds.begin() + static_cast<std::ptrdiff_t>(at) + 1, moving_.lower_between(between, seen[at + 2]));
    }
  } catch (const core::Stopped&) {
    // What is certified so far is.
  }

  ask::MovingDistance moving_;
  std::span<const double> times_;
  std::span<ClearanceSample> samples_;
  const ClearanceProfileOptions& options_;
  std::vector<DistanceAt> at_;
  std::vector<Counters> counted_;  ///< of the times between
};

}  // namespace

ClearanceProfileResult clearance_profile(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                                         std::span<const double> times, std::span<ClearanceSample> samples,
                                         const ClearanceProfileOptions& options) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  ClearanceProfileResult result;
  if (a.data().is_half_space() && b.data().is_half_space()) {
    core::refuse(result, core::problem(ErrorCode::unsupported, "body",
                                       "two half-spaces have no end, so nothing bounds how fast they approach; ask for "
                                       "the distance at the times of interest"));
    return result;
  }
  if (core::refused(result, ask::refused_for_surfaces("clearance_profile", a, b))) return result;
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
