// SPDX-License-Identifier: MIT
#include <graze/mesh/make.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "math/vectors.hpp"
#include "mesh/make_parts.hpp"

namespace graze::make {
namespace {

using mesh::CosSin;
using mesh::Grid;

Vec3 unit_along(const Vec3& v) {
  const Vec3 w = math::of_size_one(v);  // the same bits, and squares that neither overflow nor underflow
  return w * (1 / std::sqrt(dot(w, w)));
}

[[noreturn]] void contradiction(const char* message) {
  throw Error(core::problem(ErrorCode::bad_option, "option", message));
}

/// A tube of elliptic cross-section around the z axis.
Mesh round_tube(const Grid& grid, double radius, double half_thickness, double half_width) {
  return mesh::closed_tube(grid, [&](std::uint32_t i, std::uint32_t j) {
    const CosSin around = mesh::turn(i, grid.columns), across = mesh::turn(j, grid.rows);
    const double r = radius + half_thickness * across.cos;
    return Vec3{r * around.cos, r * around.sin, half_width * across.sin};
  });
}

}  // namespace

Mesh torus(const TorusOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.major, "major");
  mesh::require_positive(options.minor, "minor");
  if (options.minor >= options.major) contradiction("minor must be smaller than major, or the torus meets itself");
  const Grid grid =
      mesh::grid_for(static_cast<double>(options.triangles) / 2, 2, {options.around, options.across}, {3, 3});
  return round_tube(grid, options.major, options.minor, options.minor);
}

Mesh ring(const RingOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.radius, "radius");
  mesh::require_positive(options.thickness, "thickness");
  mesh::require_positive(options.width, "width");
  if (options.thickness >= 2 * options.radius) contradiction("thickness must be smaller than the diameter");
  const Grid grid =
      mesh::grid_for(static_cast<double>(options.triangles) / 2, 8, {options.around, options.across}, {3, 3});
  return round_tube(grid, options.radius, options.thickness / 2, options.width / 2);
}

Mesh torus_knot(const TorusKnotOptions& options) {
  const core::FpGuard guard;
  mesh::require_positive(options.major, "major");
  mesh::require_positive(options.minor, "minor");
  mesh::require_positive(options.tube, "tube");
  if (options.p == 0 || std::gcd(options.p, options.q) != 1) {
    contradiction("p and q must be coprime and p positive, or the curve is no knot");
  }
  if (options.minor + options.tube >= options.major) contradiction("minor + tube must be smaller than major");
  const std::uint32_t least = 12 * std::max(options.p, options.q);
  const Grid grid =
      mesh::grid_for(static_cast<double>(options.triangles) / 2, 10, {options.along, options.across}, {least, 3}, 12);
  struct Frame {
    Vec3 centre, normal, binormal;
  };
  std::vector<Frame> frames;
  const double scale = mesh::power_below(options.major);  // so that squares of tangents neither overflow nor underflow
  for (std::uint64_t i = 0; i < grid.columns; ++i) {
    const CosSin a = mesh::turn(options.p * i, grid.columns), b = mesh::turn(options.q * i, grid.columns);
    const double r = options.major + options.minor * b.cos;
    const double p = options.p * (r / scale), q = options.q * (options.minor / scale);
    const Vec3 tangent = unit_along({-p * a.sin - q * b.sin * a.cos, p * a.cos - q * b.sin * a.sin, q * b.cos});
    // The torus' own normal is never parallel to the curve and is periodic, so the tube closes without a twist.
    const Vec3 outward{b.cos * a.cos, b.cos * a.sin, b.sin};
    const Vec3 binormal = unit_along(cross(tangent, outward));
    frames.push_back({{r * a.cos, r * a.sin, options.minor * b.sin}, cross(binormal, tangent), binormal});
  }
  return mesh::closed_tube(grid, [&](std::uint32_t i, std::uint32_t j) {
    const CosSin across = mesh::turn(j, grid.rows);
    const Frame& f = frames[i];
    return f.centre + (f.normal * across.cos - f.binormal * across.sin) * options.tube;
  });
}

}  // namespace graze::make
