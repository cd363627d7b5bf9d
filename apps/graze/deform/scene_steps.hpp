// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <graze/ask/deform_scene.hpp>
#include <graze/world/world.hpp>

#include "scene/scene_actors.hpp"

namespace graze::app {

/// The bodies of a scene file in a `DeformScene`, step by step: those with "deform" deform, the others are rigid. A
/// `World` keeps where they are.
class SceneSteps {
 public:
  /// `self`: deforming bodies are also tested against themselves, if the file does not say otherwise.
  SceneSteps(const Scene& scene, bool self);

  /// Goes to the next frame: `bodies` holds the step there, unasked.
  void next();
  /// The number of the frame at the end of the step, from 1.
  std::uint64_t frame() const { return frame_ + 1; }
  DeformScene& bodies() { return *deform_; }
  const std::string& name(SceneBodyId id) const { return names_[index(id)]; }

 private:
  /// Where a body is in one frame.
  struct State {
    std::vector<Vec3> vertices;  ///< of one that deforms
    Pose pose;
  };
  /// One that takes part, in the order of the `DeformScene`.
  struct Part {
    BodyId id;
    const SceneBody* scene = nullptr;  ///< none: a link
    bool deforms = false;
    std::optional<Mesh> mesh;  ///< the present one of a body that deforms
    std::size_t articulated = 0, link = 0;
    State before, after;
  };

  std::vector<Part> list() const;
  State state(const Part& part) const;
  Pose base(std::size_t articulated) const;
  void build(std::vector<Part> parts);
  void filter();

  const Scene& scene_;
  bool self_;
  World world_;
  Actors<World> actors_;
  std::uint64_t frame_ = 0;
  std::vector<Part> parts_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> coordinates_;  ///< of each chain, at the start of the step
  std::vector<Pose> bases_;
  std::optional<DeformScene> deform_;
};

}  // namespace graze::app
