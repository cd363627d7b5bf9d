// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <graze/math/pose.hpp>
#include <graze/query/body.hpp>

namespace graze::bench {

/// Bodies that fly and turn in a cage, the thesis's test program (Zachmann 3.2.1).
struct CagePlan {
  std::vector<Mesh> meshes = {};
  double side = 1;                    ///< of the cube that their origins stay in
  double speed = 0.02, angle = 0.05;  ///< a frame
  bool walls = false;                 ///< six boxes around the cage take part
  bool bounce = true;                 ///< who touches goes back to where it was and on in another direction
  bool only_first = false;            ///< the others stand still
  std::size_t frames = 100;
  std::uint64_t seed = 1;
};

struct CageFlight {
  std::vector<Body> bodies;               ///< those of the plan, then the walls
  std::size_t flying = 0;                 ///< the number of the first
  std::vector<std::vector<Pose>> frames;  ///< by frame, by body
  /// Every two of which one flies.
  std::vector<std::array<std::uint32_t, 2>> pairs;
  std::size_t triangles = 0;  ///< of all
};

/// Bodies start where none touches another. Throws where that cannot be found.
CageFlight fly_in_cage(const CagePlan& plan);

/// A body of the thesis's kinds, largest side about 1, made with that size and not scaled to it (rounding would take
/// the exact convexity that some methods ask for): sphere, cone, torus, hyperboloid, tetra-flake, cube-array,
/// tetrahedron.
Mesh thesis_body(std::string_view kind, std::size_t triangles);

}  // namespace graze::bench
