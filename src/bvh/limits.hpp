// SPDX-License-Identifier: MIT
#pragma once

namespace graze::bvh {

/// The builder splits freely down to this depth and halves below it, so that whatever the input ...
inline constexpr int last_free_depth = 48;
/// ... no node lies deeper than this (the root has depth 0). Traversals size their stacks by it.
inline constexpr int max_depth = last_free_depth + 32;

}  // namespace graze::bvh
