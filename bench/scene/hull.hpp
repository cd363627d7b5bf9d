// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <graze/mesh/mesh.hpp>

namespace graze::bench {

/// The hull of `vertices` random points on an ellipsoid with half axes 0.5, 0.4, 0.3: a convex body in general
/// position, whose edges are suitable for hill climbing.
Mesh random_convex(std::size_t vertices, std::uint64_t seed);

}  // namespace graze::bench
