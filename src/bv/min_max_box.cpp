// SPDX-License-Identifier: MIT
#include "bv/min_max_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <graze/math/box3.hpp>

#include "core/limits.hpp"

namespace graze::bv {
namespace {

/// Towards the faces, edges and corners of a cube, and the twelve directions between faces and edges. Of each pair of
/// opposite directions only one is listed.
constexpr std::array<Vec3, 25> searched{
    {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 0},  {1, -1, 0}, {1, 0, 1},  {1, 0, -1}, {0, 1, 1},  {0, 1, -1},
     {1, 1, 1},  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}, {2, 1, 0},  {2, -1, 0}, {2, 0, 1},  {2, 0, -1}, {1, 2, 0},
     {-1, 2, 0}, {0, 2, 1},  {0, 2, -1}, {1, 0, 2},  {-1, 0, 2}, {0, 1, 2},  {0, -1, 2}}};

bool normalise(Vec3& v) {
  const double squared = dot(v, v);
  if (!(squared > 0x1p-500) || !(squared < 0x1p500)) return false;
  v = v * (1 / std::sqrt(squared));
  return true;
}

double reach(std::span<const Vec3> points, const Vec3& n) {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const Vec3& p : points) {
    const double h = dot(n, p);
    lo = std::min(lo, h);
    hi = std::max(hi, h);
  }
  return hi - lo;
}

/// The points scaled to a size of about 1 around 0. If there are many, only those that are extreme along the searched
/// directions are kept: this affects only the choice of axes; `fit_along` makes the box hold all points.
std::vector<Vec3> outermost(std::span<const Vec3> points) {
  Box3 box;
  for (const Vec3& p : points) box.add(p);
  const Vec3 middle = 0.5 * box.lo + 0.5 * box.hi;
  double size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, 0.5 * box.hi[k] - 0.5 * box.lo[k]);
  if (!(size > 0) || !std::isfinite(size)) return {};
  const auto scaled = [&](const Vec3& p) {
    const Vec3 d = p - middle;
    return Vec3{d.x / size, d.y / size, d.z / size};
  };
  std::vector<Vec3> kept;
  if (points.size() <= 2 * searched.size()) {
    for (const Vec3& p : points) kept.push_back(scaled(p));
    return kept;
  }
  std::array<double, searched.size()> lo, hi;
  std::array<Vec3, searched.size()> at_lo, at_hi;
  lo.fill(std::numeric_limits<double>::infinity());
  hi.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % 4096 == 0) core::poll_once();
    const Vec3 d = scaled(points[i]);
    for (std::size_t k = 0; k < searched.size(); ++k) {
      const double h = dot(searched[k], d);
      if (h < lo[k]) lo[k] = h, at_lo[k] = d;
      if (h > hi[k]) hi[k] = h, at_hi[k] = d;
    }
  }
  kept.assign(at_lo.begin(), at_lo.end());
  kept.insert(kept.end(), at_hi.begin(), at_hi.end());
  return kept;
}

struct Direction {
  Vec3 n;
  double reach = std::numeric_limits<double>::infinity();

  void consider(std::span<const Vec3> points, Vec3 candidate) {
    if (!normalise(candidate)) return;
    const double r = bv::reach(points, candidate);
    if (r < reach) *this = {candidate, r};
  }
};

/// Two unit vectors perpendicular to n and to each other.
std::array<Vec3, 2> across(const Vec3& n) {
  const double x = std::fabs(n.x), y = std::fabs(n.y), z = std::fabs(n.z);
  Vec3 u = cross(n, x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
  normalise(u);
  return {u, cross(n, u)};
}

Vec3 least_reach(std::span<const Vec3> points, const Vec3 (&principal)[3]) {
  Direction best;
  for (const Vec3& n : principal) best.consider(points, n);
  for (const Vec3& n : searched) best.consider(points, n);
  for (double step = 0.25; step > 0.01; step *= 0.5) {  // pattern search around the best
    const auto [u, v] = across(best.n);
    const Vec3 from = best.n;
    for (const double s : {-step, step}) {
      best.consider(points, from + s * u);
      best.consider(points, from + s * v);
    }
  }
  return best.n;
}

Vec3 least_reach_across(std::span<const Vec3> points, const Vec3& n, const Vec3 (&principal)[3]) {
  Direction best;
  const auto [u, v] = across(n);
  best.consider(points, u);
  best.consider(points, v);
  for (const Vec3& p : principal) best.consider(points, p - dot(n, p) * n);
  for (const Vec3& p : searched) best.consider(points, p - dot(n, p) * n);
  for (double step = 0.25; step > 0.01; step *= 0.5) {
    const Vec3 from = best.n, w = cross(n, from);
    for (const double s : {-step, step}) best.consider(points, from + s * w);
  }
  return best.n;
}

/// Is the frame orthonormal to within 2^-49, as `fit_along` requires? Each product itself is known to 2^-50.
bool orthonormal(const Vec3 (&axes)[3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      if (!(std::fabs(dot(axes[i], axes[j]) - (i == j ? 1 : 0)) <= 0x1p-49)) return false;
  return true;
}

}  // namespace

OrientedBox fit_min_max_box(std::span<const Vec3> points) {
  const OrientedBox plain = fit_oriented_box(points);
  const std::vector<Vec3> kept = outermost(points);
  if (kept.empty()) return plain;
  Vec3 axes[3];
  axes[0] = least_reach(kept, plain.axis);
  axes[1] = least_reach_across(kept, axes[0], plain.axis);
  axes[1] = axes[1] - dot(axes[0], axes[1]) * axes[0];  // removes the rounding residue of the product
  normalise(axes[1]);
  axes[2] = cross(axes[0], axes[1]);
  if (!orthonormal(axes)) return plain;
  const OrientedBox fitted = fit_along(points, axes);
  return fitted.half_surface() < plain.half_surface() ? fitted : plain;
}

}  // namespace graze::bv
