// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/ray.hpp>

#include "output/json.hpp"

namespace graze::app {

/// With the list of all hits if `all` was asked for.
Json to_json(const RayResult& result, bool all);

}  // namespace graze::app
