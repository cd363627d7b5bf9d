// SPDX-License-Identifier: MIT
#include "scene/scene_frames.hpp"

#include "scene/scene_actors.hpp"

namespace graze::app {

void for_each_frame(const Scene& scene, std::uint64_t frames, const FrameSeen& see) {
  World world(scene.options);
  Actors actors(world, scene);
  const BodyName name_of = [&](BodyId id) -> const std::string& { return actors.name(id); };
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    if (frame > 0) actors.step(frame - 1);
    see(frame, world, name_of);
  }
}

}  // namespace graze::app
