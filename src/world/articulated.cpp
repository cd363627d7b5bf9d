// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/fp_guard.hpp"
#include "world/noting.hpp"

namespace graze {

using world::Access;
using world::ArticulatedRecord;
using world::no_slot;
using world::Noting;
using world::State;

namespace world {

ArticulatedRecord& State::get(ArticulatedId chain_id) {
  if (!articulated_slots.has(chain_id.slot, chain_id.generation))
    refuse(ErrorCode::index_out_of_range,
           "there is no articulated body with generation " + std::to_string(chain_id.generation) +
               " in this slot: it was removed, or is of another world",
           "articulated body", chain_id.slot);
  return articulated[chain_id.slot];
}

Chain on_base(const Chain& chain, const Motion& base) {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < chain.size(); ++i) links.push_back(chain.link(LinkId{i}));
  return Chain(std::move(links), base);
}

Pose pose_of(const Placement& p) {
  return Pose::from_matrix(
      {p.r[0], p.r[1], p.r[2], p.t.x, p.r[3], p.r[4], p.r[5], p.t.y, p.r[6], p.r[7], p.r[8], p.t.z, 0, 0, 0, 1});
}

/// Throws before anything is changed.
std::vector<Pose> link_poses(const ArticulatedRecord& r) {
  const Chain chain = on_base(*r.chain, Still{r.base});
  std::vector<Pose> out;
  for (const LinkId link : r.links) out.push_back(pose_of(chain.link_motion(link, r.coordinates, r.coordinates).at(0)));
  return out;
}

void set_link_poses(State& state, const ArticulatedRecord& r, const std::vector<Pose>& poses) {
  for (std::size_t i = 0; i < poses.size(); ++i) {
    state.bodies[r.bodies[i].slot].local = poses[i];
    state.mark_moved(r.bodies[i].slot);
  }
}

Pose base_now(const State& state, const ArticulatedRecord& r) {
  if (r.frame == no_slot) return r.local_base;
  if (r.held && !has_moved_frame(state, r.frame)) return r.base;
  return carried(frame_pose_now(state, r.frame), r.local_base, "articulated body in frame", r.frame);
}

void put_base(const State& state, ArticulatedRecord& r, const Pose& base) {
  r.base = base;
  r.held = r.frame != no_slot;
  r.local_base = r.held ? relative_to(state.frames[r.frame].pose, base) : base;
}

void begin_chain_path(State& state, std::uint32_t slot) {
  ArticulatedRecord& r = state.articulated[slot];
  r.destination.reset();
  r.swept_coordinates = r.coordinates;
  try {
    r.swept_base = base_now(state, r);
    r.nowhere = false;
  } catch (const Error&) {  // as in `begin_path`
    r.nowhere = true;
  }
  for (const BodyId body : r.bodies) begin_path(state, body.slot);
}

void place_chains(State& state) {
  std::erase_if(state.moved_chains, [&](std::uint32_t slot) {
    return !state.articulated_slots.used(slot) || !state.articulated[slot].moved;
  });
  std::vector<std::pair<Pose, std::vector<Pose>>> placed;  // first all of them: this may throw
  for (const std::uint32_t slot : state.moved_chains) {
    ArticulatedRecord now = state.articulated[slot];
    now.base = base_now(state, now);
    placed.emplace_back(now.base, link_poses(now));
  }
  for (std::size_t i = 0; i < placed.size(); ++i) {
    ArticulatedRecord& r = state.articulated[state.moved_chains[i]];
    r.base = placed[i].first;
    r.moved = false;
    if (r.nowhere) r.swept_base = r.base, r.swept_coordinates = r.coordinates, r.nowhere = false;
    set_link_poses(state, r, placed[i].second);
  }
  state.moved_chains.clear();
}

namespace {

/// Takes over a record with another base or other coordinates: it is moved there. Throws before anything is changed.
void take_over(State& state, std::uint32_t slot, ArticulatedRecord next) {
  next.base = next.held ? next.base : next.local_base;
  const std::vector<Pose> poses = link_poses(next);  // in a frame, this only finds mistakes in the coordinates
  next.destination.reset();
  for (const BodyId body : next.bodies) state.bodies[body.slot].forget_destination();
  const bool in_frame = next.frame != no_slot;
  if (!in_frame) set_link_poses(state, next, poses);
  next.moved = state.articulated[slot].moved && in_frame;
  if (in_frame) next.base = state.articulated[slot].base;  // until it is placed
  state.articulated[slot] = std::move(next);
  if (in_frame) state.mark_chain_moved(slot);
}

/// Recordings have no words for joints of several coordinates and for those that follow others.
void check_recordable(const Chain& chain) {
  for (std::uint32_t i = 0; i < chain.size(); ++i) {
    const Joint& joint = chain.link(LinkId{i}).joint;
    if (coordinates_of(joint.type) > 1 || joint.mimic)
      refuse(ErrorCode::unsupported, "recordings hold no planar and floating joints and none that follow others",
             "link", i);
  }
}

}  // namespace

}  // namespace world

ArticulatedId World::add(const Chain& chain, std::span<const LinkBody> links, std::span<const double> coordinates,
                         const Pose& base, const BodySettings& settings) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  State& s = *state_;
  if (settings.frame) s.get(*settings.frame);
  if (s.recorder) world::check_recordable(chain);
  world::check_margin(settings.margin);
  ArticulatedRecord r;
  r.chain = std::make_shared<const Chain>(chain);
  r.coordinates.assign(coordinates.begin(), coordinates.end());
  r.swept_coordinates = r.coordinates;
  r.local_base = r.base = r.swept_base = base;
  for (const LinkBody& l : links) {
    if (index(l.link) >= chain.size())
      world::refuse(ErrorCode::index_out_of_range, "the chain has only " + std::to_string(chain.size()) + " links",
                    "link", index(l.link));
    world::check_solid(s, l.body, chain.link(l.link).name);
    r.links.push_back(l.link);
  }
  world::check_capacity(s.size, links.size());
  const std::vector<Pose> poses = link_poses(r);
  const world::Slots::Id id = s.articulated_slots.take();
  if (id.slot == s.articulated.size()) s.articulated.emplace_back();
  for (std::size_t i = 0; i < links.size(); ++i) {
    BodySettings own = settings;
    own.frame.reset();  // the base is in the frame, not each link
    own.name += (own.name.empty() ? "" : ".") + chain.link(links[i].link).name;
    const BodyId body = add(links[i].body, poses[i], own);
    s.bodies[body.slot].articulated = id.slot;
    s.bodies[body.slot].link = static_cast<std::uint32_t>(i);
    r.bodies.push_back(body);
  }
  // Parent and child usually overlap at their joint, and bodies of one link move together (Zachmann 7.0.1).
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t j = i + 1; j < links.size(); ++j)
      if (r.links[i] == r.links[j] || chain.neighbours(r.links[i], r.links[j]))
        interest(r.bodies[i], r.bodies[j], false);
  s.articulated[id.slot] = std::move(r);
  if (settings.frame) {
    s.articulated[id.slot].frame = settings.frame->slot;
    s.frames[settings.frame->slot].chains.insert(id.slot);
    s.mark_chain_moved(id.slot);
    world::begin_chain_path(s, id.slot);
  }
  noting.note("add_articulated", chain, links, coordinates, base, settings);
  // What the line of the body's settings does not hold.
  for (const BodyId body : s.articulated[id.slot].bodies) {
    if (settings.trigger) noting.note("trigger", body, true);
    if (settings.margin > 0) noting.note("margin", body, settings.margin);
  }
  return {id.slot, id.generation};
}

void World::move(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  State& s = *state_;
  ArticulatedRecord next = s.get(id);
  next.coordinates.assign(coordinates.begin(), coordinates.end());
  if (base) next.local_base = *base, next.held = false;
  world::take_over(s, id.slot, std::move(next));
  noting.note("move_articulated", id, coordinates, base);
}

void World::teleport(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  move(id, coordinates, base);
  world::begin_chain_path(*state_, id.slot);
  noting.note("teleport_articulated", id, coordinates, base);
}

void World::remove(ArticulatedId id) {
  const Noting noting(*state_);
  State& s = *state_;
  if (const std::uint32_t frame = s.get(id).frame; frame != no_slot) s.frames[frame].chains.erase(id.slot);
  const std::vector<BodyId> links = s.get(id).bodies;
  for (const BodyId body : links) {
    s.bodies[body.slot].articulated = no_slot;
    remove(body);
  }
  s.articulated[id.slot] = {};
  s.articulated_slots.give_back(id.slot);
  noting.note("remove_articulated", id);
}

void World::attach(ArticulatedId id, std::optional<FrameId> frame, const Pose& base) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  State& s = *state_;
  ArticulatedRecord next = s.get(id);
  if (frame) s.get(*frame);
  const std::uint32_t before = next.frame;
  next.frame = frame ? frame->slot : no_slot;
  next.local_base = base;
  next.held = false;
  world::take_over(s, id.slot, std::move(next));
  if (before != no_slot) s.frames[before].chains.erase(id.slot);
  if (frame) s.frames[frame->slot].chains.insert(id.slot);
  noting.note("attach_articulated", id, frame, base);
}

std::vector<BodyId> World::bodies(ArticulatedId id) const {
  const Access access(*state_);
  return state_->get(id).bodies;
}

}  // namespace graze
