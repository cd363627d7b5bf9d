// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/elementary.hpp>

namespace graze::engine::elementary {

/// Do the two closed features share a point at the given positions? Exact for all finite doubles, including degenerate
/// features.
bool touch_now(ElementaryKind kind, const std::array<Vec3, 4>& p);

}  // namespace graze::engine::elementary
