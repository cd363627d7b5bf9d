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

/// Two bodies whose boxes are at most d apart. `contact`: the bodies are, too.
struct NearAnswer {
  PairKey key;
  bool kept = false;  ///< from the last time
  Status status = Status::undecided;
  DistanceResult distance = {};
  Counters counters = {};
};

/// Both questions together have one budget.
void ask_near_pair(const BodyRecord& a, const BodyRecord& b, double d, std::uint64_t work, bool touching,
                   NearAnswer& out) try {
  std::uint64_t done = 0;
  if (!touching) {
    WithinOptions asked;
    asked.work = work;
    const WithinResult is_near = within(d, *a.body, a.pose, *b.body, b.pose, asked);
    out.counters = is_near.counters;
    out.status = is_near.status;
    if (is_near.status != Status::contact) return;
    done = is_near.counters.node_pairs;
  }
  out.status = Status::undecided;
  if (work > 0 && done >= work) return;
  DistanceOptions how_far;
  how_far.work = work > 0 ? work - done : 0;
  distance(*a.body, a.pose, *b.body, b.pose, how_far, out.distance);
  if (out.distance.status != Status::undecided) out.status = Status::contact;
} catch (const core::Stopped&) {
  out.status = Status::undecided;
}

/// One call of `near`: what is known from the last one, and the rest.
class NearSearch {
 public:
  NearSearch(State& state, double d, std::uint64_t work) : s_(state), d_(d), work_(work) {
    world::NearMemory& memory = s_.near_memory;
    const bool know_others = memory.d == d;  // all that were not placed since
    moved_ = take(s_, memory.placed, &BodyRecord::to_near);
    again_ = std::exchange(memory.again, {});
    if (!know_others) {
      memory.entries.clear();
      moved_.clear();
      for (std::uint32_t slot = 0; slot < s_.body_slots.end(); ++slot)
        if (s_.body_slots.used(slot)) moved_.push_back(slot);
    }
    is_moved_.resize(s_.body_slots.end());
    for (const std::uint32_t slot : moved_) is_moved_[slot] = true;
    memory.d.reset();  // until there is an answer
  }

  void run() {
    keep();
    const std::vector<PairKey> keys = near_boxes();
    const std::size_t kept = answers.size();
    for (const PairKey key : keys) answers.push_back({key});
    core::parallel_for(keys.size(), s_.options.threads, [&](std::size_t i) {
      NearAnswer& answer = answers[kept + i];
      const BodyRecord &a = s_.bodies[world::first(answer.key)], &b = s_.bodies[world::second(answer.key)];
      if (!core::stop_requested()) ask_near_pair(a, b, d_, work_, is_touching(answer.key), answer);
    });
    std::sort(answers.begin(), answers.end(), [](const NearAnswer& x, const NearAnswer& y) { return x.key < y.key; });
  }

  void remember() {
    if (s_.options.coherent_pairs == 0) return;
    world::NearMemory& memory = s_.near_memory;
    memory.d = d_;
    memory.entries.clear();
    for (const NearAnswer& a : answers) memory.entries.push_back({a.key, a.status == Status::contact, a.distance});
  }

  std::vector<NearAnswer> answers;  ///< by (a, b), when it has run

 private:
  /// Takes the answers for pairs that did not change.
  void keep() {
    for (world::NearMemory::Entry& e : s_.near_memory.entries) {
      const std::uint32_t a = world::first(e.key), b = world::second(e.key);
      const bool both = s_.body_slots.used(a) && s_.body_slots.used(b);
      if (!both || is_moved_[a] || is_moved_[b] || again_.contains(e.key)) continue;
      answers.push_back({e.key, true, e.is_near ? Status::contact : Status::free, std::move(e.distance)});
    }
    s_.near_memory.entries.clear();
  }

  /// The other pairs of interest whose boxes are at most d apart: one box widened by d overlaps the other. Sorted.
  std::vector<PairKey> near_boxes() const {
    std::vector<std::vector<PairKey>> found(moved_.size());
    core::parallel_for(moved_.size(), s_.options.threads, [&](std::size_t i) {
      core::poll_once();
      std::vector<std::uint32_t> others;
      s_.broad.overlapping(world::widened(s_.broad.box(moved_[i]), d_), others);
      for (const std::uint32_t other : others) {
        if (other == moved_[i] || (is_moved_[other] && other < moved_[i])) continue;  // found for the other one
        if (const PairKey key = world::key_of(moved_[i], other); s_.wanted(key)) found[i].push_back(key);
      }
    });
    std::vector<PairKey> keys;
    for (const auto& f : found) keys.insert(keys.end(), f.begin(), f.end());
    for (const PairKey key : again_) {
      const std::uint32_t a = world::first(key), b = world::second(key);
      if (s_.body_slots.used(a) && s_.body_slots.used(b) && !is_moved_[a] && !is_moved_[b] && s_.wanted(key) &&
          world::widened(s_.broad.box(a), d_).overlaps(s_.broad.box(b)))
        keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  /// Did the last check, at these very poses, find the surfaces in contact? Not with margins, with solid bodies (one
  /// may be inside the other), with shapes (whose contacts may be uncertain), or by a method that the caller chose.
  bool is_touching(PairKey key) const {
    if (s_.options.solid || !s_.contacts.contains(key) || s_.again.contains(key) || s_.find_pair(key)) return false;
    const auto is_known = [&](std::uint32_t slot) {
      const BodyRecord& r = s_.bodies[slot];
      return !r.to_check && r.settings.margin == 0 && r.body->has_mesh() && !r.body->shape();
    };
    return is_known(world::first(key)) && is_known(world::second(key));
  }

  State& s_;
  double d_;
  std::uint64_t work_;
  std::vector<std::uint32_t> moved_;  ///< the bodies of which nothing is known
  std::vector<bool> is_moved_;        ///< by slot
  std::unordered_set<PairKey> again_;
};

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
  NearSearch search(s, d, options.work);
  bool decided = core::run_within(destroyed, [&](core::Limits*) {
    if (!core::run_within(limits, [&](core::Limits*) { search.run(); })) destroyed.end();
  });
  decided = decided && !destroyed.cut();
  for (const NearAnswer& a : search.answers) decided = decided && a.status != Status::undecided;
  if (decided) search.remember();
  for (NearAnswer& a : search.answers) {
    ++(a.kept ? result.counters.answers_kept : result.counters.asked);
    if (!a.kept) result.counters.methods += a.counters;
    if (!a.kept) result.counters.methods += a.distance.counters;
    if (a.status == Status::contact)
      result.pairs.push_back({s.id(world::first(a.key)), s.id(world::second(a.key)), std::move(a.distance)});
  }
  result.counters.near_pairs += search.answers.size();
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
