// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/math/pose.hpp>

namespace graze::bench {

/// Bodies that move and rotate in a cage, the test program of the thesis (Zachmann 3.2.1).
struct CagePlan {
  std::vector<Mesh> meshes = {};
  double side = 1;                    ///< of the cube that contains the bodies' origins
  double speed = 0.02, angle = 0.05;  ///< per frame
  bool walls = false;                 ///< six boxes around the cage take part
  bool bounce = true;       ///< touching bodies return to their previous pose and continue in another direction
  bool only_first = false;  ///< the others are at rest
  std::size_t frames = 100;
  std::uint64_t seed = 1;
};

struct CageFlight {
  std::vector<Body> bodies;               ///< those of the plan, then the walls
  std::size_t flying = 0;                 ///< the first `flying` bodies move
  std::vector<std::vector<Pose>> frames;  ///< by frame, by body
  /// All pairs in which at least one body moves.
  std::vector<std::array<std::uint32_t, 2>> pairs;
  std::size_t triangles = 0;  ///< of all bodies
};

/// Bodies start at poses where none touches another. Throws if such poses cannot be found.
CageFlight fly_in_cage(const CagePlan& plan);

/// A body of one of the thesis's kinds, largest side about 1. Created with that size and not scaled to it (rounding
/// would destroy the exact convexity that some methods require): sphere, cone, torus, hyperboloid, tetra-flake,
/// cube-array, tetrahedron.
Mesh thesis_body(std::string_view kind, std::size_t triangles);

}  // namespace graze::bench
