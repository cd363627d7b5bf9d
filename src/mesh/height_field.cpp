// SPDX-License-Identifier: MIT
#include <graze/mesh/height_field.hpp>

#include <array>
#include <cmath>
#include <string>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"

namespace graze {

namespace {

void check_field(const HeightField& f) {
  if (f.columns < 2 || f.rows < 2)
    throw Error(core::problem(ErrorCode::bad_option, "height field", "it needs at least two columns and two rows"));
  for (const double spacing : {f.dx, f.dy})
    if (!(spacing > 0) || !std::isfinite(spacing))
      throw Error(core::problem(ErrorCode::bad_option, "height field", "the spacing must be positive and finite"));
  const std::uint64_t samples = std::uint64_t{f.columns} * f.rows;
  if (samples >= std::uint64_t{1} << 31)
    throw Error(core::problem(ErrorCode::too_large, "height field", "it has more cells than ids can number; split it"));
  if (f.heights.size() != samples)
    throw Error(core::problem(ErrorCode::bad_option, "height field",
                              std::to_string(f.columns) + " columns and " + std::to_string(f.rows) + " rows need " +
                                  std::to_string(samples) + " heights, not " + std::to_string(f.heights.size())));
  for (std::size_t i = 0; i < f.heights.size(); ++i)
    if (std::isinf(f.heights[i]))
      throw Error(
          core::problem(ErrorCode::not_finite, "height", "it is infinite; NaN stands for a place without ground", i));
}

}  // namespace

Mesh height_mesh(const HeightField& f) {
  const core::FpGuard guard;
  check_field(f);
  std::vector<Vec3> positions;
  positions.reserve(f.heights.size());
  for (std::uint32_t row = 0; row < f.rows; ++row)
    for (std::uint32_t column = 0; column < f.columns; ++column) {
      const double z = f.heights[std::size_t{row} * f.columns + column];
      positions.push_back(
          {(column - 0.5 * (f.columns - 1)) * f.dx, (row - 0.5 * (f.rows - 1)) * f.dy, std::isnan(z) ? 0 : z});
    }
  std::vector<Triangle> triangles;
  const auto ground = [&](std::uint32_t v) { return !std::isnan(f.heights[v]); };
  for (std::uint32_t row = 0; row + 1 < f.rows; ++row)
    for (std::uint32_t column = 0; column + 1 < f.columns; ++column) {
      const std::uint32_t v = row * f.columns + column, w = v + f.columns;
      if (!ground(v) || !ground(v + 1) || !ground(w) || !ground(w + 1)) continue;
      triangles.push_back({v, v + 1, w + 1});
      triangles.push_back({v, w + 1, w});
    }
  return Mesh(std::move(positions), triangles);
}

HeightCell cell_of(const HeightField& field, const Mesh& mesh, PolygonId polygon) {
  if (field.columns == 0 || index(polygon) >= mesh.polygon_count())
    throw Error(core::problem(ErrorCode::index_out_of_range, "polygon",
                              "the mesh has no such polygon, or the field no columns; give the field of the mesh",
                              index(polygon)));
  const std::uint32_t v = mesh.polygon(polygon)[0];
  return {v % field.columns, v / field.columns};
}

}  // namespace graze
