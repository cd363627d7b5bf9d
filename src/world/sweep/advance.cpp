// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <graze/ask/distance.hpp>

#include "core/fp_guard.hpp"
#include "math/composed.hpp"
#include "motion/path.hpp"
#include "world/sweep/sweep.hpp"

namespace graze {

namespace world {

namespace {

/// A body at time t of its path: the rounded pose, and a bound on the distance of its points from the path.
struct Stand {
  Pose pose;
  double error = 0;
};

/// The path's own error bound, plus the rounding of the placement, of the conversion of its matrix to a quaternion and
/// of a chain's coordinates: some tens of eps of the magnitudes involved.
Stand stand_of(const State& state, const Movers& movers, std::uint32_t slot, double t) {
  const BodyRecord& r = state.bodies[slot];
  const Mover* m = movers.find(slot);
  if (!m || (r.swept_from == r.pose && r.articulated == no_slot)) return {r.pose};
  const motion::Path& path = m->motion.path();
  const motion::Bounds& bounds = path.bounds();
  const Box3& box = r.body->box();
  const double size = length(box.hi - path.reference()) + length(box.lo - path.reference());
  const Pose pose = pose_of(m->motion.at(t));
  const double sizes = length(pose.translation()) + length(r.pose.translation()) + length(path.reference()) + size +
                       bounds.speed + bounds.turn_speed * size;
  return {pose, bounds.error + bounds.turn_error * size + 0x1p-44 * sizes};
}

/// Puts a body somewhere in the world. In a frame it is held there, and its pose in the frame is the nearest to that.
void put(State& state, BodyRecord& r, const Pose& pose) {
  r.local = pose;
  if (r.frame == no_slot) return;
  r.held = pose;
  const Pose& frame = state.frames[r.frame].pose;
  const Quat q = frame.rotation();
  const Pose turned_back({}, {q.w, -q.x, -q.y, -q.z});
  try {
    r.local = math::composed(turned_back, Pose(pose.translation() - frame.translation(), pose.rotation()));
  } catch (const Error&) {
    r.local = {};  // no double says where it is in the frame; it stays where it is until the frame moves
  }
}

void advance_links(ArticulatedRecord& a, double t, bool keep_rest) {
  if (a.coordinates == a.swept_coordinates && a.base == a.swept_base) return;  // or done for another link
  if (keep_rest) a.destination = ArticulatedDestination{a.base, a.coordinates};
  for (std::size_t i = 0; i < a.coordinates.size(); ++i)
    a.coordinates[i] = a.swept_coordinates[i] + t * (a.coordinates[i] - a.swept_coordinates[i]);
  if (!(a.base == a.swept_base)) a.base = pose_of(Motion(Velocity(a.swept_base, a.base)).at(t));
  a.swept_coordinates = a.coordinates;
  a.swept_base = a.base;
}

void resume_links(State& state, ArticulatedRecord& a) {
  ArticulatedRecord next = a;
  next.base = a.destination->base;
  next.coordinates = a.destination->coordinates;
  next.destination.reset();
  const std::vector<Pose> poses = link_poses(next);
  a = std::move(next);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    state.bodies[a.bodies[i].slot].local = poses[i];
    state.mark_moved(a.bodies[i].slot);
  }
}

}  // namespace

double time_to_stand(const State& state, const Movers& movers, const std::vector<PairKey>& pairs, double safe) {
  // At any time before `safe` the pair is disjoint on its path. If the distance at the rounded poses also exceeds the
  // sum of the two pose errors, the pair stays disjoint on the straight motion from the exact to the rounded poses. At
  // the start nothing is rounded.
  double back = 0x1p-20;
  for (double t = safe; t > 0; t = safe * (1 - back), back *= 4) {
    const bool clear = std::all_of(pairs.begin(), pairs.end(), [&](PairKey key) {
      const Stand a = stand_of(state, movers, first(key), t), b = stand_of(state, movers, second(key), t);
      if (a.error + b.error == 0) return true;  // neither moved
      return within(a.error + b.error, *state.bodies[first(key)].body, a.pose, *state.bodies[second(key)].body, b.pose)
                 .status == Status::free;
    });
    if (clear) return t;
  }
  return 0;
}

void advance_body(State& state, const Mover& m, double t, bool keep_rest) {
  BodyRecord& r = state.bodies[m.slot];
  if (r.articulated != no_slot)
    advance_links(state.articulated[r.articulated], t, keep_rest);
  else if (r.swept_from == r.pose)
    return;
  else if (keep_rest)
    r.destination = r.pose;
  if (keep_rest) state.interrupted.push_back(m.slot);
  r.pose = t == 0 ? r.swept_from : pose_of(m.motion.at(t));
  put(state, r, r.pose);
  state.mark_moved(m.slot);
}

bool resume_paths(State& state) {
  bool any = false;
  for (const std::uint32_t slot : std::exchange(state.interrupted, {})) {
    if (!state.body_slots.used(slot)) continue;
    BodyRecord& r = state.bodies[slot];
    if (r.articulated != no_slot) {
      ArticulatedRecord& a = state.articulated[r.articulated];
      if (!a.destination) continue;
      resume_links(state, a);
    } else {
      if (!r.destination) continue;
      put(state, r, *std::exchange(r.destination, {}));
      state.mark_moved(slot);
    }
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
  if (!a.destination) return {};
  a.base = a.destination->base;
  a.coordinates = a.destination->coordinates;
  return world::link_poses(a)[r.link];
}

}  // namespace graze
