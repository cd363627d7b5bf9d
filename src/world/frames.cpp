// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/fp_guard.hpp"
#include "world/noting.hpp"

namespace graze {

using world::Access;
using world::FrameRecord;
using world::no_slot;
using world::Noting;
using world::State;

namespace world {

FrameRecord& State::get(FrameId frame_id) {
  if (!frame_slots.has(frame_id.slot, frame_id.generation))
    refuse(ErrorCode::index_out_of_range,
           "there is no frame with generation " + std::to_string(frame_id.generation) +
               " in this slot: it was removed, or is of another world",
           "frame", frame_id.slot);
  return frames[frame_id.slot];
}

void State::mark_chain_moved(std::uint32_t slot) {
  if (articulated[slot].moved) return;
  articulated[slot].moved = true;
  moved_chains.push_back(slot);
}

void State::mark_frame_moved(std::uint32_t slot) {
  if (frames[slot].moved) return;
  frames[slot].moved = true;
  moved_frames.push_back(slot);
}

namespace {

/// Calls `visit` for the frame and all frames below it, parents first. Not recursive: frames may be nested deeply.
template <class Visit>
void for_all_below(State& state, std::uint32_t frame, Visit&& visit) {
  std::vector<std::uint32_t> open{frame};
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    visit(next);
    for (const std::uint32_t child : state.frames[next].frames) open.push_back(child);
  }
}

}  // namespace

}  // namespace world

FrameId World::add_frame(const Pose& pose, std::optional<FrameId> parent) {
  const Noting noting(*state_);
  State& s = *state_;
  if (parent) s.get(*parent);
  const world::Slots::Id id = s.frame_slots.take();
  if (id.slot == s.frames.size()) s.frames.emplace_back();
  FrameRecord& f = s.frames[id.slot];
  f.local = f.pose = pose;
  if (parent) {
    f.parent = parent->slot;
    f.depth = s.frames[parent->slot].depth + 1;
    s.frames[parent->slot].frames.insert(id.slot);
  }
  s.mark_frame_moved(id.slot);
  noting.note("add_frame", pose, parent);
  return {id.slot, id.generation};
}

void World::remove_frame(FrameId id) {
  const Noting noting(*state_);
  State& s = *state_;
  FrameRecord& f = s.get(id);
  if (!f.frames.empty() || !f.bodies.empty() || !f.chains.empty())
    world::refuse(ErrorCode::bad_option,
                  std::to_string(f.frames.size()) + " frames and " + std::to_string(f.bodies.size() + f.chains.size()) +
                      " bodies are still attached to it; remove them or attach them elsewhere first",
                  "frame", id.slot);
  if (f.parent != no_slot) s.frames[f.parent].frames.erase(id.slot);
  f = FrameRecord{};
  s.frame_slots.give_back(id.slot);
  noting.note("remove_frame", id);
}

void World::move(FrameId id, const Pose& pose) {
  const Noting noting(*state_);
  state_->get(id).local = pose;
  state_->mark_frame_moved(id.slot);
  noting.note("move_frame", id, pose);
}

void World::teleport(FrameId id, const Pose& pose) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  move(id, pose);
  world::for_all_below(*state_, id.slot, [&](std::uint32_t frame) {
    for (const std::uint32_t body : state_->frames[frame].bodies) world::begin_path(*state_, body);
    for (const std::uint32_t chain : state_->frames[frame].chains) world::begin_chain_path(*state_, chain);
  });
  noting.note("teleport_frame", id, pose);
}

void World::attach(FrameId id, std::optional<FrameId> parent, const Pose& pose) {
  const Noting noting(*state_);
  State& s = *state_;
  FrameRecord& f = s.get(id);
  if (parent) s.get(*parent);
  for (std::uint32_t up = parent ? parent->slot : no_slot; up != no_slot; up = s.frames[up].parent)
    if (up == id.slot)
      world::refuse(ErrorCode::bad_option, "the new parent is this frame or is attached to it; detach that first",
                    "frame", id.slot);
  if (f.parent != no_slot) s.frames[f.parent].frames.erase(id.slot);
  f.parent = parent ? parent->slot : no_slot;
  if (parent) s.frames[f.parent].frames.insert(id.slot);
  world::for_all_below(s, id.slot, [&](std::uint32_t frame) {
    const std::uint32_t above = s.frames[frame].parent;
    s.frames[frame].depth = above == no_slot ? 0 : s.frames[above].depth + 1;
  });
  f.local = pose;
  s.mark_frame_moved(id.slot);
  noting.note("attach_frame", id, parent, pose);
}

Pose World::pose(FrameId id) const {
  const Access access(*state_);
  const core::FpGuard guard;
  state_->get(id);
  return world::frame_pose_now(*state_, id.slot);
}

void World::attach(BodyId id, std::optional<FrameId> frame, const Pose& pose) {
  const Noting noting(*state_);
  State& s = *state_;
  world::BodyRecord& r = s.get(id);
  if (frame) s.get(*frame);
  if (r.articulated != no_slot)
    world::refuse(ErrorCode::bad_option, "it is a link of an articulated body; attach that", "body", id.slot);
  if (r.frame != no_slot) s.frames[r.frame].bodies.erase(id.slot);
  r.frame = frame ? frame->slot : no_slot;
  r.settings.frame = frame;
  if (frame) s.frames[r.frame].bodies.insert(id.slot);
  r.local = pose;
  r.held.reset();
  r.forget_destination();
  s.mark_moved(id.slot);
  noting.note("hang", id, frame, pose);
}

}  // namespace graze
