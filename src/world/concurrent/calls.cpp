// SPDX-License-Identifier: MIT
// The calls that the application makes on a ConcurrentWorld. They are queued for the detector thread.
#include "world/concurrent/shared.hpp"

namespace graze {

using world::no_slot;

namespace {

/// How many positions `deform` needs; a shape without a mesh cannot be deformed.
std::size_t vertex_count(const Body& body) { return body.has_mesh() ? body.mesh().vertex_count() : 0; }

}  // namespace

ConcurrentWorld::Shared& ConcurrentWorld::Shared::from_application() {
  if (world::in_callback_of(*world.state_))
    world::refuse(ErrorCode::bad_option,
                  "a callback must not call the world that it belongs to: it runs beside the application; keep what it "
                  "learnt, and make the call from the application's thread");
  return *this;
}

BodyId ConcurrentWorld::Shared::take_body(const Body& body, std::uint32_t attached_to) {
  const world::Slots::Id id = body_slots.take();
  ++size;
  if (id.slot >= bodies.size()) bodies.resize(id.slot + 1);
  bodies[id.slot] = {};
  bodies[id.slot].vertices = vertex_count(body);
  attach(bodies[id.slot], attached_to);
  return {id.slot, id.generation};
}

void ConcurrentWorld::Shared::give_back_body(BodyId id) {
  attach(bodies[id.slot], no_slot);
  body_slots.give_back(id.slot);
  --size;
}

template <class Entry>
void ConcurrentWorld::Shared::attach(Entry& entry, std::uint32_t frame_slot) {
  if (entry.attached_to != no_slot) --frame_entries[entry.attached_to].attached_count;
  if (frame_slot != no_slot) ++frame_entries[frame_slot].attached_count;
  entry.attached_to = frame_slot;
}

void ConcurrentWorld::Shared::check_body(BodyId id) const {
  if (!body_slots.has(id.slot, id.generation))
    world::refuse(ErrorCode::index_out_of_range,
                  "there is no body with generation " + std::to_string(id.generation) +
                      " in this slot: it was removed, or belongs to another world; has(id) tells",
                  "body", id.slot);
}

void ConcurrentWorld::Shared::check_own(BodyId id) const {
  check_body(id);
  if (bodies[id.slot].link)
    world::refuse(ErrorCode::bad_option, "it is a link of an articulated body; move or remove that", "body", id.slot);
}

void ConcurrentWorld::Shared::check_articulated(ArticulatedId id) const {
  if (!articulated_slots.has(id.slot, id.generation))
    world::refuse(ErrorCode::index_out_of_range, "there is no such articulated body: it was removed",
                  "articulated body", id.slot);
}

void ConcurrentWorld::Shared::check_frame(FrameId id) const {
  if (!frame_slots.has(id.slot, id.generation))
    world::refuse(ErrorCode::index_out_of_range, "there is no such frame: it was removed, or is of another world",
                  "frame", id.slot);
}

BodyId ConcurrentWorld::add(const Body& body, const Pose& pose, const BodySettings& settings) {
  Shared& s = shared_->from_application();
  if (settings.frame) s.check_frame(*settings.frame);
  world::check_margin(settings.margin);
  world::check_solid(*s.world.state_, body, settings.name);
  world::check_capacity(s.size, 1);
  s.change([body, pose, settings](World& w) { w.add(body, pose, settings); });
  return s.take_body(body, settings.frame ? settings.frame->slot : no_slot);
}

void ConcurrentWorld::remove(BodyId id) {
  shared_->from_application().check_own(id);
  shared_->give_back_body(id);
  shared_->change([id](World& w) { w.remove(id); });
}

bool ConcurrentWorld::has(BodyId id) const {
  return shared_->from_application().body_slots.has(id.slot, id.generation);
}

void ConcurrentWorld::move(BodyId id, const Pose& pose) {
  Shared& s = shared_->from_application();
  s.check_own(id);
  Shared::BodyEntry& entry = s.bodies[id.slot];
  const std::uint64_t now = s.posted_number + 1;
  if (entry.frame == now) {
    *entry.move = pose;
    return;
  }
  entry.frame = now;
  entry.move = &std::get<world::MoveBody>(s.frame->changes.emplace_back(world::MoveBody{id, pose})).pose;
}

void ConcurrentWorld::teleport(BodyId id, const Pose& pose) {
  shared_->from_application().check_own(id);
  shared_->bodies[id.slot].frame = 0;  // a later move is a separate change
  shared_->change([id, pose](World& w) { w.teleport(id, pose); });
}

void ConcurrentWorld::deform(BodyId id, std::vector<Vec3> positions) {
  shared_->from_application().check_body(id);
  if (positions.size() != shared_->bodies[id.slot].vertices)
    world::refuse(ErrorCode::bad_option,
                  "a deformed body keeps its polygons and needs as many positions as it has vertices, " +
                      std::to_string(shared_->bodies[id.slot].vertices) + ", not " + std::to_string(positions.size()),
                  "body", id.slot);
  shared_->change([id, p = std::move(positions)](World& w) { w.deform(id, p); });
}

void ConcurrentWorld::replace(BodyId id, const Body& body) {
  shared_->from_application().check_body(id);
  world::check_solid(*shared_->world.state_, body, {});
  shared_->bodies[id.slot].vertices = vertex_count(body);
  shared_->bodies[id.slot].frame = 0;  // its path starts at its present pose: a later move is a separate change
  shared_->change([id, body](World& w) { w.replace(id, body); });
}

std::vector<BodyId> ConcurrentWorld::break_up(BodyId id, std::span<const Body> pieces) {
  Shared& s = shared_->from_application();
  s.check_own(id);
  for (const Body& piece : pieces) world::check_solid(*s.world.state_, piece, {});
  world::check_capacity(s.size - 1, pieces.size());
  const std::uint32_t attached_to = s.bodies[id.slot].attached_to;
  s.give_back_body(id);
  s.change([id, all = std::vector<Body>(pieces.begin(), pieces.end())](World& w) { w.break_up(id, all); });
  std::vector<BodyId> out;
  for (const Body& piece : pieces) out.push_back(s.take_body(piece, attached_to));
  return out;
}

ArticulatedId ConcurrentWorld::add(const Chain& chain, std::span<const LinkBody> links,
                                   std::span<const double> coordinates, const Pose& base,
                                   const BodySettings& settings) {
  Shared& s = shared_->from_application();
  world::check_capacity(s.size, links.size());
  if (settings.frame) s.check_frame(*settings.frame);
  // Try the call on a temporary world: errors are reported here, at once.
  BodySettings without_frame = settings;
  without_frame.frame.reset();
  World(WorldOptions{.broad = "all_pairs", .solid = s.options.world.solid})
      .add(chain, links, coordinates, base, without_frame);
  const world::Slots::Id id = s.articulated_slots.take();
  if (id.slot >= s.articulated.size()) s.articulated.resize(id.slot + 1);
  Shared::Articulated& a = s.articulated[id.slot];
  a = {std::make_shared<const Chain>(chain), {}, no_slot};
  s.attach(a, settings.frame ? settings.frame->slot : no_slot);
  for (const LinkBody& l : links) {
    a.bodies.push_back(s.take_body(l.body));
    s.bodies[a.bodies.back().slot].link = true;
  }
  s.change([c = a.chain, l = std::vector<LinkBody>(links.begin(), links.end()),
            q = std::vector<double>(coordinates.begin(), coordinates.end()), base,
            settings](World& w) { w.add(*c, l, q, base, settings); });
  return {id.slot, id.generation};
}

void ConcurrentWorld::move(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base) {
  Shared& s = shared_->from_application();
  s.check_articulated(id);
  if (s.articulated[id.slot].chain->size() > 0)
    s.articulated[id.slot].chain->link_motion(LinkId{0}, coordinates, coordinates);  // throws as the world would
  s.change(
      [id, q = std::vector<double>(coordinates.begin(), coordinates.end()), base](World& w) { w.move(id, q, base); });
}

void ConcurrentWorld::teleport(ArticulatedId id, std::span<const double> coordinates, const std::optional<Pose>& base) {
  Shared& s = shared_->from_application();
  s.check_articulated(id);
  if (s.articulated[id.slot].chain->size() > 0)
    s.articulated[id.slot].chain->link_motion(LinkId{0}, coordinates, coordinates);  // throws as the world would
  s.change([id, q = std::vector<double>(coordinates.begin(), coordinates.end()), base](World& w) {
    w.teleport(id, q, base);
  });
}

void ConcurrentWorld::remove(ArticulatedId id) {
  Shared& s = shared_->from_application();
  s.check_articulated(id);
  for (const BodyId body : s.articulated[id.slot].bodies) s.give_back_body(body);
  s.attach(s.articulated[id.slot], no_slot);
  s.articulated[id.slot] = {};
  s.articulated_slots.give_back(id.slot);
  s.change([id](World& w) { w.remove(id); });
}

std::vector<BodyId> ConcurrentWorld::bodies(ArticulatedId id) const {
  shared_->from_application().check_articulated(id);
  return shared_->articulated[id.slot].bodies;
}

FrameId ConcurrentWorld::add_frame(const Pose& pose, std::optional<FrameId> parent) {
  Shared& s = shared_->from_application();
  if (parent) s.check_frame(*parent);
  const world::Slots::Id id = s.frame_slots.take();
  if (id.slot >= s.frame_entries.size()) s.frame_entries.resize(id.slot + 1);
  s.frame_entries[id.slot] = {parent ? parent->slot : no_slot, 0};
  if (parent) ++s.frame_entries[parent->slot].attached_count;
  s.change([pose, parent](World& w) { w.add_frame(pose, parent); });
  return {id.slot, id.generation};
}

void ConcurrentWorld::remove_frame(FrameId id) {
  Shared& s = shared_->from_application();
  s.check_frame(id);
  const Shared::FrameEntry& entry = s.frame_entries[id.slot];
  if (entry.attached_count > 0)
    world::refuse(ErrorCode::bad_option,
                  std::to_string(entry.attached_count) +
                      " frames and bodies are still attached to it; remove them or attach them elsewhere first",
                  "frame", id.slot);
  if (entry.parent != no_slot) --s.frame_entries[entry.parent].attached_count;
  s.frame_slots.give_back(id.slot);
  s.change([id](World& w) { w.remove_frame(id); });
}

void ConcurrentWorld::move(FrameId id, const Pose& pose) {
  shared_->from_application().check_frame(id);
  shared_->change([id, pose](World& w) { w.move(id, pose); });
}

void ConcurrentWorld::teleport(FrameId id, const Pose& pose) {
  shared_->from_application().check_frame(id);
  shared_->change([id, pose](World& w) { w.teleport(id, pose); });
}

void ConcurrentWorld::attach(FrameId id, std::optional<FrameId> parent, const Pose& pose) {
  Shared& s = shared_->from_application();
  s.check_frame(id);
  if (parent) s.check_frame(*parent);
  for (std::uint32_t up = parent ? parent->slot : no_slot; up != no_slot; up = s.frame_entries[up].parent)
    if (up == id.slot)
      world::refuse(ErrorCode::bad_option, "the new parent is this frame or is attached to it; detach that first",
                    "frame", id.slot);
  std::uint32_t& old = s.frame_entries[id.slot].parent;
  if (old != no_slot) --s.frame_entries[old].attached_count;
  old = parent ? parent->slot : no_slot;
  if (parent) ++s.frame_entries[parent->slot].attached_count;
  s.change([id, parent, pose](World& w) { w.attach(id, parent, pose); });
}

void ConcurrentWorld::attach(BodyId id, std::optional<FrameId> frame, const Pose& pose) {
  Shared& s = shared_->from_application();
  s.check_own(id);
  if (frame) s.check_frame(*frame);
  s.attach(s.bodies[id.slot], frame ? frame->slot : no_slot);
  s.change([id, frame, pose](World& w) { w.attach(id, frame, pose); });
  s.bodies[id.slot].frame = 0;  // a later move is a separate change
}

void ConcurrentWorld::attach(ArticulatedId id, std::optional<FrameId> frame, const Pose& base) {
  Shared& s = shared_->from_application();
  s.check_articulated(id);
  if (frame) s.check_frame(*frame);
  s.attach(s.articulated[id.slot], frame ? frame->slot : no_slot);
  s.change([id, frame, base](World& w) { w.attach(id, frame, base); });
}

void ConcurrentWorld::interest(BodyId id, bool wanted) {
  shared_->from_application().check_body(id);
  shared_->change([id, wanted](World& w) { w.interest(id, wanted); });
}

void ConcurrentWorld::interest(BodyId a, BodyId b, bool wanted) {
  shared_->from_application().check_body(a);
  shared_->check_body(b);
  world::check_pair(a, b, {});
  shared_->change([a, b, wanted](World& w) { w.interest(a, b, wanted); });
}

void ConcurrentWorld::groups(BodyId id, std::uint32_t group, std::uint32_t mask) {
  shared_->from_application().check_body(id);
  shared_->change([id, group, mask](World& w) { w.groups(id, group, mask); });
}

void ConcurrentWorld::trigger(BodyId id, bool is_trigger) {
  shared_->from_application().check_body(id);
  shared_->change([id, is_trigger](World& w) { w.trigger(id, is_trigger); });
}

void ConcurrentWorld::margin(BodyId id, double distance) {
  shared_->from_application().check_body(id);
  world::check_margin(distance);
  shared_->change([id, distance](World& w) { w.margin(id, distance); });
}

void ConcurrentWorld::set_pair(BodyId a, BodyId b, const PairSettings& settings) {
  shared_->from_application().check_body(a);
  shared_->check_body(b);
  world::check_pair(a, b, settings);
  shared_->change([a, b, settings](World& w) { w.set_pair(a, b, settings); });
}

void ConcurrentWorld::on_contact(ContactCallback callback) {
  shared_->from_application().change([callback = std::move(callback)](World& w) { w.on_contact(callback); });
}

void ConcurrentWorld::on_contact(BodyId id, ContactCallback callback) {
  shared_->from_application().check_body(id);
  shared_->change([id, callback = std::move(callback)](World& w) { w.on_contact(id, callback); });
}

void ConcurrentWorld::on_contact(BodyId a, BodyId b, ContactCallback callback) {
  shared_->from_application().check_body(a);
  shared_->check_body(b);
  world::check_pair(a, b, {});
  shared_->change([a, b, callback = std::move(callback)](World& w) { w.on_contact(a, b, callback); });
}

void ConcurrentWorld::record(const std::string& file) {
  shared_->from_application().change([file](World& w) { w.record(file); });
}

}  // namespace graze
