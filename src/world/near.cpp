// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/fp_guard.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/ray/fraction.hpp"
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

void check_ray(const Vec3& from, const Vec3& to) {
  if (!is_finite(from) || !is_finite(to))
    refuse(ErrorCode::not_finite, "an end of the ray is not finite; give three finite numbers", "ray");
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

/// Two bodies at distance d or less: `contact`, and how far they are apart.
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
  DistanceOptions how_far;
  how_far.work = work;
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

namespace {

/// Bodies whose boxes the segment may meet. No body that it meets is missing.
std::vector<std::uint32_t> along(const BroadPhase& broad, const Vec3& from, const Vec3& to) {
  std::vector<std::uint32_t> slots;
  const Vec3 way = to - from;
  bool exact = !(way == Vec3{}) && is_finite(way);
  for (int k = 0; k < 3; ++k) {
    // The rounding error of to - from, itself exact (Knuth).
    const double part = to[k] - way[k];
    exact = exact && (to[k] - (way[k] + part)) + (part - from[k]) == 0;
  }
  if (exact) {
    broad.along_ray(from, way, 1, slots);
    return slots;
  }
  // A rounded direction could miss a box that the segment just touches. So use boxes around parts of the segment, each
  // widened by more than the error of its end points (a product and a sum: less than 4 eps of |from| + |to| along each
  // axis).
  constexpr int parts = 32;
  const auto at = [&](int i) {
    const double u = static_cast<double>(i) / parts;
    return from * (1 - u) + to * u;
  };
  std::vector<std::uint32_t> some;
  for (int i = 0; i < parts; ++i) {
    Box3 box;
    box.add(at(i));
    box.add(at(i + 1));
    double size = 0;
    for (int k = 0; k < 3; ++k) size = std::max(size, std::fabs(from[k]) * 0x1p-50 + std::fabs(to[k]) * 0x1p-50);
    broad.overlapping(world::widened(box, size + std::numeric_limits<double>::min()), some);
    slots.insert(slots.end(), some.begin(), some.end());
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

}  // namespace

namespace {

/// By the exact fraction along the ray, then by body. Rounding keeps the order, so only hits whose rounded fractions
/// are equal have to be compared exactly.
void sort_hits(const State& s, const Vec3& from, const Vec3& to, std::vector<BodyHit>& hits) {
  std::sort(hits.begin(), hits.end(), [](const BodyHit& x, const BodyHit& y) {
    return std::tie(x.hit.fraction, x.body) < std::tie(y.hit.fraction, y.body);
  });
  using Exact = std::pair<engine::ray::ExactFraction, BodyHit>;
  std::vector<Exact> tied;
  for (auto first = hits.begin(); first != hits.end();) {
    const auto last =
        std::find_if(first, hits.end(), [&](const BodyHit& x) { return x.hit.fraction != first->hit.fraction; });
    if (last - first > 1) {
      tied.clear();
      for (auto x = first; x != last; ++x) {
        const BodyRecord& body = s.bodies[x->body.slot];
        tied.emplace_back(engine::ray::exact_fraction(x->hit, *body.body, body.pose, from, to), *x);
      }
      std::stable_sort(tied.begin(), tied.end(),
                       [](const Exact& x, const Exact& y) { return engine::ray::compare(x.first, y.first) < 0; });
      std::transform(tied.begin(), tied.end(), first, [](const Exact& x) { return x.second; });
    }
    first = last;
  }
}

}  // namespace

std::vector<BodyHit> World::ray(const Vec3& from, const Vec3& to) {
  State& s = *state_;
  const world::Asking asking(s);
  const core::FpGuard guard;
  world::check_ray(from, to);
  if (s.recorder) s.recorder->flush();
  WorldCounters counters;
  world::place_moved(s, counters);
  const std::vector<std::uint32_t> slots = along(s.broad, from, to);
  std::vector<BodyHit> out;
  for (const std::uint32_t slot : slots)
    if (const auto hit = cast_ray(*s.bodies[slot].body, s.bodies[slot].pose, from, to).hit)
      out.push_back({s.id(slot), *hit});
  sort_hits(s, from, to, out);
  if (s.recorder) s.recorder->line("ray", from, to, world::answer_hash(out));
  return out;
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
