// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <graze/core/error.hpp>
#include <graze/mesh/mesh.hpp>

namespace mesh_test {

using graze::Mesh;
using graze::PolygonId;
using graze::TriangleId;
using graze::Vec3;
using graze::VertexId;

inline Mesh make_mesh(std::vector<Vec3> positions, const std::vector<std::vector<std::uint32_t>>& polygons) {
  graze::PolygonList list;
  for (const auto& polygon : polygons) list.add(polygon);
  return Mesh(std::move(positions), std::move(list));
}

/// A mesh of one polygon through all positions.
inline Mesh one_polygon(std::vector<Vec3> positions) {
  std::vector<std::uint32_t> corners(positions.size());
  std::iota(corners.begin(), corners.end(), 0U);
  return make_mesh(std::move(positions), {corners});
}

/// The corners of a unit tetrahedron moved by `offset`, facing outward with `tetrahedron_faces`.
inline std::vector<Vec3> tetrahedron_positions(const Vec3& offset = {}) {
  return {offset, offset + Vec3{1, 0, 0}, offset + Vec3{0, 1, 0}, offset + Vec3{0, 0, 1}};
}
inline std::vector<std::vector<std::uint32_t>> tetrahedron_faces(std::uint32_t a = 0, std::uint32_t b = 1,
                                                                 std::uint32_t c = 2, std::uint32_t d = 3) {
  return {{a, c, b}, {a, b, d}, {b, c, d}, {a, d, c}};
}

/// Deterministic and the same everywhere, unlike <random>'s distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769U + 1) {}
  std::uint32_t operator()(std::uint32_t below) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>((state_ >> 20) % below);
  }

 private:
  std::uint64_t state_;
};

}  // namespace mesh_test
