// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// A cloud of points as a mesh: vertex i, and the triangle i whose corners are all there, are point i. A body of it
/// takes part in every question about surfaces, at the cost of a mesh of so many triangles. Points with a radius are
/// asked with a distance to keep: `within`, `min_separation` of `first_contact`, `Obstacle::radius` of a `Robot`.
/// Throws `Error`: empty_mesh (no point), not_finite (which point), too_large.
GRAZE_API Mesh point_mesh(std::span<const Vec3> points);

/// A regular grid of cubes, some of which are occupied: that of column i, row j and layer k reaches from
/// origin + size (i, j, k) to origin + size (i + 1, j + 1, k + 1).
struct VoxelGrid {
  std::uint32_t columns = 0, rows = 0, layers = 0;  ///< along x, y and z
  Vec3 origin = {};
  double size = 1;
  /// Layer by layer, row by row: that of a column, row and layer is occupied[(layer * rows + row) * columns + column].
  std::vector<bool> occupied;
};

/// The centres of the occupied cubes, rounded, in their order. With a radius of `voxel_radius` the points cover the
/// cubes: what is free of the points is free of the cubes, also of their inside. They reach up to 0.37 sizes beyond.
/// Throws `Error`: bad_option (a size that is not positive and finite, a number of entries that differs), not_finite.
GRAZE_API std::vector<Vec3> voxel_centres(const VoxelGrid& grid);
/// Half of a cube's diagonal, and the rounding of the centres.
GRAZE_API double voxel_radius(const VoxelGrid& grid);

/// The squares between occupied and other cubes, facing outward: exactly the surface of the cubes, with corners
/// rounded. It is a surface: a body that is entirely inside of it does not touch it. Throws `Error` as `voxel_centres`
/// does; empty_mesh (no cube is occupied), too_large.
GRAZE_API Mesh voxel_mesh(const VoxelGrid& grid);

}  // namespace graze
