// SPDX-License-Identifier: MIT
#pragma once

#include "classic/kitamura/method.hpp"

namespace graze::classic::kitamura {

/// A tree over each body's faces, built once (with `coherence`) and refitted to their present positions; the trees of
/// bodies whose boxes overlap are traversed simultaneously. For comparison with Kitamura.
struct InterferenceTree {
  static constexpr InterferenceTraits traits{.name = "tree",
                                             .summary = "a tree over each body's faces, refitted for every call"};
  static void run(const InterferenceQuery& query, InterferenceResult& result);
};

}  // namespace graze::classic::kitamura
