// SPDX-License-Identifier: MIT
#pragma once

#include "classic/kitamura/method.hpp"

namespace graze::classic::kitamura {

/// Kitamura's method: boxes of bodies, overlap regions, check-lists of the faces that reach them, the implicit face
/// octree, each face pair tested once, exactly. Nothing is stored between calls, so bodies may deform in any way. See
/// docs/methods/kitamura.md for the proof of each stage and for deviations.
struct Kitamura {
  static constexpr InterferenceTraits traits{
      .name = "kitamura", .summary = "overlap regions and an implicit face octree; nothing precomputed (Kitamura 3)"};
  static void run(const InterferenceQuery& query, InterferenceResult& result);
};

}  // namespace graze::classic::kitamura
