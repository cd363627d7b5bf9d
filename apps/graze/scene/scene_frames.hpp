// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <graze/world/world.hpp>

#include "scene/scene_file.hpp"
#include "scene/scene_questions.hpp"

namespace graze::app {

/// Receives the world in each frame, numbered from 0, when all bodies are in their places; nothing was asked of it.
using FrameSeen = std::function<void(std::uint64_t frame, const World& world, const BodyName& name_of)>;

/// Runs a scene without any question, for pictures.
void for_each_frame(const Scene& scene, std::uint64_t frames, const FrameSeen& see);

}  // namespace graze::app
