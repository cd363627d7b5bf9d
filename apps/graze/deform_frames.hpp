// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <graze/mesh/mesh.hpp>

namespace graze::app {

/// What is different about a frame's polygons, in words; empty: nothing, it is the same mesh with other positions.
std::string frame_difference(const Mesh& first, const std::string& first_file, const Mesh& next);

/// Throws `Error` if the polygons differ.
void check_same_frame(const Mesh& first, const std::string& first_file, const Mesh& next, const std::string& file);

/// The mesh of a frame that has other polygons than the one before, where that one was. Polygons keep their numbers: a
/// corner comes from the same corner of the polygon with the same number, so vertices may be split and renumbered.
/// Where that would take one vertex from two places (a polygon in the middle is gone, say), vertices keep their numbers
/// instead. Vertices that come from nowhere stand where they will be. Neither fits: `Error`.
Mesh broken_at_start(const Mesh& before, std::span<const Vec3> positions, const Mesh& next, const std::string& file);

}  // namespace graze::app
