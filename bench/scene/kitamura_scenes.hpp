// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include <graze/ask/interference.hpp>

namespace graze::bench {

/// The cycles of Kitamura's experiments, with the placement of all bodies in each. Two tiny distant triangles, which
/// touch nothing, make the cube around all bodies the same for all scenes of a kind, because the paper's world has a
/// fixed size.
struct Cycles {
  std::vector<std::vector<InterferenceBody>> cycle;
  std::deque<std::vector<Vec3>> positions;  ///< of bodies that deform
};

/// 4.1: two equal rotating spheres approach each other until they touch in the last cycle.
Cycles approaching_spheres(std::size_t triangles);

/// 4.2, 5.1: the given number of equal bodies, so close that boxes overlap. The first two approach each other until
/// they touch in the last cycle, the others rotate. `only_two`: the same without the others.
Cycles crowd(std::string_view shape, std::size_t triangles, std::size_t count, bool only_two);

/// 4.3: a head, a shuttle, a ball and two hands (blobs of the same size stand in) move around in a box; ball and hands
/// deform.
Cycles interactive(std::size_t cycles);

/// 5.2: head and shuttle approach each other until they touch in the last cycle; a sphere and a chair rotate next to
/// them.
Cycles update_scene();

}  // namespace graze::bench
