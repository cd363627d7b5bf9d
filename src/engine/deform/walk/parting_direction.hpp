// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/elementary.hpp>

namespace graze::engine::deform {

/// A time h > 0 such that the two features are certified apart during (0, h], because along some direction, not
/// necessarily an axis, one is beyond the other: for features that part within a common plane or along a common line.
/// None: no such direction was found.
std::optional<double> parts_along_a_direction(const ElementaryQuery& q);

}  // namespace graze::engine::deform
