// SPDX-License-Identifier: MIT
#include <graze/mesh/make.hpp>

#include <algorithm>
#include <cmath>

#include "core/fp_guard.hpp"
#include "mesh/make_parts.hpp"

namespace graze::make {
namespace {

using mesh::CosSin;
using mesh::Grid;

/// `parts` + 1 grid lines from -size / 2 to size / 2.
std::vector<double> even_lines(double size, std::uint32_t parts) {
  std::vector<double> lines;
  for (std::uint32_t i = 0; i <= parts; ++i) lines.push_back(size * (static_cast<double>(i) / parts - 0.5));
  return lines;
}

/// Rounds to so few bits that small multiples of the result, and their sums, are exact.
double round_to_24_bits(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::floor(fraction * 0x1p24 + 0.5), exponent - 24);
}

}  // namespace

Mesh box(const BoxOptions& options) {
  const core::FpGuard guard;
  for (int k = 0; k < 3; ++k) mesh::require_positive(options.size[k], "size");
  const double triangles = static_cast<double>(options.triangles);
  const std::uint32_t n = options.divisions != 0 ? options.divisions : mesh::divisions_for(triangles, 12);
  const auto ends = [](double size) { return std::vector<double>{-size / 2, size / 2}; };
  const mesh::CellLines lines{ends(options.size.x), ends(options.size.y), ends(options.size.z)};
  mesh::QuadSurface surface = mesh::refine(mesh::cells_to_surface(lines, [](auto...) { return true; }), n);
  return Mesh(std::move(surface.positions), std::move(surface.quads));
}

// Coordinates are integer multiples of one step, so that subdivided faces are exactly planar.
Mesh tetrahedron(const TetrahedronOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.size, "size");
  const double triangles = static_cast<double>(options.triangles);
  const std::uint32_t n = options.divisions != 0 ? options.divisions : mesh::divisions_for(triangles, 4);
  const double half = n, even = options.size / 2 / n;
  const double step = even * n == options.size / 2 && (n & (n - 1)) == 0 ? even : round_to_24_bits(even);
  mesh::Surface whole;
  whole.positions = {{half, half, half}, {half, -half, -half}, {-half, half, -half}, {-half, -half, half}};
  whole.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  mesh::Surface fine = mesh::refine(whole, n);
  for (Vec3& p : fine.positions) {
    p = {std::floor(p.x + 0.5) * step, std::floor(p.y + 0.5) * step, std::floor(p.z + 0.5) * step};
  }
  return std::move(fine).finish();
}

Mesh sphere(const SphereOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.radius, "radius");
  const double triangles = static_cast<double>(options.triangles);
  mesh::require_countable(triangles);
  Grid grid{options.meridians, options.bands};
  const auto round_up_to = [](double x, double least) {
    return static_cast<std::uint32_t>(std::max(least, std::floor(x + 0.5)));
  };
  if (grid.rows == 0) {  // 2 * meridians * (bands - 1) triangles
    grid.rows =
        round_up_to(grid.columns != 0 ? triangles / 2 / grid.columns + 1 : (1 + std::sqrt(1 + triangles)) / 2, 2);
    if (grid.columns == 0) grid.columns = 2 * grid.rows;
  }
  mesh::require_at_least(grid.rows, 2, "bands");
  if (grid.columns == 0) grid.columns = round_up_to(triangles / 2 / (grid.rows - 1), 3);
  mesh::require_at_least(grid.columns, 3, "meridians");
  mesh::require_countable(2.0 * grid.columns * grid.rows);
  const double r = options.radius;
  const auto point = [&](std::uint32_t i, std::uint32_t j) {
    const CosSin around = mesh::turn(i, grid.columns), up = mesh::turn(j, 2 * std::uint64_t{grid.rows});
    return Vec3{r * (up.sin * around.cos), r * (up.sin * around.sin), r * -up.cos};
  };
  return mesh::capped_tube(grid, {0, 0, -r}, {0, 0, r}, point, true).finish();
}

Mesh cylinder(const CylinderOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.radius, "radius");
  mesh::require_positive(options.height, "height");
  const std::uint32_t rings = options.along == 0 ? 0 : options.along + 1;
  Grid grid = mesh::grid_for(static_cast<double>(options.triangles) / 2, 4, {options.around, rings}, {3, 2});
  const std::vector<double> z = even_lines(options.height, grid.rows - 1);
  grid.rows += 1;  // rings, and the two centres
  const auto point = [&](std::uint32_t i, std::uint32_t j) {
    const CosSin around = mesh::turn(i, grid.columns);
    return Vec3{options.radius * around.cos, options.radius * around.sin, z[j - 1]};
  };
  return mesh::capped_tube(grid, {0, 0, z.front()}, {0, 0, z.back()}, point).finish();
}

Mesh cone(const ConeOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.radius, "radius");
  mesh::require_positive(options.height, "height");
  const Grid grid = mesh::grid_for(static_cast<double>(options.triangles), 1, {options.around, 2}, {3, 2});
  const double z = options.height / 2;
  const auto point = [&](std::uint32_t i, std::uint32_t) {
    const CosSin around = mesh::turn(i, grid.columns);
    return Vec3{options.radius * around.cos, options.radius * around.sin, -z};
  };
  return mesh::capped_tube(grid, {0, 0, -z}, {0, 0, z}, point).finish();
}

Mesh hyperboloid(const HyperboloidOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.waist, "waist");
  mesh::require_positive(options.radius, "radius");
  mesh::require_positive(options.height, "height");
  const std::uint32_t rings = options.along == 0 ? 0 : options.along + 1;
  Grid grid = mesh::grid_for(static_cast<double>(options.triangles) / 2, 2, {options.around, rings}, {3, 3});
  const std::vector<double> z = even_lines(options.height, grid.rows - 1);
  grid.rows += 1;
  const double ratio = options.radius / options.waist;
  const auto point = [&](std::uint32_t i, std::uint32_t j) {
    const CosSin around = mesh::turn(i, grid.columns);
    const double s = 2 * z[j - 1] / options.height;
    const double r = options.waist * std::sqrt(1 + (ratio * ratio - 1) * s * s);
    return Vec3{r * around.cos, r * around.sin, z[j - 1]};
  };
  return mesh::capped_tube(grid, {0, 0, z.front()}, {0, 0, z.back()}, point).finish();
}

}  // namespace graze::make
