// SPDX-License-Identifier: MIT
#include <graze/mesh/make.hpp>

#include <algorithm>
#include <cmath>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "mesh/make_parts.hpp"

namespace graze::make {
namespace {

using mesh::Grid;
using mesh::Surface;

/// Low enough that neighbouring spikes never meet.
constexpr double spike_height = 0.45;

/// Splits every triangle into four and adds a spike on the middle one.
Surface grow_spikes(const Surface& in) {
  Surface out = mesh::refine(in, 2);
  const std::size_t count = out.triangles.size();
  for (std::size_t i = 1; i < count; i += 4) {  // the second of four is the middle one
    const auto [a, b, c] = out.triangles[i];
    const Vec3 &pa = out.positions[a], &pb = out.positions[b], &pc = out.positions[c];
    // In units of a power of two, so that squares of tiny and of huge edges are numbers; no other bit changes.
    int unit = 0;
    std::frexp(std::max(math::largest(pb - pa), math::largest(pc - pa)), &unit);
    const auto scaled = [](const Vec3& v, int e) {
      return Vec3{std::ldexp(v.x, e), std::ldexp(v.y, e), std::ldexp(v.z, e)};
    };
    const Vec3 normal = cross(scaled(pb - pa, -unit), scaled(pc - pa, -unit));
    const double twice_area = std::sqrt(dot(normal, normal));
    const double edge = std::sqrt(twice_area * 1.1547005383792515);  // of the equilateral triangle with this area
    const Vec3 centre = (pa + pb + pc) * (1.0 / 3);
    const std::uint32_t tip = out.add(centre + scaled(normal * (spike_height * edge / twice_area), unit));
    out.triangles[i] = {a, b, tip};
    out.triangles.push_back({b, c, tip});
    out.triangles.push_back({c, a, tip});
  }
  return out;
}

/// The deepest recursion level that is not too fine: ruggedness takes precedence, even subdivision comes second.
void choose_levels(double target, int& levels, std::uint32_t& divisions) {
  double triangles = 24;
  for (levels = 1; levels < 6 && 6 * triangles <= 1.2 * target; ++levels) triangles *= 6;
  divisions = mesh::divisions_for(target, triangles);
}

}  // namespace

Mesh tetra_flake(const TetraFlakeOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.size, "size");
  mesh::require_countable(static_cast<double>(options.triangles));
  int levels = options.levels;
  std::uint32_t divisions = std::max(1U, options.divisions);
  if (levels < 0) {
    if (options.divisions != 0) mesh::require_at_least(0, 1, "levels, where divisions are given,");
    choose_levels(static_cast<double>(options.triangles), levels, divisions);
  }
  double triangles = 4.0 * divisions * divisions;
  for (int i = 0; i < levels && triangles < 1e12; ++i) triangles *= 6;
  mesh::require_countable(triangles);
  // Spikes are grown near size one, where squares of areas neither overflow nor underflow.
  const double scale = mesh::power_below(options.size), h = options.size / scale / 2;
  Surface surface;
  surface.positions = {{h, h, h}, {h, -h, -h}, {-h, h, -h}, {-h, -h, h}};
  surface.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  for (int i = 0; i < levels; ++i) surface = grow_spikes(surface);
  surface = mesh::refine(surface, divisions);
  for (Vec3& p : surface.positions) p = p * scale;
  return std::move(surface).finish();
}

Mesh cube_array(const CubeArrayOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.size, "size");
  if (!(options.fill > 0 && options.fill < 1)) {
    throw Error(core::problem(ErrorCode::bad_option, "option", "fill must be above 0 and below 1, or the cubes touch"));
  }
  const double cubes = static_cast<double>(options.triangles) / 12;
  std::uint32_t n = options.count;
  if (n == 0) {
    mesh::require_countable(12 * cubes);
    const auto error = [&](double k) { return std::fabs(k * k * k - cubes); };
    for (n = 1; error(n + 1) < error(n); ++n) {
    }
  }
  mesh::require_countable(12.0 * n * n * n);
  const double cell = options.size / n, side = cell * options.fill;
  const auto low = [&](std::uint32_t i) { return -options.size / 2 + cell * i + (cell - side) / 2; };
  std::vector<Vec3> positions;
  PolygonList quads;
  for (std::uint32_t id = 0; id < n * n * n; ++id) {
    const double x = low(id % n), y = low(id / n % n), z = low(id / n / n);
    const auto base = static_cast<std::uint32_t>(positions.size());
    const mesh::QuadSurface cube =
        mesh::cells_to_surface({{x, x + side}, {y, y + side}, {z, z + side}}, [](auto...) { return true; });
    positions.insert(positions.end(), cube.positions.begin(), cube.positions.end());
    for (std::size_t q = 0; q < cube.quads.size(); ++q) {
      std::array<std::uint32_t, 4> quad{};
      for (std::size_t k = 0; k < 4; ++k) quad[k] = base + cube.quads[q][k];
      quads.add(quad);
    }
  }
  return Mesh(std::move(positions), std::move(quads));
}

Mesh cloth_sheet(const ClothSheetOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.width, "width");
  mesh::require_positive(options.height, "height");
  const Grid grid = mesh::grid_for(static_cast<double>(options.triangles) / 2, options.width / options.height,
                                   {options.columns, options.rows}, {1, 1});
  const auto point = [&](std::uint32_t i, std::uint32_t j) {
    return Vec3{options.width * (static_cast<double>(i) / grid.columns - 0.5),
                options.height * (static_cast<double>(j) / grid.rows - 0.5), 0};
  };
  return mesh::sheet(grid, point).finish();
}

// Every turn has the same number of steps, so layers are aligned step by step and cannot meet.
Mesh rolled_cloth(const RolledClothOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.radius, "radius");
  mesh::require_positive(options.gap, "gap");
  mesh::require_positive(options.width, "width");
  mesh::require_at_least(options.turns, 1, "turns");
  const double turns = options.turns;
  const double length = 6.283185307179586 * turns * (options.radius + options.gap * turns / 2);
  const double cells = static_cast<double>(options.triangles) / 2;
  const Grid per_turn =
      mesh::grid_for(cells / turns, length / turns / options.width, {options.along, options.rows}, {8, 1});
  const Grid grid{options.turns * per_turn.columns, per_turn.rows};
  mesh::require_countable(2.0 * grid.columns * grid.rows);
  const auto point = [&](std::uint32_t i, std::uint32_t j) {
    const mesh::CosSin around = mesh::turn(i, per_turn.columns);
    const double r = options.radius + options.gap * (static_cast<double>(i) / per_turn.columns);
    return Vec3{r * around.cos, r * around.sin, options.width * (static_cast<double>(j) / grid.rows - 0.5)};
  };
  return mesh::sheet(grid, point).finish();
}

}  // namespace graze::make
