// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <graze/math/vec3.hpp>
#include <graze/query/deform.hpp>

namespace graze::query {

/// Throws `Error` where the options of a step ask for what cannot be.
void check_step_options(const DeformOptions& options);
/// One position for each vertex, all finite, or `Error`.
void check_step_positions(std::span<const Vec3> positions, std::size_t vertices);

}  // namespace graze::query
