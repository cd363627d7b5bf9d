// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>
#include <graze/mesh/make.hpp>
#include <graze/mesh/mesh.hpp>

/// Building blocks of the generators.
namespace graze::mesh {

struct CosSin {
  double cos, sin;
};
/// Cosine and sine of k / n turns; k may exceed n. Own polynomials, because libm's bits differ between processors.
/// Multiples of an eighth are exact mirror images of each other, so symmetric shapes come out symmetric.
CosSin turn(std::uint64_t k, std::uint64_t n);
/// Of any number of turns, accurate to 2^-40 of a turn.
CosSin turn(double turns);

/// Triangles under construction.
struct Surface {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  std::uint32_t add(const Vec3& p) {
    positions.push_back(p);
    return static_cast<std::uint32_t>(positions.size() - 1);
  }
  void add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  }
  /// Uses the diagonal that makes the surface convex there (exactly), so that rounding leaves no dents.
  void add_convex_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
  Mesh finish() &&;
};

/// Columns and rows of a grid.
struct Grid {
  std::uint32_t columns, rows;
};
/// About `cells` cells with `aspect` columns per row; a given number (not 0) is kept. `row_step`: the number of rows is
/// a multiple of it if enough cells are requested.
Grid grid_for(double cells, double aspect, Grid given, Grid least, std::uint32_t row_step = 1);

/// The integer nearest to the square root, at least 1.
std::uint32_t divisions_for(double triangles, double triangles_of_one);

/// A grid closed in both directions: the point (i, j) of columns x rows.
using GridPoint = std::function<Vec3(std::uint32_t i, std::uint32_t j)>;
Mesh closed_tube(Grid grid, const GridPoint& point);
/// A grid closed in its columns; its first and last rows collapse to two poles. point(i, j) for 1 <= j < rows.
Surface capped_tube(Grid grid, const Vec3& south, const Vec3& north, const GridPoint& point, bool convex = false);
/// An open grid with columns x rows quads; point(i, j) for i <= columns, j <= rows.
Surface sheet(Grid grid, const GridPoint& point);

/// Splits every triangle into divisions^2. Points on edges depend on the edge alone, so the surface stays closed; a
/// coordinate that is constant over a triangle stays exactly constant.
Surface refine(const Surface& surface, std::uint32_t divisions);

/// The cells (i, j, k) between grid lines for which `solid` is true, as one surface of quads without inner walls. Each
/// quad is one side of a cell; vertices are shared. Cells must not touch in only an edge or a corner.
using IsSolid = std::function<bool(std::size_t i, std::size_t j, std::size_t k)>;
struct CellLines {
  std::vector<double> x, y, z;
};
struct QuadSurface {
  std::vector<Vec3> positions;
  PolygonList quads;
};
/// Splits every quad (a rectangle) into divisions^2.
QuadSurface refine(const QuadSurface& surface, std::uint32_t divisions);
QuadSurface cells_to_surface(const CellLines& lines, const IsSolid& solid);

/// Throws `Error` bad_option / too_large with the option's name.
void require_positive(double value, const char* option);
void require_at_least(std::uint64_t value, std::uint64_t least, const char* option);
void require_countable(double triangles);

/// The largest power of two that is not above a positive length: what is divided by it keeps its bits.
double power_below(double length);

/// The approximate number of triangles requested for a body; refuses a size that is not positive.
double triangle_target(const make::ModelOptions& options, double by_default);

}  // namespace graze::mesh
