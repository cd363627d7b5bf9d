// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "world/placed_box.hpp"
#include "world/record/hash.hpp"
#include "world/record/recorder.hpp"
#include "world/state.hpp"

namespace graze {

using world::BodyRecord;
using world::PairKey;
using world::State;

namespace world {

std::optional<ErrorDetail> bad_distance(double d) {
  if (d >= 0 && std::isfinite(d)) return std::nullopt;
  return core::bad_option("d", "the distance must be finite and not negative");
}

void check_question_box(const Box3& box) {
  if (!is_finite(box.lo) || !is_finite(box.hi) || box.lo.x > box.hi.x || box.lo.y > box.hi.y || box.lo.z > box.hi.z)
    refuse(ErrorCode::bad_option, "the box must be finite, and its lower corner not above the upper one", "box");
}

}  // namespace world

namespace {

/// Pairs of interest whose boxes are at most d apart: one box widened by d overlaps the other. Sorted.
std::vector<PairKey> near_boxes(const State& s, const std::vector<BodyId>& all, double d) {
  std::vector<std::vector<PairKey>> found(all.size());
  core::parallel_for(all.size(), s.options.threads, [&](std::size_t i) {
    core::poll_once();
    std::vector<std::uint32_t> others;
    s.broad.overlapping(world::widened(s.broad.box(all[i].slot), d), others);
    for (const std::uint32_t other : others) {
      const PairKey key = world::key_of(all[i].slot, other);
      if (other > all[i].slot && s.wanted(key)) found[i].push_back(key);
    }
  });
  std::vector<PairKey> keys;
  for (const auto& f : found) keys.insert(keys.end(), f.begin(), f.end());
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Two bodies at distance d or less: `contact`, and how far they are apart. Both questions together have one budget.
struct NearAnswer {
  Status status = Status::undecided;
  DistanceResult distance;
  Counters counters;
};

void ask_near_pair(const BodyRecord& a, const BodyRecord& b, double d, std::uint64_t work, NearAnswer& out) try {
  WithinOptions asked;
  asked.work = work;
  const WithinResult is_near = within(d, *a.body, a.pose, *b.body, b.pose, asked);
  out.counters = is_near.counters;
  out.status = is_near.status;
  if (is_near.status != Status::contact) return;
  out.status = Status::undecided;
  const std::uint64_t done = is_near.counters.node_pairs;
  if (work > 0 && done >= work) return;
  DistanceOptions how_far;
  how_far.work = work > 0 ? work - done : 0;
  distance(*a.body, a.pose, *b.body, b.pose, how_far, out.distance);
  if (out.distance.status != Status::undecided) out.status = Status::contact;
} catch (const core::Stopped&) {
  out.status = Status::undecided;
}

}  // namespace

void World::near(double d, const NearOptions& options, NearResult& result) try {
  result = NearResult{};
  State& s = *state_;
  const world::Asking asking(s);
  const core::FpGuard guard;
  const auto start = std::chrono::steady_clock::now();
  if (core::refused(result, world::bad_distance(d))) return;
  if (s.recorder) s.recorder->flush();
  world::place_moved(s, result.counters);
  core::Limits destroyed, limits(options.cancel, options.budget);
  destroyed.stop = s.stop;
  std::vector<PairKey> keys;
  std::vector<NearAnswer> answers;
  const auto ask = [&](core::Limits*) {
    keys = near_boxes(s, bodies(), d);
    answers.resize(keys.size());
    core::parallel_for(keys.size(), s.options.threads, [&](std::size_t i) {
      const BodyRecord &a = s.bodies[world::first(keys[i])], &b = s.bodies[world::second(keys[i])];
      if (!core::stop_requested()) ask_near_pair(a, b, d, options.work, answers[i]);
    });
  };
  bool decided = core::run_within(destroyed, [&](core::Limits*) {
    if (!core::run_within(limits, ask)) destroyed.end();
  });
  decided = decided && !destroyed.cut();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    result.counters.methods += answers[i].counters;
    result.counters.methods += answers[i].distance.counters;
    decided = decided && answers[i].status != Status::undecided;
    if (answers[i].status == Status::contact)
      result.pairs.push_back(
          {s.id(world::first(keys[i])), s.id(world::second(keys[i])), std::move(answers[i].distance)});
  }
  result.counters.near_pairs += keys.size();
  result.counters.asked += answers.size();
  result.status = !decided ? Status::undecided : result.pairs.empty() ? Status::free : Status::contact;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // It changes nothing: a question without a whole answer need not be asked again by a replay.
  if (s.recorder && decided) s.recorder->line("near", d, world::answer_hash(result.pairs));
} catch (const Error& error) {  // a pose beyond all doubles; asked from a callback of this world
  result = NearResult{};
  core::refuse(result, error.detail());
}

NearResult World::near(double d, const NearOptions& options) {
  NearResult result;
  near(d, options, result);
  return result;
}

std::vector<BodyId> World::in_box(const Box3& box) {
  State& s = *state_;
  const world::Asking asking(s);
  const core::FpGuard guard;
  world::check_question_box(box);
  if (s.recorder) s.recorder->flush();
  WorldCounters counters;
  world::place_moved(s, counters);
  std::vector<std::uint32_t> slots;
  s.broad.overlapping(box, slots);
  // A hull is solid: what is inside it counts.
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? box.hi.x : box.lo.x, i & 2 ? box.hi.y : box.lo.y, i & 4 ? box.hi.z : box.lo.z});
  const Body solid(shape::Hull{std::move(corners)});
  std::vector<BodyId> out;
  for (const std::uint32_t slot : slots)
    if (collide(solid, Pose(), *s.bodies[slot].body, s.bodies[slot].pose).status == Status::contact)
      out.push_back(s.id(slot));
  if (s.recorder) s.recorder->line("in_box", box, world::answer_hash(out));
  return out;
}

}  // namespace graze
