// SPDX-License-Identifier: MIT
#include <chrono>

#include "core/fp_guard.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/contains/solid.hpp"
#include "world/filter.hpp"
#include "world/placed_box.hpp"
#include "world/record/hash.hpp"
#include "world/record/recorder.hpp"

namespace graze {

using world::State;

namespace {

struct OverlapAnswer {
  Status status = Status::undecided;
  bool certain = true;
  Counters counters;
  std::optional<ErrorDetail> error;
};

void ask_overlap(const State& s, const Body& body, const Pose& pose, std::uint32_t slot, std::uint64_t work,
                 OverlapAnswer& out) try {
  CollideOptions options;
  options.solid = s.options.solid;
  options.work = work;
  const world::BodyRecord& other = s.bodies[slot];
  const CollideResult hit = collide(body, pose, *other.body, other.pose, options);
  out = {hit.status, hit.certain, hit.counters, hit.error};
} catch (const core::Stopped&) {
  out.status = Status::undecided;
}

void find_overlaps(const State& s, const Body& body, const Pose& pose, const OverlapOptions& options,
                   std::vector<std::uint32_t>& slots, std::vector<OverlapAnswer>& answers) {
  s.broad.overlapping(world::placed_box(body.box(), pose), slots);
  std::erase_if(slots, [&](std::uint32_t slot) { return !world::admits(s, options.bodies, slot); });
  answers.resize(slots.size());
  const auto ask = [&](std::size_t i) {
    if (!core::stop_requested()) ask_overlap(s, body, pose, slots[i], options.work, answers[i]);
  };
  if (!options.any) return core::parallel_for(slots.size(), s.options.threads, ask);
  for (std::size_t i = 0; i < slots.size();
       ++i) {  // in order, so that the answer is the same for any number of threads
    ask(i);
    if (answers[i].status != Status::contact) continue;
    slots.resize(i + 1);
    answers.resize(i + 1);
  }
}

}  // namespace

void World::overlap(const Body& body, const Pose& pose, const OverlapOptions& options, OverlapResult& result) try {
  result = OverlapResult{};
  State& s = *state_;
  const world::Asking asking(s);
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  world::check_filter(s, options.bodies);
  if (s.options.solid && core::refused(result, engine::contains::not_solid(body.data(), "that is asked for"))) return;
  if (s.recorder) s.recorder->flush();
  world::place_moved(s, result.counters);
  std::vector<std::uint32_t> slots;
  std::vector<OverlapAnswer> answers;
  const bool in_time = world::ask_within_limits(
      s, options, [&](core::Limits*) { find_overlaps(s, body, pose, options, slots, answers); });
  bool decided = in_time;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const OverlapAnswer& a = answers[i];
    result.counters.methods += a.counters;
    if (a.error && !result.error) result.error = a.error;
    decided = decided && a.status != Status::undecided;
    if (a.status != Status::contact) continue;
    result.bodies.push_back(s.id(slots[i]));
    result.certain = result.certain && a.certain;
  }
  result.counters.near_pairs += slots.size();
  result.counters.asked += answers.size();
  const bool enough = options.any && !result.bodies.empty();
  result.status = result.error            ? Status::invalid_request
                  : !decided && !enough   ? Status::undecided
                  : result.bodies.empty() ? Status::free
                                          : Status::contact;
  if (s.recorder && in_time && !result.error && world::Recorder::knows(body))
    s.recorder->line("overlap", body, pose, options.bodies, options.any, options.work, world::answer_hash(result));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
} catch (const Error& error) {  // a pose beyond all doubles; asked from a callback of this world
  result = OverlapResult{};
  core::refuse(result, error.detail());
}

OverlapResult World::overlap(const Body& body, const Pose& pose, const OverlapOptions& options) {
  OverlapResult result;
  overlap(body, pose, options, result);
  return result;
}

}  // namespace graze
