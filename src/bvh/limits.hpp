// SPDX-License-Identifier: MIT
#pragma once

namespace graze::bvh {

/// Down to this depth the builder chooses splits by cost; below it, it splits in half. Therefore, for every input ...
inline constexpr int last_free_depth = 48;
/// ... no node lies deeper than this (the root has depth 0). Traversals size their stacks by it.
inline constexpr int max_depth = last_free_depth + 32;

}  // namespace graze::bvh
