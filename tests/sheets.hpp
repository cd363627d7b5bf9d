// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::testing {

/// A square of n times n squares of two triangles each, at a height.
inline Mesh square_sheet(int n, double size, double z) {
  std::vector<Vec3> p;
  std::vector<Triangle> t;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) p.push_back({size * (i / double(n) - 0.5), size * (j / double(n) - 0.5), z});
  const auto id = [&](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      t.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
      t.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
    }
  return Mesh(p, std::span<const Triangle>(t));
}

inline std::vector<Vec3> vertices_of(const Mesh& m) { return {m.positions().begin(), m.positions().end()}; }

}  // namespace graze::testing
