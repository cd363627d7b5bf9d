// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "classic/kitamura/scene.hpp"

namespace graze::classic::kitamura {

/// Two bodies of the scene, a < b; or a body and itself.
struct BodyPair {
  std::uint32_t a, b;
  friend std::strong_ordering operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// All pairs of bodies whose boxes share a point, sorted; with `self` also each body with itself. `by_tree`: by a tree
/// over the boxes instead of testing every pair (Kitamura 2.2.4). Counts box_tests.
std::vector<BodyPair> overlapping_bodies(const Scene& scene, bool by_tree, bool self, Counters& counters);

}  // namespace graze::classic::kitamura
