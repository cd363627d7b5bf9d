// SPDX-License-Identifier: MIT
#pragma once

#include "query/interference/method.hpp"

namespace graze::query {

/// A tree over each body's faces, built once (with `coherence`) and refitted to where they are now; trees of bodies
/// whose boxes overlap are walked against each other. For comparison with Kitamura.
struct InterferenceTree {
  static constexpr InterferenceTraits traits{.name = "tree",
                                             .summary = "a tree over each body's faces, refitted for every call"};
  static void run(const InterferenceQuery& query, InterferenceResult& result);
};

}  // namespace graze::query
