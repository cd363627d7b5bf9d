// SPDX-License-Identifier: MIT
#include "ask/deform/plane_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/vectors.hpp"

namespace graze {

namespace {

constexpr std::size_t most = 5;

/// The first time at which the lower convex hull of Bernstein coefficients, below which the polynomial never is, falls
/// to `level`; 2: never.
double first_fall(const std::array<double, most>& b, std::size_t degree, double level) {
  double time = 2;
  for (std::size_t k = 1; k <= degree; ++k)
    for (std::size_t j = 0; j < k && b[k] < level; ++j)
      if (b[j] >= level)
        time = std::min(time, (static_cast<double>(j) + (b[j] - level) / (b[j] - b[k]) * static_cast<double>(k - j)) /
                                  static_cast<double>(degree));
  return time;
}

}  // namespace

Plane plane_of(const Body& half_space, const Motion& at_rest) {
  const Placement p = at_rest.at(0);
  return {{p.r[2], p.r[5], p.r[8]}, p.t, half_space.shape()->rounding};
}

/// Heights above the plane are polynomials. They are rounded down by a bound of all errors: the rounded normal is off
/// by less than 2^-46 in each coordinate, and differences, products, sums and the subdivisions below by less than that,
/// relative to the sizes summed up here.
std::optional<PlaneContact> plane_contact(std::span<const Vec3> control, const Plane& plane, double separation,
                                          double tolerance) {
  const auto size = [](const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); };
  const std::size_t degree = control.size() - 1;
  double error = 0;
  for (const Vec3& p : control)
    error = std::max(error, 0x1p-43 * (size(p) + size(plane.origin) + plane.rounding + separation) + 0x1p-1060);
  std::array<double, most> b{};
  bool above = true;
  for (std::size_t k = 0; k <= degree; ++k) {
    b[k] = dot(plane.normal, control[k] - plane.origin) - plane.rounding - separation - error;
    above = above && b[k] > 0;  // false for NaN, where numbers overflow
  }
  if (above) return std::nullopt;
  if (!(b[0] > 0)) return PlaneContact{{0, 0}, std::max(0.0, b[0] + separation)};  // NaN, where numbers overflow, too
  const double keep = std::min(tolerance, b[0]) / 2;  // the height at `safe` is that, at least
  double t = 0;
  for (int steps = 0; steps < 256 && t < 1 && b[0] > 2 * keep; ++steps) {
    const double fall = first_fall(b, degree, keep);
    if (fall > 1) return std::nullopt;
    if (!(fall > 0)) break;
    const double share = std::min(fall * (1 - 0x1p-49), 1.0);
    for (std::size_t r = 1; r <= degree; ++r)
      for (std::size_t k = 0; k + r <= degree; ++k) b[k] += (b[k + 1] - b[k]) * share;
    t = (t + (1 - t) * share) * (1 - 0x1p-52);
    if (degree == 1) break;
  }
  return PlaneContact{{t, std::min(1.0, next_up(t))}, std::max(0.0, b[0] + separation)};
}

}  // namespace graze
