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

/// World poses of the links. Throws before anything is changed.
std::vector<Pose> link_poses(const ArticulatedRecord& r) {
  const Chain chain = on_base(*r.chain, Still{r.base});
  std::vector<Pose> out;
  for (const LinkId link : r.links) out.push_back(pose_of(chain.link_motion(link, r.coordinates, r.coordinates).at(0)));
  return out;
}

}  // namespace world

ArticulatedId World::add(const Chain& chain, std::span<const LinkBody> links, std::span<const double> coordinates,
                         const Pose& base, const BodySettings& settings) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  State& s = *state_;
  if (settings.frame)
    world::refuse(ErrorCode::bad_option, "an articulated body has its own base and cannot be attached to a frame");
  world::check_margin(settings.margin);
  ArticulatedRecord r;
  r.chain = std::make_shared<const Chain>(chain);
  r.coordinates.assign(coordinates.begin(), coordinates.end());
  r.swept_coordinates = r.coordinates;
  r.base = r.swept_base = base;
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
  if (base) next.base = *base;
  next.destination.reset();
  const std::vector<Pose> poses = link_poses(next);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    s.bodies[next.bodies[i].slot].local = poses[i];
    s.mark_moved(next.bodies[i].slot);
  }
  s.articulated[id.slot] = std::move(next);
  noting.note("move_articulated", id, coordinates, base);
}

void World::teleport(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  move(id, coordinates, base);
  ArticulatedRecord& r = state_->get(id);
  r.swept_coordinates = r.coordinates;
  r.swept_base = r.base;
  for (const BodyId body : r.bodies) world::begin_path(*state_, body.slot);
  noting.note("teleport_articulated", id, coordinates, base);
}

void World::remove(ArticulatedId id) {
  const Noting noting(*state_);
  State& s = *state_;
  const std::vector<BodyId> links = s.get(id).bodies;
  for (const BodyId body : links) {
    s.bodies[body.slot].articulated = no_slot;
    remove(body);
  }
  s.articulated[id.slot] = {};
  s.articulated_slots.give_back(id.slot);
  noting.note("remove_articulated", id);
}

std::vector<BodyId> World::bodies(ArticulatedId id) const {
  const Access access(*state_);
  return state_->get(id).bodies;
}

}  // namespace graze
