// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/first_contact/clocks/clocks.hpp"
#include "engine/first_contact/spans/contact_stage.hpp"

namespace graze::engine::first_contact {

/// Two triangles that are certified more than the tolerance apart before `time`, and perhaps not after it.
struct NearPair {
  std::uint32_t a, b;
  double time;
};

/// Every pair of triangles that is not certified to stay more than the tolerance apart during all of [0, 1]: each pair
/// of nodes steps along separating directions as far as possible and is then opened (docs/design.md 4, but no earliest
/// contact ends the search). `out` comes in a fixed order. False: the budget ran out.
bool find_near_pairs(const Stage& stage, core::Steps& budget, AllCounters& counters, std::vector<NearPair>& out);

}  // namespace graze::engine::first_contact
