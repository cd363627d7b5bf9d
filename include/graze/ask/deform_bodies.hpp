// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// The contacts of a step between two bodies of a mesh, or of one body with itself.
struct BodyPairContacts {
  std::uint32_t a = 0, b = 0;           ///< a <= b
  TimeBracket time;                     ///< of their first contact; {1, NaN} if they only intersect at the start
  std::vector<DeformContact> contacts;  ///< a subset of the step's list, in the same order
  std::vector<TrianglePair> crossing_at_start;
  std::vector<EdgeCrossing> edges_crossing_at_start;
};

/// Groups the result of a step by pairs of bodies, in ascending order; pairs without contacts or crossings are omitted.
/// `mesh`: the mesh that made the step. `bodies`: as for `vertex_bodies`. Throws `Error`.
GRAZE_API std::vector<BodyPairContacts> by_bodies(const DeformResult& result, const Mesh& mesh,
                                                  std::span<const std::uint32_t> bodies = {});

}  // namespace graze
