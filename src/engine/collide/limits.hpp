// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include <graze/ask/collide.hpp>
#include <graze/core/method_counters.hpp>
#include <graze/math/pose.hpp>

namespace graze::engine::collide {

/// The unit of a work budget: every elementary test of every method of `collide`.
inline std::uint64_t work_of(const Counters& c) { return c.box_tests + c.triangle_tests + c.edge_polygon_tests; }
inline std::uint64_t work_of(const AllCounters& c) {
  return work_of(static_cast<const Counters&>(c)) + c.precheck_edge_face_box + c.clip_steps + c.plane_passes +
         c.sampled_vertices + c.sampled_points;
}

/// Decides when a method must stop without an answer. Methods check it between their elementary tests; `collide` then
/// discards what they found and reports `undecided`. Use one object per query.
class CollideLimits {
 public:
  using Clock = std::chrono::steady_clock;

  const std::atomic<bool>* stop = nullptr;  ///< set by another thread that no longer needs the answer
  std::uint64_t work = 0;                   ///< no test starts after this many; 0: no limit. Counted by one thread
  std::optional<Clock::time_point> deadline = {};
  CollideLimits* outer = nullptr;  ///< limits of the enclosing query

  /// `so_far`: the work done by the method, in `Counters` or, if it counts its own, `AllCounters`. A tree traversal
  /// reads the clock only at every 16th node pair.
  template <class Work>
  bool over(const Work& so_far) {
    const bool over_now = (stop && stop->load(std::memory_order_relaxed)) || (work && work_of(so_far) >= work) ||
                          (so_far.node_pairs % 16 == 0 && late());
    if (over_now) set_cut();
    return over_now || (outer && outer->over(so_far));
  }
  /// For use before a test that takes longer than reading the clock.
  bool late() {
    const bool late_now = deadline && Clock::now() >= *deadline;
    if (late_now) set_cut();
    return late_now || (outer && outer->late());
  }
  /// Has a method been told to stop?
  bool cut() const { return cut_.load(std::memory_order_relaxed) || (outer && outer->cut()); }
  void set_cut() { cut_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> cut_{false};
};

/// `collide` within limits (null: unlimited). An interrupted query returns `undecided`; only its counters are
/// meaningful.
void collide_within(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const CollideOptions& options,
                    CollideLimits* limits, CollideResult& result);

}  // namespace graze::engine::collide
