// SPDX-License-Identifier: MIT
#pragma once

#include "functions.hpp"
#include "world_enums.hpp"

#include <mutex>
#include <optional>
#include <utility>

#include <graze/world/world.hpp>

namespace graze_python {

/// A world is used by one thread at a time: others wait, without holding the interpreter. Callbacks may call it again.
struct World {
  graze::World world;
  std::recursive_mutex mutex;
  using Key = std::pair<std::optional<graze::BodyId>, std::optional<graze::BodyId>>;
  HeldFunctions<Key> functions;  ///< of all bodies, of a body, of two bodies
  explicit World(const graze::WorldOptions& options) : world(options) {}
};

template <class Call>
auto locked(World& w, Call&& call) {
  const py::gil_scoped_release release;
  const std::lock_guard lock(w.mutex);
  return call(w.world);
}

graze::ContactDetails details(py::handle given);

void bind_world_ids(py::module_& m);
void bind_world_events(py::module_& m);
void bind_world_answers(py::module_& m);
void bind_world_bodies(py::module_& m, py::class_<World>& c);
void bind_world_frames(py::class_<World>& c);
void bind_world_questions(py::class_<World>& c);
void bind_world_near(py::class_<World>& c);
}  // namespace graze_python
