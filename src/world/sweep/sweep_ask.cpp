// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "ask/shared/first_contact_options.hpp"
#include "core/limits.hpp"
#include "core/parallel.hpp"
#include "core/refusal.hpp"
#include "engine/first_contact/many/batches.hpp"
#include "engine/first_contact/many/swept_boxes.hpp"
#include "math/vectors.hpp"
#include "world/sweep/stand.hpp"
#include "world/sweep/sweep_pass.hpp"

namespace graze::world {

using engine::first_contact::touches;

std::vector<SweepQuestion> SweepPass::near_pairs() {
  std::vector<SweepQuestion> questions;
  for (const PairKey key : boxes_->near(again_)) {
    ++result_.counters.near_pairs;
    if (!state_.wanted(key)) {
      ++result_.counters.of_no_interest;
      continue;
    }
    if (!state_.is_trigger(key)) near_.push_back(key);
    SweepQuestion q{key, {}, 0, movers_->is_straight(key), nullptr, {}};
    if (!q.straight) q.motions = movers_->motions(key);
    questions.push_back(std::move(q));
  }
  // Boxes that overlap over the whole path may never overlap at the same time.
  std::vector<Counters> counted(questions.size());
  core::parallel_for(questions.size(), state_.options.threads, [&](std::size_t i) {
    SweepQuestion& q = questions[i];
    const std::uint32_t a = first(q.key), b = second(q.key);
    if (!q.straight)
      q.not_before = engine::first_contact::boxes_meet(*state_.bodies[a].body, q.motions.first, boxes_->margin(a),
                                                       *state_.bodies[b].body, q.motions.second, boxes_->margin(b), 0,
                                                       1, 3, counted[i]);
  });
  for (const Counters& c : counted) result_.counters.methods += c;
  std::erase_if(questions, [](const SweepQuestion& q) { return !(q.not_before <= 1); });
  if (options_.method == "advancement" || options_.method == "interval") remember_pairs(questions);
  return questions;
}

void SweepPass::remember_pairs(std::vector<SweepQuestion>& questions) {
  const BroadPhase& boxes = *state_.swept_broad;
  result_.counters.memories_dropped += state_.coherences.drop_first_contact([&](PairKey k) {
    return !boxes.contains(first(k)) || !boxes.contains(second(k)) ||
           !boxes.box(first(k)).overlaps(boxes.box(second(k)));
  });
  for (SweepQuestion& q : questions) {
    if (q.straight) continue;
    q.coherence =
        state_.coherences.first_contact(q.key, *state_.bodies[first(q.key)].body, *state_.bodies[second(q.key)].body);
    result_.counters.memories_refused += !q.coherence;
  }
}

FirstContactResult SweepPass::open_since(double time) {
  FirstContactResult r;
  r.time = {time, math::not_a_number};
  r.gap = math::not_a_number;
  return r;
}

void SweepPass::ask_straight(const BodyRecord& a, const BodyRecord& b, SweepQuestion& q) const {
  const auto straight = [](const BodyRecord& r) {
    return StraightBody{r.swept_body ? *r.swept_body : *r.body, *r.body, r.swept_from, r.pose};
  };
  const bool surface = a.body->surface() || b.body->surface();
  if (surface || !has_straight_path(straight(a)) || !has_straight_path(straight(b))) {  // not certified either way
    q.answer = open_since(0);
    q.answer.error = core::problem(
        ErrorCode::unsupported, "body",
        surface ? "a deforming body is not swept against a surface given by functions; give a mesh of the surface, or "
                  "take no interest in the pair"
                : "a deforming body is not swept against a half-space that turns; turn it in steps of its own, use a "
                  "large box instead, or take no interest in the pair",
        first(q.key));
    // No body could ever be advanced: that is no limit that the next sweep may overcome.
    if (options_.advance && !state_.is_trigger(q.key)) q.answer.status = Status::invalid_request;
    return;
  }
  // The default of elementary queries is far below that of `first_contact`: a body that stops so near another would
  // count as touching it from then on.
  std::optional<double> tolerance = boxes_->tolerance(q.key);
  if (!tolerance && options_.advance)
    tolerance = std::min(engine::first_contact::margin_of(*a.body, 0), engine::first_contact::margin_of(*b.body, 0));
  if (tolerance && !(*tolerance > 0)) tolerance.reset();  // of a point
  try {
    q.answer = straight_contact(straight(a), straight(b), tolerance, options_.min_separation, state_.options.solid,
                                options_.work, q.of_method.get());
    if (options_.advance || options_.min_separation > 0) include_ends(state_, q.key, options_.min_separation, q.answer);
  } catch (const core::Stopped&) {
    q.answer = open_since(0);
  }
}

void SweepPass::ask_one(SweepQuestion& q) const {
  if (options_.method_counters) q.of_method = std::make_unique<MethodCounters>();
  const BodyRecord &a = state_.bodies[first(q.key)], &b = state_.bodies[second(q.key)];
  if (q.straight) return ask_straight(a, b, q);
  FirstContactOptions o;
  o.method = options_.method;
  o.tolerance = boxes_->tolerance(q.key);
  o.ignore_start_if_separating = options_.ignore_start_if_separating;
  o.min_separation = options_.min_separation;
  o.solid = state_.options.solid;
  o.work = options_.work;
  o.coherence = q.coherence;
  o.method_counters = q.of_method.get();
  ask::first_contact_inside(*a.body, q.motions.first, *b.body, q.motions.second, o, q.answer);
  movers_->to_world(q.key, q.answer);
}

void SweepPass::ask(std::vector<SweepQuestion>& questions) {
  if (options_.earliest)
    std::sort(questions.begin(), questions.end(), [](const SweepQuestion& x, const SweepQuestion& y) {
      return std::tie(x.not_before, x.key) < std::tie(y.not_before, y.key);
    });
  double best = math::infinity;
  const std::size_t asked = engine::first_contact::ask_in_batches(
      questions.size(), !options_.earliest, [&](std::size_t next) { return questions[next].not_before <= best; },
      [&](std::size_t first, std::size_t size) {
        core::parallel_for(size, state_.options.threads, [&](std::size_t i) {
          SweepQuestion& q = questions[first + i];
          if (core::stop_requested())
            q.answer = open_since(q.not_before);
          else
            ask_one(q);
        });
        for (std::size_t i = first; i < first + size; ++i)
          if (touches(questions[i].answer) && !state_.is_trigger(questions[i].key))
            best = std::min(best, questions[i].answer.time.touch);
      });
  result_.counters.asked += asked;
  questions.resize(asked);
}

}  // namespace graze::world
