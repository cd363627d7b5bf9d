// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include "bvh/tree.hpp"

namespace graze::bvh {

/// Nothing if the tree is valid, else the first defect found. Valid means: every box index occurs exactly once; the
/// leaves, left to right, cover `items` from first to last; every node but the root is the child of exactly one node,
/// which is stored before it; a node's box contains its children's or items' boxes; no node is deeper than max_depth.
std::optional<std::string> validate(const Tree& tree, std::span<const BoxF> boxes);

}  // namespace graze::bvh
