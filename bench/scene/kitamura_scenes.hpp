// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include <graze/query/interference.hpp>

namespace graze::bench {

/// Processing cycles of Kitamura's experiments: where all bodies are in each. Two tiny triangles far out, which touch
/// nobody, make the cube around all bodies the same for all scenes of a kind: the paper's world has a fixed size.
struct Cycles {
  std::vector<std::vector<InterferenceBody>> cycle;
  std::deque<std::vector<Vec3>> positions;  ///< of bodies that deform
};

/// 4.1: two equal spheres come together, turning, until they touch in the last cycle.
Cycles approaching_spheres(std::size_t triangles);

/// 4.2, 5.1: so many equal bodies, crowded so that boxes overlap; the first two come together until they touch in the
/// last cycle, the others turn. `only_two`: the same without the others.
Cycles crowd(std::string_view shape, std::size_t triangles, std::size_t count, bool only_two);

/// 4.3: a head, a shuttle, a ball and two hands (blobs of the same size stand in) fly about in a box; ball and hands
/// deform.
Cycles interactive(std::size_t cycles);

/// 5.2: head and shuttle come together until they touch in the last cycle; a sphere and a chair turn beside them.
Cycles update_scene();

}  // namespace graze::bench
