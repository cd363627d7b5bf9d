// SPDX-License-Identifier: MIT
#include "world/placed_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/quat_size.hpp"

namespace graze::world {

namespace {

constexpr double largest = std::numeric_limits<double>::max();

double outward(double x) { return std::fabs(x) <= largest ? x : std::copysign(largest, x); }

/// Row by row. The error of each entry is less than 16 eps (eps = 2^-53): with the largest component in [1/2, 1), every
/// product is below 1 and has an error of eps/2 (underflow adds less than 2^-1070), the sum of squares s lies in [1/4,
/// 4] with a relative error below 4 eps, and an entry is 2/s times a sum of two products, at most 2 in magnitude, or
/// one minus that.
std::array<double, 9> rotation(const Quat& any) {
  const Quat q = math::near_unit_size(any);
  const double s = 2 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.w * q.z),     s * (q.x * q.z + q.w * q.y),
          s * (q.x * q.y + q.w * q.z),     1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.w * q.x),
          s * (q.x * q.z - q.w * q.y),     s * (q.y * q.z + q.w * q.x),     1 - s * (q.x * q.x + q.y * q.y)};
}
constexpr double entry_error = 0x1p-48;  // twice the bound just derived

bool is_identity(const Quat& q) { return q.x == 0 && q.y == 0 && q.z == 0; }

/// The sum a + b rounded down (up): the next double below (above) the nearest double is below (above) the real sum.
double sum_down(double a, double b) { return std::nextafter(a + b, -std::numeric_limits<double>::infinity()); }
double sum_up(double a, double b) { return std::nextafter(a + b, std::numeric_limits<double>::infinity()); }

}  // namespace

Box3 widened(const Box3& box, double d) {
  Box3 out;
  for (int k = 0; k < 3; ++k) {
    out.lo[k] = outward(sum_down(box.lo[k], -d));
    out.hi[k] = outward(sum_up(box.hi[k], d));
  }
  return out;
}

Box3 placed_box(const Box3& local, const Pose& pose) {
  Box3 out;
  const Vec3& t = pose.translation();
  if (is_identity(pose.rotation())) {
    for (int k = 0; k < 3; ++k) {
      out.lo[k] = outward(sum_down(local.lo[k], t[k]));
      out.hi[k] = outward(sum_up(local.hi[k], t[k]));
    }
    return out;
  }
  const std::array<double, 9> r = rotation(pose.rotation());
  for (int k = 0; k < 3; ++k) {
    // Centre and half width along axis k. The real corners are sum r_kj x_j + t_k with |x_j - c_j| <= h_j. Errors: the
    // entries of r (2^-49 each, see above, times |x_j| <= |c_j| + h_j), the widths h_j (2^-53 of each), the rounding of
    // products and sums, less than 8 eps = 2^-50 of the sum of the terms' magnitudes, and that of the last two sums,
    // less than 2^-52 of it; together below 2^-48 of that sum. The sum is `size`; the factor 2^-47 also covers its own
    // rounding. Underflow of the products is below the smallest normal number, sums do not underflow.
    double centre = t[k], half = 0, size = std::fabs(t[k]);
    for (int j = 0; j < 3; ++j) {
      const double c = local.lo[j] * 0.5 + local.hi[j] * 0.5;
      const double h = std::max(local.hi[j] - c, c - local.lo[j]);
      const double entry = r[static_cast<std::size_t>(3 * k + j)];
      centre += entry * c;
      half += std::fabs(entry) * h;
      size += std::fabs(c) + h;
    }
    const double error = 2 * entry_error * size + std::numeric_limits<double>::min();
    out.lo[k] = centre - (half + error);
    out.hi[k] = centre + (half + error);
    // Too large for double precision: nothing is known, so the box covers everything.
    if (!std::isfinite(out.lo[k]) || !std::isfinite(out.hi[k])) out.lo[k] = -largest, out.hi[k] = largest;
  }
  return out;
}

std::optional<TiltedBox> tilted_box(const Box3& local, const Pose& pose) {
  if (is_identity(pose.rotation())) return std::nullopt;
  const std::array<double, 9> r = rotation(pose.rotation());
  // Which s satisfies R x + t = corner + sum s_j edge_j, for an x of the mesh? With lo' = lo - m and w = hi' - lo', and
  // all rounding errors in the edges' F (below 2^-51 of an entry of 1, underflow included, as w > 2^-1022) and in v:
  //   s_j w_j = (x - lo')_j - ((r + F)^-1 F (x - lo'))_j + ((r + F)^-1 v)_j,   |v| <= (entry_error + 2^-50) S,
  // where S is the sum of the magnitudes of all terms of a coordinate. r + F is within 2^-46 of a rotation, so that the
  // rows of its inverse have a 1-norm below 2, and s_j w_j differs from (x - lo')_j by less than 2^-46 S. As (x -
  // lo')_j lies between m and w_j - m, a margin m of that keeps every s in [0, 1]. The margin used is four times as
  // large, which covers the rounding of S and what m adds to it.
  double size = 0;
  for (int k = 0; k < 3; ++k)
    size += std::fabs(pose.translation()[k]) + std::max(std::fabs(local.lo[k]), std::fabs(local.hi[k]));
  const double margin = 0x1p-44 * size + std::numeric_limits<double>::min();
  if (!std::isfinite(margin)) return std::nullopt;
  const Box3 wide = widened(local, margin);
  TiltedBox out;
  out.corner = pose.translation();
  for (int j = 0; j < 3; ++j) {
    const double width = std::nextafter(wide.hi[j] - wide.lo[j], largest);
    for (int k = 0; k < 3; ++k) {
      const double entry = r[static_cast<std::size_t>(3 * k + j)];
      out.corner[k] += entry * wide.lo[j];
      out.edges[static_cast<std::size_t>(j)][k] = entry * width;
    }
    if (!is_finite(out.edges[static_cast<std::size_t>(j)])) return std::nullopt;
  }
  if (!is_finite(out.corner)) return std::nullopt;
  return out;
}

namespace {

Vec3 middle(const Box3& box) { return box.lo * 0.5 + box.hi * 0.5; }

}  // namespace

double radius_of(const Mesh& mesh) {
  const Vec3 centre = middle(mesh.box());
  double reach = 0;
  for (int k = 0; k < 3; ++k) reach = std::max({reach, mesh.box().hi[k] - centre[k], centre[k] - mesh.box().lo[k]});
  if (!(reach > 0) || !std::isfinite(reach)) return reach > 0 ? largest : 0;
  int exponent;
  std::frexp(reach, &exponent);
  double most = 0;
  for (const Triangle& t : mesh.triangles())
    for (const std::uint32_t v : t) {
      Vec3 d = mesh.positions()[v] - centre;
      // The components are at most 1 in magnitude, and the largest is about 1: what underflows here is too small to
      // matter below.
      for (int k = 0; k < 3; ++k) d[k] = std::ldexp(d[k], -exponent);
      most = std::max(most, dot(d, d));
    }
  // The error of differences, squares, sums and the root is less than 8 eps of the result.
  return std::nextafter(std::ldexp(std::sqrt(most) * (1 + 0x1p-48), exponent), largest);
}

Box3 placed_cube(const Box3& local, double radius, const Pose& pose) {
  const Vec3 centre = middle(local);
  return widened(placed_box({centre, centre}, pose), radius);
}

}  // namespace graze::world
