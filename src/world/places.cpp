// SPDX-License-Identifier: MIT
#include <algorithm>

#include "body/body_data.hpp"
#include "core/parallel.hpp"
#include "world/placed_box.hpp"
#include "world/state.hpp"

namespace graze::world {

/// Sums of finite numbers may overflow; this throws.
Pose carried(const Pose& parent, const Pose& local, const char* what, std::uint32_t slot) try {
  return composed(parent, local);
} catch (const Error& error) {
  refuse(error.detail().code, "the frames above carry it beyond the largest number there is; move one of them nearer",
         what, slot);
}

Pose relative_to(const Pose& frame, const Pose& pose) try {
  const Quat q = frame.rotation();
  return composed(Pose({}, {q.w, -q.x, -q.y, -q.z}), Pose(pose.translation() - frame.translation(), pose.rotation()));
} catch (const Error&) {
  return {};  // it stays where it is until the frame moves
}

namespace {

/// Loops over many small pieces of work use chunks that cost more than their scheduling.
constexpr std::size_t chunk = 64;

template <class Work>
void in_chunks(std::size_t count, int threads, Work&& work) {
  core::parallel_for((count + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) work(i);
  });
}

/// Computes the poses of the frames of one level, then marks their children as moved.
void place_level(State& state, const std::vector<std::uint32_t>& level, std::vector<std::uint32_t>& below) {
  in_chunks(level.size(), state.options.threads, [&](std::size_t i) {
    FrameRecord& f = state.frames[level[i]];
    f.pose = f.parent == no_slot ? f.local : carried(state.frames[f.parent].pose, f.local, "frame", level[i]);
  });
  below.clear();
  for (const std::uint32_t slot : level) {
    FrameRecord& f = state.frames[slot];
    f.moved = false;
    for (const std::uint32_t child : f.frames) {
      if (state.frames[child].moved) continue;  // already listed with the frames of its level
      state.frames[child].moved = true;
      below.push_back(child);
    }
    for (const std::uint32_t body : f.bodies) {
      state.bodies[body].held.reset();
      state.bodies[body].forget_destination();
      state.mark_moved(body);
    }
    for (const std::uint32_t chain : f.chains) {
      state.articulated[chain].held = false;
      state.articulated[chain].destination.reset();
      for (const BodyId link : state.articulated[chain].bodies) state.bodies[link.slot].destination_body.reset();
      state.mark_chain_moved(chain);
    }
  }
}

/// Zachmann 6.0.1: top down, level by level. Within a level nothing depends on anything else in it.
void place_frames(State& state) {
  std::vector<std::uint32_t> moved = state.moved_frames;
  std::erase_if(moved, [&](std::uint32_t f) { return !state.frame_slots.used(f) || !state.frames[f].moved; });
  const auto depth = [&](std::uint32_t f) { return state.frames[f].depth; };
  std::sort(moved.begin(), moved.end(),
            [&](std::uint32_t x, std::uint32_t y) { return depth(x) != depth(y) ? depth(x) < depth(y) : x < y; });
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  std::vector<std::uint32_t> level, below;
  try {
    for (std::size_t next = 0; next < moved.size() || !below.empty();) {
      level.swap(below);
      const std::uint32_t d = level.empty() ? depth(moved[next]) : depth(level[0]);
      for (; next < moved.size() && depth(moved[next]) == d; ++next) level.push_back(moved[next]);
      place_level(state, level, below);
    }
  } catch (...) {  // restore the state before placing: the list is unchanged, and exactly the frames on it are marked
    for (const std::uint32_t f : level) state.frames[f].moved = false;
    for (const std::uint32_t f : moved) state.frames[f].moved = true;
    throw;
  }
  state.moved_frames.clear();
}

/// The box for the broad phase.
Box3 box_of(const State& state, BodyRecord& r, const Pose& pose) {
  const double margin = r.settings.margin;
  // In any orientation, what is within the margin of the body is in this box.
  const Box3 local = margin > 0 ? widened(r.body->box(), margin) : r.body->box();
  if (state.options.boxes != BroadBoxes::cubes) return placed_box(local, pose);
  // A curved shape is inside the box that its data hold as a mesh; a half-space is everywhere.
  if (!r.radius) r.radius = r.body->data().is_half_space() ? 0x1p1001 : radius_of(r.body->data().mesh);
  return placed_cube(local, *r.radius + margin, pose);
}

}  // namespace

Pose frame_pose_now(const State& state, std::uint32_t frame) {
  std::vector<std::uint32_t> up;
  for (std::uint32_t f = frame; f != no_slot; f = state.frames[f].parent) up.push_back(f);
  Pose pose = state.frames[up.back()].local;
  for (std::size_t i = up.size() - 1; i-- > 0;) pose = carried(pose, state.frames[up[i]].local, "frame", up[i]);
  return pose;
}

Pose pose_now(const State& state, std::uint32_t slot) {
  const BodyRecord& r = state.bodies[slot];
  if (r.articulated != no_slot) {
    const ArticulatedRecord& a = state.articulated[r.articulated];
    if (!a.moved && !has_moved_frame(state, a.frame)) return r.local;
    ArticulatedRecord now = a;
    now.base = base_now(state, a);
    return link_poses(now)[r.link];
  }
  if (r.held && !is_carried_on(state, slot)) return *r.held;
  return r.frame == no_slot ? r.local : carried(frame_pose_now(state, r.frame), r.local, "body", slot);
}

bool has_moved_frame(const State& state, std::uint32_t frame) {
  for (std::uint32_t f = frame; f != no_slot; f = state.frames[f].parent)
    if (state.frames[f].moved) return true;
  return false;
}

bool is_carried_on(const State& state, std::uint32_t slot) {
  const BodyRecord& r = state.bodies[slot];
  return has_moved_frame(state, r.articulated == no_slot ? r.frame : state.articulated[r.articulated].frame);
}

void begin_path(State& state, std::uint32_t slot) {
  BodyRecord& r = state.bodies[slot];
  r.swept_body.reset();
  r.forget_destination();
  try {
    r.swept_from = pose_now(state, slot);
    r.nowhere = false;
  } catch (const Error&) {
    // Do not refuse the body: the frames may be corrected before the next query. If they are not, that query is
    // refused.
    r.nowhere = true;
  }
}

std::vector<std::uint32_t> take(State& state, std::vector<std::uint32_t>& list, bool BodyRecord::*flag) {
  std::vector<std::uint32_t> out;
  out.swap(list);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  // Drop bodies removed in the meantime: their slots may be reused.
  std::erase_if(out, [&](std::uint32_t s) { return !state.body_slots.used(s) || !(state.bodies[s].*flag); });
  for (const std::uint32_t s : out) state.bodies[s].*flag = false;
  return out;
}

void place_moved(State& state, WorldCounters& counters) {
  place_frames(state);
  place_chains(state);
  const std::vector<std::uint32_t> front = take(state, state.moved, &BodyRecord::moved);
  std::vector<Pose> poses(front.size());
  std::vector<Box3> boxes(front.size());
  std::vector<std::optional<TiltedBox>> tilted(state.options.boxes == BroadBoxes::tilted ? front.size() : 0);
  try {
    in_chunks(front.size(), state.options.threads, [&](std::size_t i) {
      BodyRecord& r = state.bodies[front[i]];
      poses[i] = r.held               ? *r.held
                 : r.frame == no_slot ? r.local
                                      : carried(state.frames[r.frame].pose, r.local, "body", front[i]);
      boxes[i] = box_of(state, r, poses[i]);
      if (!tilted.empty()) tilted[i] = tilted_box(widened(r.body->box(), r.settings.margin), poses[i]);
    });
  } catch (...) {
    for (const std::uint32_t slot : front) state.mark_moved(slot);
    throw;
  }
  // Sequentially and in order: Zachmann 6.2 also keeps the spatial index in one process.
  for (std::size_t i = 0; i < front.size(); ++i) {
    BodyRecord& r = state.bodies[front[i]];
    r.pose = poses[i];
    if (r.nowhere) r.swept_from = r.pose, r.nowhere = false;
    if (r.placed)
      state.broad.update(front[i], boxes[i]);
    else
      state.broad.insert(front[i], boxes[i]);
    if (!tilted.empty() && tilted[i]) state.broad.tilt(front[i], *tilted[i]);
    r.placed = true;
    if (!r.to_check) state.to_check.push_back(front[i]);
    if (!r.to_sweep) state.to_sweep.push_back(front[i]);
    r.to_check = r.to_sweep = true;
    if (state.near_memory.d && !r.to_near) state.near_memory.placed.push_back(front[i]), r.to_near = true;
  }
  counters.bodies_placed += front.size();
}

}  // namespace graze::world
