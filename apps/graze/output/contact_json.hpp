// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/manifold.hpp>
#include <graze/ask/penetration.hpp>

#include "output/json.hpp"

namespace graze::app {

Json to_json(const PenetrationResult& result);
/// With the pieces of each patch if one of the bodies is a compound.
Json to_json(const ManifoldResult& result, bool with_pieces);

}  // namespace graze::app
