// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <graze/mesh/mesh.hpp>

namespace graze::app {

/// Describes how a frame's polygons differ; empty if they do not: the same mesh with other positions.
std::string frame_difference(const Mesh& first, const std::string& first_file, const Mesh& next);

/// Throws `Error` if the polygons differ.
void check_same_frame(const Mesh& first, const std::string& first_file, const Mesh& next, const std::string& file);

/// The mesh of a frame whose polygons differ from those of the previous frame, with the positions of that frame.
/// Polygons keep their numbers: a corner comes from the same corner of the polygon with the same number, so vertices
/// may be split and renumbered. If this gives one vertex two positions (for example because a polygon in the middle was
/// removed), vertices keep their numbers instead. Vertices without an origin start at their final position. Throws
/// `Error` if neither rule applies.
Mesh broken_at_start(const Mesh& before, std::span<const Vec3> positions, const Mesh& next, const std::string& file);

}  // namespace graze::app
