// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <graze/world/questions.hpp>

#include "output/json.hpp"
#include "scene/scene_file.hpp"

namespace graze::app {

/// The answers to the rays and casts of a scene in one frame.
struct SceneAnswers {
  std::vector<std::vector<BodyHit>> rays;
  std::vector<CastResult> casts;
};

using BodyName = std::function<const std::string&(BodyId)>;

/// Adds "rays" and "casts" if the scene has any.
void add_answers(const Scene& scene, const SceneAnswers& answers, const BodyName& name_of, Json& out);
void print_answers(const Scene& scene, const SceneAnswers& answers, const BodyName& name_of, std::uint64_t frame);

}  // namespace graze::app
