// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <graze/math/vec3.hpp>
#include <graze/query/deform.hpp>

namespace graze::query {

/// Throws `Error` where the options of a step ask for what cannot be.
void check_step_options(const DeformOptions& options);
/// One position for each vertex, all finite, or `Error`.
void check_step_positions(std::span<const Vec3> positions, std::size_t vertices);

/// The body of each vertex from that of each polygon: a vertex belongs to one, or `Error`. Numbers below 2^32 - 1.
std::vector<std::uint32_t> bodies_of_vertices(const Mesh& mesh, std::span<const std::uint32_t> of_polygons);

}  // namespace graze::query
