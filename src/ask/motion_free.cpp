// SPDX-License-Identifier: MIT
#include <graze/ask/motion_free.hpp>

#include <chrono>

#include "ask/first_contact_options.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/collide/method.hpp"
#include "motion/path.hpp"

namespace graze {

namespace {

Pose probed_pose(const Motion& motion, double t) {
  if (t == 1)
    if (const auto end = motion.path().end()) return *end;
  const Placement p = motion.at(t);
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
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

}  // namespace

MotionFreeResult motion_free(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                             const FirstContactOptions& options) {
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  MotionFreeResult result;
  const auto finish = [&] {
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  if (auto error = refused_for_motion_free(options)) {
    result.status = Status::invalid_request;
    result.error = std::move(error);
    return result;
  }
  if (core::refused(result, ask::mistake_in(options))) return result;
  CollideOptions at_once;
  at_once.solid = options.solid;
  at_once.cancel = options.cancel;
  at_once.budget = options.budget;  // of each: a probe takes a small part of it, and the search has it, too
  CollideResult hit;
  for (const double t : probe_times) {
    collide(a, probed_pose(motion_a, t), b, probed_pose(motion_b, t), at_once, hit);
    ++result.probes;
    result.counters += hit.counters;
    if (hit.status != Status::contact) continue;
    result.status = Status::contact;
    result.time = t;
    finish();
    return result;
  }
  FirstContactResult found = first_contact(a, motion_a, b, motion_b, options);
  result.counters += found.counters;
  result.tolerance = found.tolerance;
  result.error = std::move(found.error);
  result.status = found.status;
  if (found.status == Status::touching_at_start || found.status == Status::contact) {
    result.status = Status::contact;
    result.time = found.time.touch;
  }
  if (found.status == Status::free) result.certificate = std::move(found.certificate);
  finish();
  return result;
}

}  // namespace graze
