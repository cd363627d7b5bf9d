// SPDX-License-Identifier: MIT
#include <graze/mesh/make.hpp>

#include <cmath>

#include "core/fp_guard.hpp"
#include "mesh/make_features.hpp"
#include "mesh/make_parts.hpp"

// Both blobs are given by the distance from a centre or an axis as a function of direction, so the surface cannot
// intersect itself, however far a feature extends.
namespace graze::make {
namespace {

using mesh::bump;
using mesh::CosSin;
using mesh::Grid;
using mesh::ramp;
using mesh::Surface;

Vec3 unit(const Vec3& v) { return v * (1 / std::sqrt(dot(v, v))); }

Surface icosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  Surface out;
  out.positions = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  out.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                   {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                   {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return out;
}

struct Feature {
  Vec3 direction;
  double reach;  ///< as a chord of the unit sphere
  double height;
};

double bunny_radius(const Vec3& u) {
  static constexpr Feature features[] = {
      {{0.75, 0, 0.66}, 0.75, 0.17},                                        // head
      {{0.42, 0.22, 0.88}, 0.27, 0.42}, {{0.42, -0.22, 0.88}, 0.27, 0.42},  // ears
      {{0.97, 0, 0.24}, 0.25, 0.08},                                        // snout
      {{-0.93, 0, -0.36}, 0.35, 0.1},                                       // tail
      {{0.7, 0.4, -0.6}, 0.35, 0.14},   {{0.7, -0.4, -0.6}, 0.35, 0.14},    // front paws
      {{0.1, 0.75, -0.65}, 0.6, 0.1},   {{0.1, -0.75, -0.65}, 0.6, 0.1},    // hind legs
      {{0.85, 0.3, 0.45}, 0.12, -0.03}, {{0.85, -0.3, 0.45}, 0.12, -0.03},  // eyes
  };
  double r = 0.3;
  for (const Feature& f : features) {
    const Vec3 d = u - unit(f.direction);
    r += f.height * bump(dot(d, d) / (f.reach * f.reach));
  }
  // Fur: shallow waves, so that only small patches are convex.
  return r + 0.004 * mesh::turn(5 * u.x + 3 * u.z).sin * mesh::turn(6 * u.y - 2 * u.x).cos;
}

double santa_radius(double z, const CosSin& around) {
  const auto near = [](double x, double centre, double reach) { return (x - centre) / reach * ((x - centre) / reach); };
  const double to_front = 2 - 2 * around.cos, to_back = 2 + 2 * around.cos, to_side = 2 - 2 * std::fabs(around.sin);
  const double robe = 0.2 - 0.05 * ramp((z - 0.2) / 0.4);
  const double head = 0.11 * ramp((0.8 - z) / 0.06), cap = 0.1 * ramp((0.98 - z) / 0.2);
  double r = 0.02 + ramp((0.62 - z) / 0.06) * robe + ramp((z - 0.57) / 0.05) * (z < 0.78 ? head : cap);
  r += 0.06 * bump(near(z, 0.38, 0.2) + to_front / 1.2);     // belly
  r += 0.2 * bump(near(z, 0.48, 0.18) + to_back / 0.35);     // sack
  r += 0.16 * bump(near(z, 0.48, 0.08) + to_side / 0.06);    // arms
  r += 0.05 * bump(near(z, 0.6, 0.1) + to_front / 0.3);      // beard
  r += 0.04 * bump(near(z, 0.68, 0.025) + to_front / 0.03);  // nose
  r += 0.025 * bump(near(z, 0.34, 0.025));                   // belt
  r += 0.035 * bump(near(z, 0.77, 0.03));                    // brim
  r += 0.05 * bump(near(z, 0.96, 0.035));                    // pompon
  const double to_boot =
      (around.cos - 0.8) * (around.cos - 0.8) + (std::fabs(around.sin) - 0.6) * (std::fabs(around.sin) - 0.6);
  r += 0.1 * bump(near(z, 0.03, 0.08) + to_boot / 0.15);        // boots
  return r - 0.06 * bump(near(z, 0.0, 0.2) + to_front / 0.05);  // between the legs
}

}  // namespace

Mesh bunny(const ModelOptions& options) {
  const core::FpGuard guard;
  Surface surface = mesh::refine(icosahedron(), mesh::divisions_for(mesh::triangle_target(options, 69451), 20));
  for (Vec3& p : surface.positions) {
    const Vec3 u = unit(p);
    p = u * bunny_radius(u);
    p.x -= 0.35 * p.z * p.z;  // ears lean back; a shear cannot make the surface intersect itself
    p = p * options.size;
  }
  return std::move(surface).finish();
}

Mesh santa(const ModelOptions& options) {
  const core::FpGuard guard;
  Grid grid = mesh::grid_for(mesh::triangle_target(options, 37888) / 2, 148.0 / 128, {0, 0}, {8, 8});
  grid.rows += 1;
  const auto point = [&](std::uint32_t i, std::uint32_t j) {
    const double z = static_cast<double>(j - 1) / (grid.rows - 1);  // the first ring is the border of the soles
    const CosSin around = mesh::turn(i, grid.columns);
    const double r = santa_radius(z, around);
    return Vec3{r * around.cos, r * around.sin, z - 0.5} * options.size;
  };
  const double h = options.size / 2;
  return mesh::capped_tube(grid, {0, 0, -h}, {0, 0, h}, point).finish();
}

}  // namespace graze::make
