// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include "bvh/box_f.hpp"
#include "core/large_memory.hpp"
#include "engine/deform/topology/topology.hpp"

namespace graze::engine::deform {

/// Is the vertex the middle of a star: of very many loose edges and points? All of them touch there, and neighbours by
/// number may point anywhere.
bool is_star(const Topology& topology, std::uint32_t vertex);
/// Links the loose edges and points of each star, in an order in which neighbours are near each other.
void link_stars(const Topology& topology, std::span<const bvh::BoxF> boxes, int threads,
                core::LargeVector<std::array<std::uint32_t, 2>>& touching);

}  // namespace graze::engine::deform
