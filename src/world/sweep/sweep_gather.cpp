// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/limits.hpp"
#include "engine/first_contact/many/batches.hpp"
#include "math/vectors.hpp"
#include "world/sweep/stops.hpp"
#include "world/sweep/sweep_pass.hpp"

namespace graze::world {

using engine::first_contact::touches;

void SweepPass::run() try {
  movers_.emplace(state_, front_);
  boxes_.emplace(state_, options_, *movers_);
  std::vector<SweepQuestion> questions = near_pairs();
  ask(questions);
  if (!core::stop_requested()) add_details(questions);
  ended_ = core::stop_requested();
  gather(questions);
  result_.error || ended_ ? put_back() : remember();
} catch (...) {
  put_back();
  throw;
}

void SweepPass::gather(std::vector<SweepQuestion>& questions) {
  std::sort(questions.begin(), questions.end(), [](const auto& x, const auto& y) { return x.key < y.key; });
  for (SweepQuestion& q : questions) {
    result_.counters.methods += q.answer.counters;
    if (q.of_method) *options_.method_counters += *q.of_method;
    if (q.answer.status == Status::invalid_request && !result_.error) result_.error = q.answer.error;
  }
  if (options_.each && !result_.error && !ended_)
    gather_each(questions);
  else
    gather_together(questions);
}

void SweepPass::gather_together(std::vector<SweepQuestion>& questions) {
  for (SweepQuestion& q : questions)
    if (q.answer.status != Status::free && !state_.is_trigger(q.key)) list(q);
  conclude();
  const double stood = advance(questions);
  for (SweepQuestion& q : questions)
    if (state_.is_trigger(q.key)) list_trigger(q, stood);
  if (!options_.earliest || !result_.earliest) return;
  // Only the earliest contact was requested. The other answers are incomplete.
  std::swap(result_.contacts[0], result_.contacts[*result_.earliest]);
  result_.contacts.erase(result_.contacts.begin() + 1, result_.contacts.end());
  result_.earliest = 0;
}

void SweepPass::gather_each(std::vector<SweepQuestion>& questions) {
  std::vector<PairEnd> ends;
  for (const SweepQuestion& q : questions)
    if (!state_.is_trigger(q.key) && q.answer.status != Status::free)
      ends.push_back({q.key, q.answer.time.safe, touches(q.answer)});
  const Stops stops(state_, *movers_, near_, ends, options_.min_separation);
  bool limited = false;
  for (SweepQuestion& q : questions) {
    limited |= q.answer.status == Status::undecided && !state_.is_trigger(q.key);
    if (state_.is_trigger(q.key))
      list_trigger(q, stops.time(q.key));
    else if (q.answer.status == Status::undecided || stops.stops({q.key, q.answer.time.safe, touches(q.answer)}))
      list(q);
  }
  conclude();
  const bool left = stops.apply(state_);
  // After a limit the next call of `sweep` goes on, even if a contact is earlier than what it left open: the same limit
  // would end the same pair again and again.
  progress_.more = left && !limited;
  for (const Mover& m : movers_->all()) {
    const double done = progress_.part(m.slot);
    progress_.covered[m.slot] = done + stops.time(m.slot) * (1 - done);
  }
  result_.advanced |= !ends.empty();
}

SweepContact SweepPass::contact_of(SweepQuestion& q) const {
  SweepContact out = std::move(q.details);
  out.a = state_.id(first(q.key));
  out.b = state_.id(second(q.key));
  out.contact = std::move(q.answer);
  out.straight_vertices = q.straight;
  return out;
}

void SweepPass::list(SweepQuestion& q) {
  if (q.answer.status == Status::undecided && options_.advance && !result_.error && !ended_)
    state_.sweep_again.insert(q.key);
  in_whole_path(q);
  result_.counters.contacts += touches(q.answer);
  result_.contacts.push_back(contact_of(q));
}

void SweepPass::list_trigger(SweepQuestion& q, double stop) {
  if (q.answer.status == Status::free || (touches(q.answer) && q.answer.time.touch > stop)) return;
  if (!progress_.triggered.insert(q.key).second) return;
  in_whole_path(q);
  result_.triggers.push_back(contact_of(q));
}

void SweepPass::in_whole_path(SweepQuestion& q) const {
  TimeBracket& time = q.answer.time;
  if (progress_.time_of(q.key, 0) == 0) return;  // the path begins here
  // Rounded: the time at which the pair is certified to be apart must not become later.
  time.safe = std::max(progress_.time_of(q.key, 0), std::nextafter(progress_.time_of(q.key, time.safe), 0.0));
  time.touch = progress_.time_of(q.key, time.touch);
}

void SweepPass::conclude() {
  double undecided = math::infinity, best = math::infinity;
  result_.earliest.reset();
  result_.safe = 1;
  for (std::size_t i = 0; i < result_.contacts.size(); ++i) {
    const FirstContactResult& r = result_.contacts[i].contact;
    if (r.status == Status::undecided) undecided = std::min(undecided, r.time.safe);
    if (r.status != Status::invalid_request) result_.safe = std::min(result_.safe, r.time.safe);
    if (touches(r) && r.time.touch < best) best = r.time.touch, result_.earliest = i;
  }
  if (result_.error)
    result_.status = Status::invalid_request;
  else if (undecided < best || ended_)
    result_.status = Status::undecided;
  else
    result_.status = result_.earliest ? result_.contacts[*result_.earliest].contact.status : Status::free;
}

double SweepPass::advance(const std::vector<SweepQuestion>& questions) {
  if (!options_.advance || result_.error || ended_) return 1;
  const bool cut = result_.status == Status::undecided;
  if (!cut && !result_.earliest) return 1;
  std::vector<PairKey> pairs;
  for (const SweepQuestion& q : questions)
    if (!state_.is_trigger(q.key)) pairs.push_back(q.key);
  const double t = time_to_stand(state_, *movers_, pairs, options_.min_separation, result_.safe);
  for (const Mover& m : movers_->all()) advance_body(state_, m, t, cut);
  result_.advanced = true;
  return t;
}

void SweepPass::put_back() {
  for (const std::uint32_t slot : front_) {
    state_.bodies[slot].to_sweep = true;
    state_.to_sweep.push_back(slot);
  }
  state_.sweep_again.merge(again_);
}

void SweepPass::remember() {
  for (const Mover& m : movers_->all()) {
    BodyRecord& r = state_.bodies[m.slot];
    r.swept_from = r.pose;
    r.swept_body.reset();
    r.swept = true;
    state_.last_swept.push_back(m.slot);
    if (r.articulated == no_slot) continue;
    ArticulatedRecord& a = state_.articulated[r.articulated];
    a.swept_coordinates = a.coordinates;
    a.swept_base = a.base;
  }
}

}  // namespace graze::world
