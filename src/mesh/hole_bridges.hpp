// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>

namespace graze::mesh {

/// `graze::join_holes`. Adds to `tests` how many corners were tested against the whole loop: about one for each hole,
/// whatever the shape of the outline.
std::vector<std::uint32_t> join_holes(std::span<const Vec3> positions, std::span<const std::uint32_t> outline,
                                      std::span<const std::vector<std::uint32_t>> holes, std::uint64_t& tests);

}  // namespace graze::mesh
