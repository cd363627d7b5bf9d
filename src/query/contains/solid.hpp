// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "query/collide/method.hpp"

namespace graze::query {

/// Why a body has no inside: an edge that bounds an odd number of polygons; nothing if it has one.
std::optional<ErrorDetail> not_solid(const BodyData& body, const char* label);

/// For bodies whose surfaces are apart: is one inside the other? Sets status `contact`, `contained` and the points.
void add_containment(const CollideQuery& query, CollideResult& result);

}  // namespace graze::query
