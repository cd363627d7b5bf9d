// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// Heights over a regular grid, for ground and terrain. It becomes a mesh (`height_mesh`), and is asked as one: it is a
/// surface without thickness. A body that is entirely below it does not touch it.
struct HeightField {
  std::uint32_t columns = 0, rows = 0;  ///< numbers of samples along x and along y; at least 2
  double dx = 1, dy = 1;                ///< distance of neighbouring samples
  /// Row by row: the sample of a column and a row is heights[row * columns + column]. NaN: there is no ground.
  std::vector<double> heights;
};

/// The mesh of a height field, centred at the origin in x and y: a sample is at
/// ((column - (columns - 1) / 2) dx, (row - (rows - 1) / 2) dy, height), rounded.
///
/// Vertex row * columns + column is the sample; those without ground are not used. A cell between four samples with
/// ground is two triangles, v v+1 w+1 and v w+1 w, where v is its sample of the lowest column and row and w = v +
/// columns: each is a polygon of its own, facing up. All other cells are holes. Cells are numbered row by row, without
/// the holes; `cell_of` tells which one a polygon is in.
///
/// Throws `Error`: bad_option (fewer than two columns or rows, spacing not positive and finite, a number of heights
/// that differs), not_finite (an infinite height), empty_mesh (nothing but holes), too_large.
GRAZE_API Mesh height_mesh(const HeightField& field);

/// A cell, by its sample of the lowest column and row.
struct HeightCell {
  std::uint32_t column = 0, row = 0;
  friend bool operator==(const HeightCell&, const HeightCell&) = default;
};
/// The cell of a polygon of `height_mesh(field)`: that of its first vertex.
GRAZE_API HeightCell cell_of(const HeightField& field, const Mesh& mesh, PolygonId polygon);

}  // namespace graze
