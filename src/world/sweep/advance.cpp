// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/fp_guard.hpp"
#include "world/sweep/stand.hpp"

namespace graze {

namespace world {

namespace {

/// Puts a body somewhere in the world. In a frame it is held there, and its pose in the frame is the nearest to that.
void put(const State& state, BodyRecord& r, const Pose& pose) {
  r.local = pose;
  if (r.frame == no_slot) return;
  r.held = pose;
  r.local = relative_to(state.frames[r.frame].pose, pose);
}

void advance_links(const State& state, ArticulatedRecord& a, double t, bool keep_rest) {
  if (a.coordinates == a.swept_coordinates && a.base == a.swept_base) return;  // or done for another link
  if (keep_rest) a.destination = ArticulatedDestination{a.base, a.coordinates};
  for (std::size_t i = 0; i < a.coordinates.size(); ++i)
    a.coordinates[i] = a.swept_coordinates[i] + t * (a.coordinates[i] - a.swept_coordinates[i]);
  if (!(a.base == a.swept_base))
    put_base(state, a, t == 0 ? a.swept_base : pose_of(Motion(Velocity(a.swept_base, a.base)).at(t)));
  a.swept_coordinates = a.coordinates;
  a.swept_base = a.base;
}

void resume_links(State& state, ArticulatedRecord& a) {
  ArticulatedRecord next = a;
  if (!(next.base == a.destination->base)) put_base(state, next, a.destination->base);
  next.coordinates = a.destination->coordinates;
  next.destination.reset();
  const std::vector<Pose> poses = link_poses(next);
  a = std::move(next);
  set_link_poses(state, a, poses);
}

/// The times at which bodies might stand, latest first; 0 at the end. A little back is enough where only rounding
/// matters; more may be needed where a body turns and its partner's vertices move straight.
double earlier(double safe, int tries) {
  if (tries == 0) return safe;
  if (tries <= 10) return safe * (1 - std::ldexp(1.0, 2 * tries - 22));
  return tries <= 20 ? std::ldexp(safe, 10 - tries) : 0;
}

}  // namespace

double time_to_stand(const State& state, const Movers& movers, const std::vector<PairKey>& pairs, double separation,
                     double safe) {
  // At any time before `safe` the pair is farther apart than the separation on its path. If where its bodies would
  // stand it is farther apart than the separation and the distances of both from their paths together, it also stays
  // so on the straight motion from the paths to there. At the start nothing is rounded.
  for (int tries = 0; earlier(safe, tries) > 0; ++tries) {
    Stands stands(state, movers, separation, earlier(safe, tries));
    if (std::all_of(pairs.begin(), pairs.end(), [&](PairKey key) { return stands.are_apart(key); }))
      return earlier(safe, tries);
  }
  return 0;
}

void advance_body(State& state, const Mover& m, double t, bool keep_rest) {
  BodyRecord& r = state.bodies[m.slot];
  if (r.articulated == no_slot && r.swept_from == r.pose && !m.deforms) return;
  const Stand stand = stand_of(state, m, t);
  if (r.articulated != no_slot)
    advance_links(state, state.articulated[r.articulated], t, keep_rest);
  else if (keep_rest)
    r.destination = r.pose;
  if (m.deforms) {
    if (keep_rest) r.destination_body = r.body;
    r.body = stand.body;
    r.radius.reset();
  }
  if (keep_rest) state.interrupted.push_back(m.slot);
  r.pose = stand.pose;
  put(state, r, r.pose);
  state.mark_moved(m.slot);
}

bool resume_paths(State& state) {
  bool any = false;
  for (const std::uint32_t slot : std::exchange(state.interrupted, {})) {
    if (!state.body_slots.used(slot)) continue;
    BodyRecord& r = state.bodies[slot];
    ArticulatedRecord* const a = r.articulated == no_slot ? nullptr : &state.articulated[r.articulated];
    if (!r.destination && !r.destination_body && !(a && a->destination)) continue;
    if (r.destination_body) {
      if (!r.swept_body) r.swept_body = r.body;
      r.body = std::exchange(r.destination_body, {});
      r.radius.reset();
    }
    if (r.destination) put(state, r, *std::exchange(r.destination, {}));
    if (a && a->destination) resume_links(state, *a);
    state.mark_moved(slot);
    any = true;
  }
  return any;
}

}  // namespace world

std::optional<Pose> World::destination(BodyId id) const {
  const world::Access access(*state_);
  const core::FpGuard guard;
  const world::BodyRecord& r = state_->get(id);
  if (r.articulated == world::no_slot)
    return world::is_carried_on(*state_, id.slot) ? std::optional<Pose>() : r.destination;
  world::ArticulatedRecord a = state_->articulated[r.articulated];
  if (!a.destination || world::is_carried_on(*state_, id.slot)) return {};
  a.base = a.destination->base;
  a.coordinates = a.destination->coordinates;
  return world::link_poses(a)[r.link];
}

std::optional<Body> World::destination_body(BodyId id) const {
  const world::Access access(*state_);
  const world::BodyRecord& r = state_->get(id);
  return world::is_carried_on(*state_, id.slot) ? std::optional<Body>() : r.destination_body;
}

}  // namespace graze
