// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
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
std::vector<Contestant> enter_libccd_shapes(ShapeQuestion question, const ShapeScene& scene);

/// Many shapes, the first of which move from frame to frame.
struct ShapeWorld {
  std::vector<shape::Shape> kinds;
  std::vector<std::size_t> kind_of;  ///< of each body
  std::vector<Pose> start;
  std::size_t moving = 0;
  std::vector<std::vector<Pose>> frames;  ///< of the moving bodies
};

/// A library's collision world with these bodies.
class WorldRunner {
 public:
  virtual ~WorldRunner() = default;
  virtual std::string name() const = 0;
  /// Moves the bodies to their poses of a frame and finds all contacts; timed.
  virtual void frame(std::size_t k) = 0;
  /// How many pairs, one of which moves, touch in this frame.
  virtual std::size_t contacts() = 0;
};
std::unique_ptr<WorldRunner> bullet_world(const ShapeWorld& scene);

}  // namespace graze::bench
