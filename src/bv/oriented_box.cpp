// SPDX-License-Identifier: MIT
#include "bv/oriented_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <graze/math/box3.hpp>

namespace graze::bv {
namespace {

struct Frame {
  Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

using Matrix = double[3][3];

/// Jacobi rotations; twelve sweeps are more than a 3x3 matrix ever needs. Uses square roots only, so the result is
/// bitwise identical on every platform.
Frame eigenvectors(Matrix& m) {
  Frame f;
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (m[p][q] == 0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double kp = m[k][p], kq = m[k][q];
          m[k][p] = c * kp - s * kq;
          m[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; ++k) {
          const double pk = m[p][k], qk = m[q][k];
          m[p][k] = c * pk - s * qk;
          m[q][k] = s * pk + c * qk;
        }
        const Vec3 vp = f.axis[p], vq = f.axis[q];
        f.axis[p] = c * vp - s * vq;
        f.axis[q] = s * vp + c * vq;
      }
    }
  }
  return f;
}

/// The axes of the covariance, up to a factor: points are first scaled to about 1 by a power of two, so that nothing
/// overflows.
Frame principal_axes(std::span<const Vec3> points) {
  Box3 box;
  for (const Vec3& p : points) box.add(p);
  double largest = 0;
  for (int k = 0; k < 3; ++k) largest = std::max({largest, std::fabs(box.lo[k]), std::fabs(box.hi[k])});
  if (largest == 0) return {};
  const int down = -std::ilogb(largest);
  const auto scaled = [down](const Vec3& p) {
    return Vec3{std::scalbn(p.x, down), std::scalbn(p.y, down), std::scalbn(p.z, down)};
  };
  const double share = 1 / static_cast<double>(points.size());
  const Vec3 middle = 0.5 * (scaled(box.lo) + scaled(box.hi));
  Vec3 mean;
  for (const Vec3& p : points) mean = mean + share * (scaled(p) - middle);
  double size = 0;
  for (int k = 0; k < 3; ++k) size = std::max(size, scaled(box.hi)[k] - scaled(box.lo)[k]);
  if (size == 0) return {};
  const double up = std::scalbn(1.0, -std::ilogb(size));
  Matrix m = {};
  for (const Vec3& p : points) {
    const Vec3 d = up * ((scaled(p) - middle) - mean);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) m[i][j] += share * d[i] * d[j];
    }
  }
  return eigenvectors(m);
}

/// Removes the rounding residue from the products between the axes; falls back to the coordinate axes if that fails.
Frame orthonormal(Frame f) {
  Vec3* a = f.axis;
  a[0] = (1 / std::sqrt(dot(a[0], a[0]))) * a[0];
  a[1] = a[1] - dot(a[0], a[1]) * a[0];
  a[1] = (1 / std::sqrt(dot(a[1], a[1]))) * a[1];
  a[2] = cross(a[0], a[1]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      // At most 2^-49, itself known to 2^-50: within the 2^-48 that `fit_along` requires. A NaN fails as well.
      if (!(std::fabs(dot(a[i], a[j]) - (i == j ? 1 : 0)) <= 0x1p-49)) return {};
    }
  }
  return f;
}

}  // namespace

OrientedBox fit_along(std::span<const Vec3> points, const Vec3 (&axes)[3]) {
  OrientedBox box;
  std::copy(axes, axes + 3, box.axis);
  if (points.empty()) return box;
  Vec3 lo, hi;
  for (const Vec3& p : points) {
    const Vec3 d = p - points[0];
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], dot(axes[k], d));
      hi[k] = std::max(hi[k], dot(axes[k], d));
    }
  }
  box.centre = points[0];
  for (int k = 0; k < 3; ++k) box.centre = box.centre + (0.5 * lo[k] + 0.5 * hi[k]) * axes[k];
  if (!is_finite(box.centre)) box.centre = {};  // overflow: only if the points nearly fill the range of doubles
  // The exact coefficients are the sk with p - centre = sum of sk axis[k]. With G the matrix of products of axes, |G -
  // 1| <= 2^-49 in each entry, s = G^-1 (axis . d), and G^-1 differs from 1 by less than 2^-46 in the row sum norm.
  // That and the rounding of d and of the products stay below 2^-45 |d|_1.
  double size = 0;
  for (const Vec3& p : points) {
    const Vec3 d = p - box.centre;
    size = std::max(size, std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z));
    for (int k = 0; k < 3; ++k) box.half[k] = std::max(box.half[k], std::fabs(dot(axes[k], d)));
  }
  for (int k = 0; k < 3; ++k) {
    box.half[k] += 0x1p-45 * size + std::numeric_limits<double>::min();
    if (!std::isfinite(size)) box.half[k] = std::numeric_limits<double>::infinity();  // a NaN may have been skipped
  }
  return box;
}

OrientedBox fit_oriented_box(std::span<const Vec3> points) {
  const Frame coordinate;
  if (points.empty()) return {};
  const Frame principal = orthonormal(principal_axes(points));
  const OrientedBox fitted = fit_along(points, principal.axis);
  const OrientedBox plain = fit_along(points, coordinate.axis);
  return plain.half_surface() <= fitted.half_surface() ? plain : fitted;
}

}  // namespace graze::bv
