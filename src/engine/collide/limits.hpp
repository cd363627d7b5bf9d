// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <graze/ask/collide.hpp>
#include <graze/core/method_counters.hpp>
#include <graze/math/pose.hpp>

#include "core/limits.hpp"

namespace graze::engine::collide {

/// The unit of a work budget: every elementary test of every method of `collide`.
inline std::uint64_t work_of(const Counters& c) { return c.box_tests + c.triangle_tests + c.edge_polygon_tests; }
inline std::uint64_t work_of(const AllCounters& c) {
  return work_of(static_cast<const Counters&>(c)) + c.precheck_edge_face_box + c.clip_steps + c.plane_passes +
         c.sampled_vertices + c.sampled_points;
}

/// Must a method stop? Methods check it between their elementary tests; `collide` then discards what they found and
/// reports `undecided`. `so_far`: the work done by the method, in `Counters` or, if it counts its own, `AllCounters`. A
/// tree traversal reads the clock only at every 16th node pair.
template <class Work>
bool over(core::Limits* limits, const Work& so_far) {
  if (!limits) return false;
  if (limits->work > 0 && work_of(so_far) >= limits->work) return limits->end();
  return limits->stopped(so_far.node_pairs % 16 == 0);
}

/// `collide` within these limits instead of those of its options. If `limits.cut()` afterwards, the query was
/// interrupted: it is `undecided`, and only its counters are meaningful.
void collide_within(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const CollideOptions& options,
                    core::Limits& limits, CollideResult& result);

}  // namespace graze::engine::collide
