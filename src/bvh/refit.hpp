// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "bvh/tree.hpp"

namespace graze::bvh {

/// Recomputes the bounds of the same tree after its boxes have changed: one linear pass, children before parents.
void refit(Tree& tree, std::span<const BoxF> boxes);

}  // namespace graze::bvh
