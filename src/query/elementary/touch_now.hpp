// SPDX-License-Identifier: MIT
#pragma once

#include <graze/query/elementary.hpp>

namespace graze::query {

/// Do the two closed features share a point, standing as given? Exactly, for all finite doubles, degenerate features
/// included.
bool touch_now(ElementaryKind kind, const std::array<Vec3, 4>& p);

}  // namespace graze::query
