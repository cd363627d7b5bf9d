// SPDX-License-Identifier: MIT
#include "mesh/make_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include <graze/core/error.hpp>

#include "math/predicates.hpp"

namespace graze::mesh {
namespace {

constexpr double quarter_pi = 0.78539816339744830962;

/// Taylor polynomials on [0, pi/4]: the truncation error is below a tenth of the last digit.
CosSin small_angle(double x) {
  const double y = x * x;
  double s = 0, c = 0;
  for (int i = 9; i >= 1; --i) {
    c = (1 + c) * (-y / ((2 * i - 1) * (2 * i)));
    s = (1 + s) * (-y / ((2 * i) * (2 * i + 1)));
  }
  return {1 + c, x + x * s};
}

[[noreturn]] void fail(ErrorCode code, std::string message) {
  throw Error({.code = code, .message = std::move(message), .element = "option", .file = {}});
}

std::uint32_t to_count(double x, std::uint32_t least) {
  return static_cast<std::uint32_t>(std::clamp(std::floor(x + 0.5), static_cast<double>(least), 4e9));
}

}  // namespace

CosSin turn(std::uint64_t k, std::uint64_t n) {
  const std::uint64_t eighths = 8 * (k % n);
  const std::uint64_t octant = eighths / n, rest = eighths % n;
  const bool mirrored = octant % 2 == 1;
  const double part = static_cast<double>(mirrored ? n - rest : rest) / static_cast<double>(n);
  CosSin u = small_angle(part * quarter_pi);
  if (part == 1) u = {std::sqrt(0.5), std::sqrt(0.5)};
  const bool swapped = octant % 4 == 1 || octant % 4 == 2;
  if (swapped) std::swap(u.cos, u.sin);
  const bool left = octant >= 2 && octant < 6, below = octant >= 4;
  return {left ? 0 - u.cos : u.cos, below ? 0 - u.sin : u.sin};
}

CosSin turn(double turns) {
  constexpr double steps = 0x1p40;
  return turn(static_cast<std::uint64_t>((turns - std::floor(turns)) * steps), std::uint64_t{1} << 40);
}

void Surface::add_convex_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (math::orient3d(positions[a], positions[b], positions[c], positions[d]) <= 0) {
    add_quad(a, b, c, d);
  } else {
    add_quad(b, c, d, a);
  }
}

Mesh Surface::finish() && { return Mesh(std::move(positions), triangles); }

Grid grid_for(double cells, double aspect, Grid given, Grid least, std::uint32_t row_step) {
  require_countable(2 * cells);
  Grid grid = given;
  if (grid.rows == 0) {
    double rows = grid.columns != 0 ? cells / grid.columns : std::sqrt(cells / aspect);
    if (grid.columns == 0 && rows + 1e-6 >= row_step) rows = std::floor((rows + 1e-6) / row_step) * row_step;
    grid.rows = to_count(rows, least.rows);
  }
  if (grid.columns == 0) grid.columns = to_count(cells / grid.rows, least.columns);
  require_at_least(grid.columns, least.columns, "divisions");
  require_at_least(grid.rows, least.rows, "divisions");
  require_countable(2.0 * grid.columns * grid.rows);
  return grid;
}

std::uint32_t divisions_for(double triangles, double triangles_of_one) {
  require_countable(triangles);
  return to_count(std::sqrt(triangles / triangles_of_one), 1);
}

Mesh closed_tube(Grid grid, const GridPoint& point) {
  Surface out;
  for (std::uint32_t j = 0; j < grid.rows; ++j) {
    for (std::uint32_t i = 0; i < grid.columns; ++i) out.add(point(i, j));
  }
  for (std::uint32_t j = 0; j < grid.rows; ++j) {
    const std::uint32_t low = j * grid.columns, high = (j + 1) % grid.rows * grid.columns;
    for (std::uint32_t i = 0; i < grid.columns; ++i) {
      const std::uint32_t next = (i + 1) % grid.columns;
      out.add_quad(low + i, low + next, high + next, high + i);
    }
  }
  return std::move(out).finish();
}

Surface capped_tube(Grid grid, const Vec3& south, const Vec3& north, const GridPoint& point, bool convex) {
  Surface out;
  out.add(south);
  for (std::uint32_t j = 1; j < grid.rows; ++j) {
    for (std::uint32_t i = 0; i < grid.columns; ++i) out.add(point(i, j));
  }
  const std::uint32_t top = out.add(north);
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return 1 + (j - 1) * grid.columns + i; };
  for (std::uint32_t i = 0; i < grid.columns; ++i) {
    const std::uint32_t next = (i + 1) % grid.columns;
    out.triangles.push_back({0, at(next, 1), at(i, 1)});
    for (std::uint32_t j = 1; j + 1 < grid.rows; ++j) {
      if (convex) {
        out.add_convex_quad(at(i, j), at(next, j), at(next, j + 1), at(i, j + 1));
      } else {
        out.add_quad(at(i, j), at(next, j), at(next, j + 1), at(i, j + 1));
      }
    }
    out.triangles.push_back({top, at(i, grid.rows - 1), at(next, grid.rows - 1)});
  }
  return out;
}

Surface sheet(Grid grid, const GridPoint& point) {
  Surface out;
  for (std::uint32_t j = 0; j <= grid.rows; ++j) {
    for (std::uint32_t i = 0; i <= grid.columns; ++i) out.add(point(i, j));
  }
  for (std::uint32_t j = 0; j < grid.rows; ++j) {
    for (std::uint32_t i = 0; i < grid.columns; ++i) {
      const std::uint32_t low = j * (grid.columns + 1) + i, high = low + grid.columns + 1;
      out.add_quad(low, low + 1, high + 1, high);
    }
  }
  return out;
}

namespace {

/// Creates the points on subdivided edges; each edge is subdivided once.
class EdgeDivider {
 public:
  EdgeDivider(std::vector<Vec3>& positions, std::uint32_t parts) : positions_(positions), n_(parts) {}

  double part(std::uint32_t i) const { return static_cast<double>(i) / n_; }

  /// Point i of n on the edge from a to b.
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t i) {
    if (i == 0) return a;
    if (i == n_) return b;
    if (a > b) return (*this)(b, a, n_ - i);
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    const auto [entry, fresh] = first_.try_emplace(key, static_cast<std::uint32_t>(positions_.size()));
    if (fresh) {
      const Vec3 from = positions_[a], step = positions_[b] - from;
      for (std::uint32_t k = 1; k < n_; ++k) positions_.push_back(from + step * part(k));
    }
    return entry->second + i - 1;
  }

 private:
  std::vector<Vec3>& positions_;
  std::uint32_t n_;
  std::unordered_map<std::uint64_t, std::uint32_t> first_;
};

void divide_triangle(const Triangle& t, std::uint32_t n, EdgeDivider& edge, Surface& out) {
  const Vec3 a = out.positions[t[0]], b = out.positions[t[1]], c = out.positions[t[2]];
  const auto point = [&](std::uint32_t i, std::uint32_t j) {  // row j from edge 0-1 to corner 2, point i in it
    if (j == 0) return edge(t[0], t[1], i);
    if (i == 0) return edge(t[0], t[2], j);
    if (i + j == n) return edge(t[1], t[2], j);
    return out.add(a + (b - a) * edge.part(i) + (c - a) * edge.part(j));
  };
  std::vector<std::uint32_t> row, above;
  for (std::uint32_t i = 0; i <= n; ++i) row.push_back(point(i, 0));
  for (std::uint32_t j = 1; j <= n; ++j) {
    above.clear();
    for (std::uint32_t i = 0; i + j <= n; ++i) above.push_back(point(i, j));
    for (std::uint32_t i = 0; i + j <= n; ++i) {
      out.triangles.push_back({row[i], row[i + 1], above[i]});
      if (i + j < n) out.triangles.push_back({row[i + 1], above[i + 1], above[i]});
    }
    row.swap(above);
  }
}

void divide_quad(std::span<const std::uint32_t> q, std::uint32_t n, EdgeDivider& edge, QuadSurface& out) {
  const Vec3 a = out.positions[q[0]], b = out.positions[q[1]], d = out.positions[q[3]];
  const auto point = [&](std::uint32_t i, std::uint32_t j) {
    if (j == 0) return edge(q[0], q[1], i);
    if (j == n) return edge(q[3], q[2], i);
    if (i == 0) return edge(q[0], q[3], j);
    if (i == n) return edge(q[1], q[2], j);
    out.positions.push_back(a + (b - a) * edge.part(i) + (d - a) * edge.part(j));
    return static_cast<std::uint32_t>(out.positions.size() - 1);
  };
  std::vector<std::uint32_t> row, above;
  for (std::uint32_t i = 0; i <= n; ++i) row.push_back(point(i, 0));
  for (std::uint32_t j = 1; j <= n; ++j) {
    above.clear();
    for (std::uint32_t i = 0; i <= n; ++i) above.push_back(point(i, j));
    for (std::uint32_t i = 0; i < n; ++i) out.quads.add(std::array{row[i], row[i + 1], above[i + 1], above[i]});
    row.swap(above);
  }
}

}  // namespace

Surface refine(const Surface& surface, std::uint32_t divisions) {
  require_countable(static_cast<double>(surface.triangles.size()) * divisions * divisions);
  if (divisions == 1) return surface;
  Surface out{surface.positions, {}};
  EdgeDivider edge(out.positions, divisions);
  for (const Triangle& t : surface.triangles) divide_triangle(t, divisions, edge, out);
  return out;
}

QuadSurface refine(const QuadSurface& surface, std::uint32_t divisions) {
  require_countable(2.0 * static_cast<double>(surface.quads.size()) * divisions * divisions);
  if (divisions == 1) return surface;
  QuadSurface out{surface.positions, {}};
  EdgeDivider edge(out.positions, divisions);
  for (std::size_t q = 0; q < surface.quads.size(); ++q) divide_quad(surface.quads[q], divisions, edge, out);
  return out;
}

QuadSurface cells_to_surface(const CellLines& lines, const IsSolid& solid) {
  const std::array<std::size_t, 3> n{lines.x.size() - 1, lines.y.size() - 1, lines.z.size() - 1};
  const auto is_solid = [&](const std::array<std::size_t, 3>& c) {
    // "-1" wraps to a large number and is therefore outside.
    return c[0] < n[0] && c[1] < n[1] && c[2] < n[2] && solid(c[0], c[1], c[2]);
  };
  QuadSurface out;
  std::vector<std::uint32_t> id(lines.x.size() * lines.y.size() * lines.z.size(), 0xFFFFFFFF);
  const auto vertex = [&](const std::array<std::size_t, 3>& c) {
    std::uint32_t& v = id[(c[2] * lines.y.size() + c[1]) * lines.x.size() + c[0]];
    if (v == 0xFFFFFFFF) {
      v = static_cast<std::uint32_t>(out.positions.size());
      out.positions.push_back({lines.x[c[0]], lines.y[c[1]], lines.z[c[2]]});
    }
    return v;
  };
  const auto add_side = [&](std::array<std::size_t, 3> cell, std::size_t axis, bool upper) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    cell[axis] += upper;
    std::array<std::uint32_t, 4> quad{};
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<std::size_t, 3> corner = cell;
      corner[u] += k == 1 || k == 2;
      corner[v] += k >= 2;
      quad[upper ? k : 3 - k] = vertex(corner);
    }
    out.quads.add(quad);
  };
  for (std::size_t k = 0; k < n[2]; ++k) {
    for (std::size_t j = 0; j < n[1]; ++j) {
      for (std::size_t i = 0; i < n[0]; ++i) {
        const std::array<std::size_t, 3> cell{i, j, k};
        if (!is_solid(cell)) continue;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          std::array<std::size_t, 3> below = cell, above = cell;
          --below[axis];
          ++above[axis];
          if (!is_solid(below)) add_side(cell, axis, false);
          if (!is_solid(above)) add_side(cell, axis, true);
        }
      }
    }
  }
  return out;
}

double triangle_target(const make::ModelOptions& options, double by_default) {
  require_positive(options.size, "size");
  return options.triangles == 0 ? by_default : static_cast<double>(options.triangles);
}

double power_below(double length) { return std::ldexp(1.0, std::ilogb(length)); }

void require_positive(double value, const char* option) {
  if (!(value > 0 && value <= 1e300)) {
    fail(ErrorCode::bad_option, std::string(option) + " must be positive and at most 1e300; give such a number");
  }
}

void require_at_least(std::uint64_t value, std::uint64_t least, const char* option) {
  if (value < least) {
    fail(ErrorCode::bad_option, std::string(option) + " must be at least " + std::to_string(least) +
                                    ", or 0 to let the number of triangles decide");
  }
}

void require_countable(double triangles) {
  if (!(triangles <= 1e9)) {
    fail(ErrorCode::too_large, "more than 1e9 triangles asked for; give a smaller number of triangles or divisions");
  }
}

}  // namespace graze::mesh
