// SPDX-License-Identifier: MIT
#pragma once

#include "query/interference/method.hpp"

namespace graze::query {

/// Kitamura's method: boxes of bodies, overlap regions, check-lists of the faces that reach them, the implicit face
/// octree, each face pair once, exactly. Nothing is kept from call to call, so bodies may deform in any way. See
/// docs/methods/kitamura.md for the proof of each stage and for deviations.
struct Kitamura {
  static constexpr InterferenceTraits traits{
      .name = "kitamura", .summary = "overlap regions and an implicit face octree; nothing precomputed (Kitamura 3)"};
  static void run(const InterferenceQuery& query, InterferenceResult& result);
};

}  // namespace graze::query
