// SPDX-License-Identifier: MIT
// Steps for the device: recorded ones, copies of them, and generated ones of the kinds that simulators are shown with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <graze/mesh/make.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::bench {

struct Scene {
  std::string name;
  Mesh from;
  std::vector<Vec3> to;
};

/// n x n copies beside each other.
inline Scene tiled(const Scene& s, int n) {
  Vec3 low = s.to[0], high = s.to[0];
  for (const Vec3& p : s.to)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  const double size = 1.5 * std::max(high.x - low.x, high.y - low.y);
  std::vector<Vec3> from, to;
  std::vector<Triangle> triangles;
  for (int i = 0; i < n * n; ++i) {
    const Vec3 by{size * (i % n), size * (i / n), 0};
    const auto first = static_cast<std::uint32_t>(from.size());
    for (const Vec3& p : s.from.positions()) from.push_back(p + by);
    for (const Vec3& p : s.to) to.push_back(p + by);
    for (const Triangle& t : s.from.triangles()) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return {s.name + ", " + std::to_string(n * n) + " copies", Mesh(from, triangles), to};
}

/// One strand in the middle and six around it, which are twisted further and pressed together.
inline Scene twisted_rod(std::uint32_t along) {
  constexpr std::uint32_t around = 16, strands = 7;
  constexpr double pi = 3.14159265358979323846;
  std::vector<Vec3> from, to;
  std::vector<Triangle> list;
  for (std::uint32_t s = 0; s < strands; ++s) {
    const auto base = static_cast<std::uint32_t>(from.size());
    for (std::uint32_t i = 0; i <= along; ++i)
      for (std::uint32_t k = 0; k < around; ++k)
        for (const double t : {0.0, 1.0}) {
          const double z = 0.4 * i, turn = (0.04 + 0.0004 * t) * z + s * pi / 3, a = 2 * pi * k / around;
          const double far = s == 6 ? 0 : 2.1 - 0.15 * t * (0.5 + 0.5 * std::sin(0.05 * z));
          (t == 0 ? from : to).push_back({far * std::cos(turn) + std::cos(a), far * std::sin(turn) + std::sin(a), z});
        }
    for (std::uint32_t i = 0; i < along; ++i)
      for (std::uint32_t k = 0; k < around; ++k) {
        const std::uint32_t p = base + i * around + k, q = base + i * around + (k + 1) % around;
        list.push_back({p, q, q + around});
        list.push_back({p, q + around, p + around});
      }
  }
  return {"twisted rod", Mesh(from, list), to};
}

/// Balls in a grid that fly towards the middle and turn a little.
inline Scene many_bodies(int n, std::uint32_t rows) {
  constexpr double pi = 3.14159265358979323846;
  std::vector<Vec3> from, to;
  std::vector<Triangle> list;
  const std::uint32_t around = 2 * rows;
  for (int b = 0; b < n * n * n; ++b) {
    const double jitter = 0.1 * std::sin(12.9898 * b);
    const Vec3 middle{2.15 * (b % n) + jitter, 2.15 * (b / n % n) - jitter, 2.15 * (b / n / n) + 0.5 * jitter};
    const double half = 1.075 * (n - 1);
    const Vec3 gone = (middle - Vec3{half, half, half}) * (-0.12 + 0.05 * jitter);
    const auto base = static_cast<std::uint32_t>(from.size());
    for (std::uint32_t i = 0; i <= rows; ++i)
      for (std::uint32_t k = 0; k < around; ++k) {
        const double up = pi * (i + 0.5) / (rows + 1), a = 2 * pi * k / around, c = std::cos(0.1), s = std::sin(0.1);
        const Vec3 p{std::sin(up) * std::cos(a), std::sin(up) * std::sin(a), std::cos(up)};
        from.push_back(middle + p);
        to.push_back(middle + gone + Vec3{c * p.x - s * p.y, s * p.x + c * p.y, p.z});
      }
    for (std::uint32_t i = 0; i < rows; ++i)
      for (std::uint32_t k = 0; k < around; ++k) {
        const std::uint32_t p = base + i * around + k, q = base + i * around + (k + 1) % around;
        list.push_back({p, q, q + around});
        list.push_back({p, q + around, p + around});
      }
  }
  return {"many bodies", Mesh(from, list), to};
}

/// A cloth with folds that is pulled down into a funnel.
inline Scene funnel(std::uint32_t n) {
  std::vector<Vec3> from, to;
  std::vector<Triangle> list;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j)
      for (const double t : {0.0, 1.0}) {
        const double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1, r = std::sqrt(x * x + y * y), a = std::atan2(y, x);
        // Deep folds around the opening, which close.
        const double narrow = 0.12 + (0.8 - 0.02 * t) * r * r, fold = 1.1 * (1 - 0.6 * r) * std::sin(14 * a + 8 * r);
        const double turn = a + (0.22 + 0.03 * t) * fold;
        (t == 0 ? from : to).push_back({narrow * std::cos(turn), narrow * std::sin(turn), r - 0.04 * t * (1.5 - r)});
      }
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t p = i * (n + 1) + j, q = p + n + 1;
      list.push_back({p, q, q + 1});
      list.push_back({p, q + 1, p + 1});
    }
  return {"funnel", Mesh(from, list), to};
}

}  // namespace graze::bench
