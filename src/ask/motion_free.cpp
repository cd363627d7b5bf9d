// SPDX-License-Identifier: MIT
#include "ask/motion_free.hpp"

#include <chrono>
#include <optional>

#include <graze/ask/distance.hpp>

#include "ask/shared/first_contact_options.hpp"
#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/refusal.hpp"
#include "engine/collide/method.hpp"
#include "motion/path.hpp"

namespace graze {

namespace {

/// None where the placement is beyond the doubles; `first_contact` says what is wrong there.
std::optional<Pose> probed_pose(const Motion& motion, double t) try {
  if (t == 1)
    if (const auto end = motion.path().end()) return *end;
  const Placement p = motion.at(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
} catch (const Error&) {
  return std::nullopt;
}

std::optional<ErrorDetail> refused_for_motion_free(const FirstContactOptions& o) {
  const auto refuse = [](const char* option) {
    return engine::collide::unsupported("motion_free answers yes or no only; ask first_contact", option);
  };
  if (o.all_features) return refuse("option all_features");
  if (o.all_contacts) return refuse("option all_contacts");
  if (o.clearance) return refuse("option clearance");
  if (o.ignore_start_if_separating) return refuse("option ignore_start_if_separating");
  return std::nullopt;
}

/// The end first, because planners reach into the unknown; then halves, quarters, eighths. More probes cost a free
/// motion more than they save a touching one.
constexpr double probe_times[] = {1, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875};

/// Is there a contact at one of the probed times?
bool probe(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
           const FirstContactOptions& options, CollideResult& hit, MotionFreeResult& result) {
  CollideOptions at_once;
  at_once.solid = options.solid;
  for (const double t : probe_times) {
    const std::optional<Pose> pose_a = probed_pose(motion_a, t), pose_b = probed_pose(motion_b, t);
    if (!pose_a || !pose_b) continue;
    ++result.probes;
    if (options.min_separation > 0) {
      const WithinResult near = within(options.min_separation, a, *pose_a, b, *pose_b);
      result.counters += near.counters;
      hit.status = near.status;
    } else {
      collide(a, *pose_a, b, *pose_b, at_once, hit);
      result.counters += hit.counters;
    }
    if (hit.status != Status::contact) continue;
    result.status = Status::contact;
    result.time = t;
    return true;
  }
  return false;
}

void search(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
            const FirstContactOptions& options, FirstContactResult& found, MotionFreeResult& result) {
  first_contact(a, motion_a, b, motion_b, options, found);
  result.counters += found.counters;
  result.tolerance = found.tolerance;
  result.error = std::move(found.error);
  result.status = found.status;
  if (found.status == Status::touching_at_start || found.status == Status::contact) {
    result.status = Status::contact;
    result.time = found.time.touch;
  }
  if (found.status == Status::free) result.certificate = std::move(found.certificate);
}

}  // namespace

void ask::motion_free_with(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                           const FirstContactOptions& options, MotionFreeRoom& room, MotionFreeResult& result) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  result = MotionFreeResult{};
  if (core::refused(result, refused_for_motion_free(options)) || core::refused(result, ask::mistake_in(options)))
    return;
  core::Limits limits(options.cancel, options.budget);  // of the probes and the search together; work is the search's
  const bool ended = core::run_within(limits, [&](core::Limits*) {
    if (!probe(a, motion_a, b, motion_b, options, room.probe, result))
      search(a, motion_a, b, motion_b, options, room.search, result);
  });
  if (!ended && result.status != Status::contact) result.status = Status::undecided;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  core::leave_if_outer_ended(limits);
}

void motion_free(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                 const FirstContactOptions& options, MotionFreeResult& result) {
  ask::MotionFreeRoom room;
  ask::motion_free_with(a, motion_a, b, motion_b, options, room, result);
}

MotionFreeResult motion_free(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                             const FirstContactOptions& options) {
  MotionFreeResult result;
  motion_free(a, motion_a, b, motion_b, options, result);
  return result;
}

}  // namespace graze
