// SPDX-License-Identifier: MIT
// What is in contact at the start of a step, but parts.
#pragma once

#include <array>
#include <span>

#include <graze/ask/elementary.hpp>

#include "engine/deform/topology/topology.hpp"
#include "engine/deform/tree/dop_tree.hpp"
#include "engine/elementary/batch.hpp"

namespace graze::engine::deform {

enum class Parting {
  stays,    ///< it does not part, as far as is proved: a contact at 0
  near,     ///< the features start apart, within the minimum separation
  touched,  ///< they touch, and come apart at once
};

/// The share of its start distance that a pair must keep if it starts within the minimum separation.
inline constexpr double kept_share = 0.875;

/// `r`: a contact at t = 0 of the query (points at the start, then at the end). Replaces it by what follows the start:
/// free, or the first contact after it. Steps are added.
///
/// If the features start apart, that is the answer for a minimum separation of `kept_share` of their distance. If they
/// touch, or are nearer than doubles resolve, it is proved first that during (0, h] they are not in contact, for some
/// h > 0: the four points are not coplanar, or along some direction one feature is beyond the other. From h on the
/// query is answered as always.
Parting follow_parting(ElementaryKind kind, const std::array<Vec3, 8>& query, const ElementaryOptions& options,
                       elementary::BatchAnswers& scratch, ElementaryResult& r);

/// Two triangles touch at the start without crossing, and no features of theirs are in contact during (0, until]. Are
/// they certified not to cross during that time? Features alone do not tell: a vertex that lies on a face may leave it
/// to either side. But as long as no features touch, triangles that are disjoint stay disjoint and triangles that cross
/// stay crossed. So it suffices that they are certified apart (outside what they share) at one time of (0, until].
bool triangles_part(const Triangle& a, const Triangle& b, const MovingVertices& at, double until);

}  // namespace graze::engine::deform
