// SPDX-License-Identifier: MIT
#include <graze/mesh/make.hpp>

#include <algorithm>
#include <cmath>

#include "core/fp_guard.hpp"
#include "mesh/make_features.hpp"
#include "mesh/make_parts.hpp"

namespace graze::make {
namespace {

using mesh::bump;
using mesh::CosSin;
using mesh::Grid;
using mesh::ramp;
using mesh::Surface;

void scale(std::vector<Vec3>& positions, double size) {
  for (Vec3& p : positions) p = p * size;
}

/// The shuttle's outline at a station x in [-0.5, 0.5], as the distance from its axis.
double shuttle_radius(double x, const CosSin& around) {
  const double taper = std::max(0.0, (x - 0.15) / 0.36);
  const double fuselage = 0.085 * std::sqrt(std::max(0.02, 1 - taper * taper));
  const double to_wing = 2 - 2 * std::fabs(around.cos), to_fin = 2 - 2 * around.sin;  // squared chords
  const double span = 0.3 * ramp((0.22 - x) / 0.6), height = 0.17 * ramp((-0.22 - x) / 0.24);
  return fuselage + span * bump(to_wing / 0.2) + height * bump(to_fin / 0.1);
}

double head_radius(double z, const CosSin& around) {
  const double to_front = 2 - 2 * around.cos;
  const double to_ear = 2 - 2 * std::fabs(around.sin);
  const auto near = [](double x, double centre, double reach) { return (x - centre) / reach * ((x - centre) / reach); };
  const double skull = 0.27 * std::sqrt(std::max(0.03, 1 - near(z, 0.64, 0.37)));
  const double neck = 0.13 + 0.06 * ramp((0.12 - z) / 0.12);
  double r = std::max(skull, neck);
  r += 0.05 * bump(near(z, 0.42, 0.12) + to_front / 0.9);   // chin
  r += 0.09 * bump(near(z, 0.58, 0.09) + to_front / 0.09);  // nose
  r += 0.06 * bump(near(z, 0.6, 0.1) + to_ear / 0.05);      // ears
  const double eye_chord =
      (around.cos - 0.9) * (around.cos - 0.9) + (std::fabs(around.sin) - 0.436) * (std::fabs(around.sin) - 0.436);
  return r - 0.035 * bump(near(z, 0.66, 0.07) + eye_chord / 0.05);
}

double car_height(double x, double y) {
  const double body = 0.1 * ramp((0.5 - std::fabs(x)) / 0.04) * ramp((0.2 - std::fabs(y)) / 0.03);
  const double roof = 0.11 * ramp((x + 0.42) / 0.17) * ramp((0.22 - x) / 0.2) * ramp((0.185 - std::fabs(y)) / 0.05);
  const double hood = 0.03 * ramp((0.5 - x) / 0.3) * ramp((0.19 - std::fabs(y)) / 0.1);
  const double arch_x = std::min(std::fabs(x - 0.3), std::fabs(x + 0.3)) / 0.09;
  const double arch = 0.05 * bump(arch_x * arch_x) * ramp((std::fabs(y) - 0.16) / 0.02);
  return std::max(body, arch) + roof + hood;
}

}  // namespace

Mesh shuttle(const ModelOptions& options) {
  const core::FpGuard guard;
  Grid grid = mesh::grid_for(mesh::triangle_target(options, 528) / 2, 24.0 / 11, {0, 0}, {12, 5});
  grid.rows += 1;
  const auto point = [&](std::uint32_t i, std::uint32_t j) {
    const double x = -0.5 + static_cast<double>(j - 1) / (grid.rows - 1);  // the first ring is the flat tail's border
    const CosSin around = mesh::turn(i, grid.columns);
    const double r = shuttle_radius(x, around);
    return Vec3{x, r * around.cos, r * around.sin};
  };
  Surface surface = mesh::capped_tube(grid, {-0.5, 0, 0}, {0.5, 0, 0}, point);
  scale(surface.positions, options.size);
  return std::move(surface).finish();
}

// 72 quads as triangles, and one additional quad where the seat is dented: 146.
Mesh chair(const ModelOptions& options) {
  const core::FpGuard guard;
  const std::uint32_t divisions = mesh::divisions_for(mesh::triangle_target(options, 146), 146);
  const mesh::CellLines lines{{-0.25, -0.2, 0.2, 0.25}, {-0.25, -0.2, 0.2, 0.25}, {-0.5, -0.05, 0, 0.2, 0.4, 0.5}};
  const auto solid = [](std::size_t i, std::size_t j, std::size_t k) {
    if (k == 0) return i != 1 && j != 1;  // legs
    if (k == 1) return true;              // seat
    return j == 0 && (k == 4 || i != 1);  // two posts and a rail
  };
  const mesh::QuadSurface cells = mesh::cells_to_surface(lines, solid);
  Surface surface;
  surface.positions = cells.positions;
  const Vec3 dent{0, 0, -0.02};
  for (std::size_t q = 0; q < cells.quads.size(); ++q) {
    const auto quad = cells.quads[q];
    const bool is_seat = std::all_of(quad.begin(), quad.end(), [&](std::uint32_t v) {
      const Vec3& p = cells.positions[v];
      return p.z == 0 && std::fabs(p.x) == 0.2 && std::fabs(p.y) == 0.2;
    });
    if (!is_seat) {
      surface.add_quad(quad[0], quad[1], quad[2], quad[3]);
      continue;
    }
    const std::uint32_t centre = surface.add(dent);
    for (std::size_t k = 0; k < 4; ++k) surface.triangles.push_back({quad[k], quad[(k + 1) % 4], centre});
  }
  surface = mesh::refine(surface, divisions);
  scale(surface.positions, options.size);
  return std::move(surface).finish();
}

// Both ends are one polygon each: n around and m rings give 2 n (m - 1) + 2 (n - 2) triangles; the default's 1816 come
// from 26 and 35.
Mesh head(const ModelOptions& options) {
  const core::FpGuard guard;
  const Grid grid = mesh::grid_for((mesh::triangle_target(options, 1816) + 4) / 2, 26.0 / 35, {0, 0}, {8, 8});
  const std::uint32_t n = grid.columns;
  Surface tube;
  for (std::uint32_t j = 0; j < grid.rows; ++j) {
    const double z = static_cast<double>(j) / (grid.rows - 1);
    for (std::uint32_t i = 0; i < n; ++i) {
      const CosSin around = mesh::turn(i, n);
      const double r = head_radius(z, around);
      tube.add({r * around.cos, r * around.sin, z - 0.5});
    }
  }
  PolygonList polygons;
  for (std::uint32_t j = 0; j + 1 < grid.rows; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = j * n + i, b = j * n + (i + 1) % n;
      polygons.add(std::array{a, b, b + n});
      polygons.add(std::array{a, b + n, a + n});
    }
  }
  std::vector<std::uint32_t> bottom, top;
  for (std::uint32_t i = 0; i < n; ++i) {
    bottom.push_back(n - 1 - i);
    top.push_back((grid.rows - 1) * n + i);
  }
  polygons.add(bottom);
  polygons.add(top);
  scale(tube.positions, options.size);
  return Mesh(std::move(tube.positions), std::move(polygons));
}

// Two sheets, the lower one a shifted copy, joined along the border: 4 n m + 4 (n + m) triangles.
Mesh car_shell(const ModelOptions& options) {
  const core::FpGuard guard;
  const double wanted = std::max(1.0, mesh::triangle_target(options, 4416));
  const double rows = (-3 + std::sqrt(9 + 2 * wanted)) / 4;  // with twice as many columns
  const Grid grid = mesh::grid_for(2 * rows * rows, 2, {0, 0}, {8, 4});
  const auto outer = [&](std::uint32_t i, std::uint32_t j) {
    const double x = static_cast<double>(i) / grid.columns - 0.5;
    const double y = 0.4 * (static_cast<double>(j) / grid.rows - 0.5);
    return Vec3{x, y, car_height(x, y)};
  };
  Surface surface = mesh::sheet(grid, outer);
  const auto count = static_cast<std::uint32_t>(surface.positions.size());
  const std::size_t triangles = surface.triangles.size();
  for (std::uint32_t v = 0; v < count; ++v) surface.add(surface.positions[v] - Vec3{0, 0, 0.01});
  for (std::size_t t = 0; t < triangles; ++t) {
    const auto [a, b, c] = surface.triangles[t];
    surface.triangles.push_back({a + count, c + count, b + count});
  }
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return j * (grid.columns + 1) + i; };
  const auto sew = [&](std::uint32_t a, std::uint32_t b) { surface.add_quad(b, a, a + count, b + count); };
  for (std::uint32_t i = 0; i < grid.columns; ++i) {
    sew(at(i, 0), at(i + 1, 0));
    sew(at(i + 1, grid.rows), at(i, grid.rows));
  }
  for (std::uint32_t j = 0; j < grid.rows; ++j) {
    sew(at(grid.columns, j), at(grid.columns, j + 1));
    sew(at(0, j + 1), at(0, j));
  }
  scale(surface.positions, options.size);
  return std::move(surface).finish();
}

Mesh door(const ModelOptions& options) {
  const core::FpGuard guard;
  const std::uint32_t parts = mesh::divisions_for(mesh::triangle_target(options, 2560), 160);
  const mesh::CellLines lines{{-0.225, -0.2, -0.165, -0.125, 0.125, 0.225},
                              {-0.0375, -0.0125, 0.0125, 0.0375},
                              {-0.5, -0.025, 0.025, 0.05, 0.4, 0.5}};
  const auto solid = [](std::size_t i, std::size_t j, std::size_t k) {
    if (j == 1) return !(i == 3 && k == 3);  // all but the window
    return i == 1 && k == 1;                 // the knobs
  };
  mesh::QuadSurface surface = mesh::refine(mesh::cells_to_surface(lines, solid), parts);
  scale(surface.positions, options.size);
  return Mesh(std::move(surface.positions), std::move(surface.quads));
}

}  // namespace graze::make
