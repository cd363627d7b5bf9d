// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/query/deform.hpp>

namespace graze {

/// What a step brings between two bodies of a mesh, or of one with itself.
struct BodyPairContacts {
  std::uint32_t a = 0, b = 0;           ///< a below b, or the same
  TimeBracket time;                     ///< of their first event; {1, NaN} if they only meet at the start
  std::vector<DeformContact> contacts;  ///< as in the step's own list, and in its order
  std::vector<TrianglePair> crossing_at_start;
};

/// The answer of a step by pairs of bodies, rising: those between which there is anything. `mesh`: whose step it was.
/// `bodies`: a number for each polygon, no vertex being of two; none: the connected pieces, as `classify` numbers them.
/// Throws `Error`.
GRAZE_API std::vector<BodyPairContacts> by_bodies(const DeformResult& result, const Mesh& mesh,
                                                  std::span<const std::uint32_t> bodies = {});

}  // namespace graze
