// SPDX-License-Identifier: MIT
#pragma once

#include "peers/peers.hpp"

namespace graze::bench {

/// graze on convex solids: `convex_yes_no` and `convex_distance`.
std::vector<Contestant> enter_graze_convex(Question question, const Scene& scene);

}  // namespace graze::bench
