// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/math/vec3.hpp>

namespace graze::engine::deform {

/// Throws `Error` if the options of a step are invalid.
void check_step_options(const DeformOptions& options);
/// Requires one finite position for each vertex; otherwise throws `Error`.
void check_step_positions(std::span<const Vec3> positions, std::size_t vertices);

/// The body of each vertex, from the body of each polygon. Throws `Error` if a vertex belongs to several bodies.
/// Numbers below 2^32 - 1.
std::vector<std::uint32_t> bodies_of_vertices(const Mesh& mesh, std::span<const std::uint32_t> of_polygons);

}  // namespace graze::engine::deform
