// SPDX-License-Identifier: MIT
#include <vector>

#include "core/fp_guard.hpp"
#include "world/noting.hpp"

namespace graze {

using world::BodyRecord;
using world::Noting;
using world::State;

void World::deform(BodyId id, std::span<const Vec3> positions) {
  const Noting noting(*state_);
  State& s = *state_;
  BodyRecord& r = s.get(id);
  const Mesh& old = r.body->mesh();
  if (positions.size() != old.vertex_count())
    world::refuse(ErrorCode::bad_option,
                  "a deformed body keeps its polygons and needs as many positions as it has vertices, " +
                      std::to_string(old.vertex_count()) + ", not " + std::to_string(positions.size()) +
                      "; use replace() for another mesh",
                  "body", id.slot);
  Body next = r.body->deformed(positions, {.threads = s.options.threads});
  ++(next.is_refitted() ? s.counted.trees_refitted : s.counted.trees_rebuilt);
  if (!r.swept_body) r.swept_body = r.body;
  r.forget_destination();
  r.body = std::move(next);
  r.radius.reset();
  s.mark_moved(id.slot);
  noting.note("deform", id, positions);
}

void World::replace(BodyId id, const Body& body) {
  const Noting noting(*state_);
  const core::FpGuard guard;
  State& s = *state_;
  BodyRecord& r = s.get(id);
  world::check_solid(s, body, r.settings.name);
  r.body = body;
  r.radius.reset();
  // There is no path from one mesh to another: a sweep sees only the new mesh, at its present pose.
  world::begin_path(s, id.slot);
  s.mark_moved(id.slot);
  noting.note("replace", id, body);
}

std::vector<BodyId> World::break_up(BodyId id, std::span<const Body> pieces) {
  const Noting noting(*state_);
  State& s = *state_;
  const BodyRecord& r = s.get(id);
  if (r.articulated != world::no_slot)
    world::refuse(ErrorCode::bad_option, "it is a link of an articulated body, which cannot break; replace() it",
                  "body", id.slot);
  for (const Body& piece : pieces) world::check_solid(s, piece, r.settings.name);
  world::check_capacity(s.size - 1, pieces.size());
  const BodySettings settings = r.settings;
  const Pose local = r.local;
  const std::optional<Pose> held = r.held;
  remove(id);
  std::vector<BodyId> out;
  for (const Body& piece : pieces) {
    out.push_back(add(piece, local, settings));
    if (!held) continue;
    s.bodies[out.back().slot].held = held;
    world::begin_path(s, out.back().slot);
  }
  noting.note("break_up", id, pieces);
  return out;
}

}  // namespace graze
