// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include <graze/core/counters.hpp>
#include <graze/math/pose.hpp>
#include <graze/query/collide.hpp>

namespace graze::query {

/// What a budget of work counts: every elementary test of every method of `collide`.
inline std::uint64_t work_of(const Counters& c) {
  return c.box_tests + c.triangle_tests + c.edge_polygon_tests + c.precheck_edge_face_box + c.clip_steps +
         c.plane_passes + c.sampled_vertices + c.sampled_points;
}

/// When a method must end without an answer. Methods ask between their elementary tests; what they found so far is then
/// dropped by `collide`, which reports `undecided`. One object for each question.
class CollideLimits {
 public:
  using Clock = std::chrono::steady_clock;

  const std::atomic<bool>* stop = nullptr;  ///< set by another thread that wants no answer any more
  std::uint64_t work = 0;                   ///< no test is begun after so many; 0: no limit. One thread counts them
  std::optional<Clock::time_point> deadline = {};
  CollideLimits* outer = nullptr;  ///< those of the question that this one is a part of

  /// `so_far`: what the method did. A walk over trees looks at the clock at every 16th pair of nodes only.
  bool over(const Counters& so_far) {
    const bool over_now = (stop && stop->load(std::memory_order_relaxed)) || (work && work_of(so_far) >= work) ||
                          (so_far.node_pairs % 16 == 0 && late());
    if (over_now) set_cut();
    return over_now || (outer && outer->over(so_far));
  }
  /// Before a test that takes longer than looking at the clock.
  bool late() {
    const bool late_now = deadline && Clock::now() >= *deadline;
    if (late_now) set_cut();
    return late_now || (outer && outer->late());
  }
  /// Was a method told to end?
  bool cut() const { return cut_.load(std::memory_order_relaxed) || (outer && outer->cut()); }
  void set_cut() { cut_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> cut_{false};
};

/// `collide` within limits (none: without). A cut answer is `undecided` and says nothing but what it cost.
void collide_within(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const CollideOptions& options,
                    CollideLimits* limits, CollideResult& result);

}  // namespace graze::query
