// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <graze/math/vec3.hpp>

namespace graze::engine::deform {

/// The argument of IPC's mollifier for two edges: |u x v|^2, and the value of it at which the mollifier becomes 1.
struct Parallelism {
  double crossed, limit;

  bool nearly_parallel() const { return crossed < limit; }
};
inline Parallelism parallelism(const std::array<std::uint32_t, 4>& edges, std::span<const Vec3> positions,
                               std::span<const Vec3> rest, double mollifier) {
  const Vec3 n = cross(positions[edges[1]] - positions[edges[0]], positions[edges[3]] - positions[edges[2]]);
  const Vec3 u = rest[edges[1]] - rest[edges[0]], v = rest[edges[3]] - rest[edges[2]];
  return {dot(n, n), mollifier * dot(u, u) * dot(v, v)};
}

}  // namespace graze::engine::deform
