// SPDX-License-Identifier: MIT
#include <graze/world/world.hpp>

#include <algorithm>

#include "core/fp_guard.hpp"
#include "world/noting.hpp"

namespace graze {

using world::Access;
using world::BodyRecord;
using world::Noting;
using world::PairKey;
using world::State;

namespace {

world::CallbackPointer shared(ContactCallback callback) {
  return callback ? std::make_shared<const ContactCallback>(std::move(callback)) : nullptr;
}

/// Removes the record of a pair that has no settings or callbacks of its own any more.
void drop_if_plain(State& state, PairKey key) {
  const auto at = state.pairs.find(key);
  const PairSettings& s = at->second.settings;
  if (s.interest || s.method != PairSettings().method || s.tolerance || s.data || at->second.callback) return;
  state.bodies[world::first(key)].pair_partners.erase(world::second(key));
  state.bodies[world::second(key)].pair_partners.erase(world::first(key));
  state.pairs.erase(at);
}

}  // namespace

const char* name(BroadBoxes boxes) {
  switch (boxes) {
    case BroadBoxes::aligned: return "aligned";
    case BroadBoxes::tilted: return "tilted";
    case BroadBoxes::cubes: return "cubes";
  }
  return "unknown";
}

World::World(const WorldOptions& options) : state_(std::make_unique<State>(options)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

BodyId World::add(const Body& body, const Pose& pose, const BodySettings& settings) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  State& s = *state_;
  if (settings.frame) s.get(*settings.frame);
  world::check_solid(s, body, settings.name);
  world::check_margin(settings.margin);
  world::check_capacity(s.size, 1);
  const world::Slots::Id id = s.body_slots.take();
  if (id.slot == s.bodies.size()) s.bodies.emplace_back();
  BodyRecord& r = s.bodies[id.slot];
  r.body = body;
  r.local = r.pose = pose;
  r.settings = settings;
  if (settings.frame) {
    r.frame = settings.frame->slot;
    s.frames[r.frame].bodies.insert(id.slot);
  }
  ++s.size;
  world::begin_path(s, id.slot);
  s.mark_moved(id.slot);
  noting.note("add", body, pose, settings);
  const BodyId added{id.slot, id.generation};
  if (settings.trigger) noting.note("trigger", added, true);
  if (settings.margin > 0) noting.note("margin", added, settings.margin);
  return added;
}

void World::remove(BodyId id) {
  const Noting noting(*state_);
  State& s = *state_;
  BodyRecord& r = s.get(id);
  if (r.articulated != world::no_slot)
    world::refuse(ErrorCode::bad_option, "it is a link of an articulated body; remove that", "body", id.slot);
  for (const std::uint32_t other : r.touching.copy()) {
    const PairKey key = world::key_of(id.slot, other);
    s.departed.push_back(s.delivery(EventKind::ended, key));
    s.forget_contact(key);
  }
  for (const std::uint32_t other : r.pair_partners) {
    s.pairs.erase(world::key_of(id.slot, other));
    s.bodies[other].pair_partners.erase(id.slot);
  }
  if (r.frame != world::no_slot) s.frames[r.frame].bodies.erase(id.slot);
  if (r.placed) s.broad.remove(id.slot);
  if (r.swept_placed) s.swept_broad->remove(id.slot);
  r = BodyRecord{};
  s.body_slots.give_back(id.slot);
  --s.size;
  noting.note("remove", id);
}

bool World::has(BodyId id) const {
  const Access access(*state_);
  return state_->body_slots.has(id.slot, id.generation);
}

std::size_t World::size() const {
  const Access access(*state_);
  return state_->size;
}

std::vector<BodyId> World::bodies() const {
  const Access access(*state_);
  std::vector<BodyId> out;
  for (std::uint32_t slot = 0; slot < state_->body_slots.end(); ++slot)
    if (state_->body_slots.used(slot)) out.push_back(state_->id(slot));
  return out;
}

void World::move(BodyId id, const Pose& pose) {
  const Noting noting(*state_);
  BodyRecord& r = state_->get(id);
  if (r.articulated != world::no_slot)
    world::refuse(ErrorCode::bad_option, "it is a link of an articulated body; move that by its coordinates", "body",
                  id.slot);
  r.local = pose;
  r.held.reset();
  r.forget_destination();
  state_->mark_moved(id.slot);
  noting.note("move", id, pose);
}

void World::teleport(BodyId id, const Pose& pose) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  move(id, pose);
  world::begin_path(*state_, id.slot);
  noting.note("teleport", id, pose);
}

Pose World::pose(BodyId id) const {
  const Access access(*state_);
  const core::FpGuard guard;
  state_->get(id);
  return world::pose_now(*state_, id.slot);
}

Body World::body(BodyId id) const {
  const Access access(*state_);
  return *state_->get(id).body;
}

std::string World::name(BodyId id) const {
  const Access access(*state_);
  return state_->get(id).settings.name;
}

void* World::data(BodyId id) const {
  const Access access(*state_);
  return state_->get(id).settings.data;
}

void World::interest(BodyId id, bool wanted) {
  const Noting noting(*state_);
  state_->get(id).settings.interest = wanted;
  state_->mark_moved(id.slot);
  noting.note("interest", id, wanted);
}

void World::groups(BodyId id, std::uint32_t group, std::uint32_t mask) {
  const Noting noting(*state_);
  BodyRecord& r = state_->get(id);
  r.settings.group = group;
  r.settings.mask = mask;
  state_->mark_moved(id.slot);
  noting.note("groups", id, group, mask);
}

void World::trigger(BodyId id, bool is_trigger) {
  const Noting noting(*state_);
  state_->get(id).settings.trigger = is_trigger;
  state_->mark_moved(id.slot);
  noting.note("trigger", id, is_trigger);
}

void World::margin(BodyId id, double distance) {
  const Noting noting(*state_);
  BodyRecord& r = state_->get(id);
  world::check_margin(distance);
  r.settings.margin = distance;
  state_->mark_moved(id.slot);
  noting.note("margin", id, distance);
}

void World::interest(BodyId a, BodyId b, bool wanted) {
  const Noting noting(*state_);
  PairSettings settings = pair(a, b);
  settings.interest = wanted;
  set_pair(a, b, settings);
  noting.note("pair_interest", a, b, wanted);
}

void World::set_pair(BodyId a, BodyId b, const PairSettings& settings) {
  const Noting noting(*state_);
  world::check_pair(a, b, settings);
  state_->pair_record(a, b).settings = settings;
  const PairKey key = world::key_of(a.slot, b.slot);
  state_->again.insert(key);
  state_->sweep_again.insert(key);
  if (state_->near_memory.d) state_->near_memory.again.insert(key);
  drop_if_plain(*state_, key);
  noting.note("set_pair", a, b, settings);
}

PairSettings World::pair(BodyId a, BodyId b) const {
  const Access access(*state_);
  state_->get(a);
  state_->get(b);
  const world::PairRecord* own = state_->find_pair(world::key_of(a.slot, b.slot));
  return own ? own->settings : PairSettings{};
}

void World::on_contact(ContactCallback callback) {
  const Access access(*state_);
  state_->callback = shared(std::move(callback));
}

void World::on_contact(BodyId id, ContactCallback callback) {
  const Access access(*state_);
  state_->get(id).callback = shared(std::move(callback));
}

void World::on_contact(BodyId a, BodyId b, ContactCallback callback) {
  const Access access(*state_);
  state_->pair_record(a, b).callback = shared(std::move(callback));
  drop_if_plain(*state_, world::key_of(a.slot, b.slot));
}

std::uint64_t World::frame() const {
  const Access access(*state_);
  return state_->frame;
}

std::size_t World::coherent_pairs() const { return state_->coherences.size(); }
std::string_view World::broad_method() const { return state_->broad.method(); }
BroadCounters World::broad_counters() const { return state_->broad.counters(); }

void World::record(const std::string& file) {
  world::State& s = *state_;
  if (s.body_slots.end() || s.frame_slots.end() || s.frame)
    world::refuse(ErrorCode::bad_option,
                  "a recording begins with an empty world: start it before anything is added or asked");
  s.recorder = std::make_unique<world::Recorder>(file, s.options);
}

}  // namespace graze
