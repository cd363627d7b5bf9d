// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <graze/body/body.hpp>

#include "harness/contest.hpp"
#include "scene/poses.hpp"

namespace graze::bench {

enum class ShapeQuestion {
  yes_no,    ///< do the solids meet: 0 or 1
  distance,  ///< least distance; 0 if they meet
  depth,     ///< length of the translation that parts them
};

/// Two shapes, or a mesh and a shape, and many poses.
struct ShapeScene {
  Body a, b;
  std::vector<PosePair> poses;
};

// Each returns no contestant for a question or a body that it does not support.
std::vector<Contestant> enter_graze_shapes(ShapeQuestion question, const ShapeScene& scene);
std::vector<Contestant> enter_fcl_shapes(ShapeQuestion question, const ShapeScene& scene);
std::vector<Contestant> enter_bullet_shapes(ShapeQuestion question, const ShapeScene& scene);

}  // namespace graze::bench
