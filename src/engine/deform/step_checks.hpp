// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/math/vec3.hpp>

namespace graze::engine::deform {

/// What is wrong with the options of a step, if anything.
std::optional<ErrorDetail> step_options_problem(const DeformOptions& options);
/// The same for the slack of a step size.
std::optional<ErrorDetail> slack_problem(double slack);
/// The same for positions: one finite position for each vertex is required.
std::optional<ErrorDetail> step_positions_problem(std::span<const Vec3> positions, std::size_t vertices);

/// The body of each vertex, from the body of each polygon. Throws `Error` if a vertex belongs to several bodies.
/// Numbers below 2^32 - 1.
std::vector<std::uint32_t> bodies_of_vertices(const Mesh& mesh, std::span<const std::uint32_t> of_polygons);

}  // namespace graze::engine::deform
