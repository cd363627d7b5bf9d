// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "query/collide/method.hpp"

namespace graze::query {

/// The method that `automatic` uses, by what is asked, topology and size (Zachmann 7.1).
std::string_view automatic_method(const CollideQuery& query);

}  // namespace graze::query
