// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/collide/method.hpp"

namespace graze::ask {

/// The method that `automatic` selects, by query, topology and size (Zachmann 7.1).
std::string_view automatic_method(const engine::collide::CollideQuery& query);

}  // namespace graze::ask
