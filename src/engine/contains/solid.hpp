// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/collide/method.hpp"

namespace graze::engine::contains {

/// The reason why a body has no interior: an edge that bounds an odd number of polygons; none if it has one.
std::optional<ErrorDetail> not_solid(const body::BodyData& body, const char* label);

/// For bodies whose surfaces are disjoint: is one, or a part of it, inside the other, which is solid? Then sets status
/// `contact`, `contained` and the points.
void add_containment(const collide::CollideQuery& query, bool a_is_solid, bool b_is_solid, CollideResult& result);

}  // namespace graze::engine::contains
