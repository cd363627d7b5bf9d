// SPDX-License-Identifier: MIT
#include <graze/mesh/points.hpp>

#include <array>
#include <cmath>
#include <string>
#include <unordered_map>

#include <graze/core/error.hpp>

#include "core/fp_guard.hpp"
#include "core/refusal.hpp"

namespace graze {

namespace {

constexpr std::uint64_t most_points = std::uint64_t{1} << 31;

void check_grid(const VoxelGrid& g) {
  if (!(g.size > 0) || !std::isfinite(g.size))
    throw Error(core::problem(ErrorCode::bad_option, "voxel grid", "the size must be positive and finite"));
  const double cells = static_cast<double>(g.columns) * g.rows * g.layers;
  if (cells >= static_cast<double>(most_points))
    throw Error(core::problem(ErrorCode::too_large, "voxel grid", "it has more cubes than ids can number; split it"));
  if (static_cast<double>(g.occupied.size()) != cells)
    throw Error(core::problem(ErrorCode::bad_option, "voxel grid",
                              std::to_string(g.columns) + " columns, " + std::to_string(g.rows) + " rows and " +
                                  std::to_string(g.layers) + " layers need " +
                                  std::to_string(static_cast<std::uint64_t>(cells)) + " entries, not " +
                                  std::to_string(g.occupied.size())));
  const Vec3 far = g.origin + Vec3{g.size * g.columns, g.size * g.rows, g.size * g.layers};
  for (const Vec3& end : {g.origin, far})
    if (!std::isfinite(end.x) || !std::isfinite(end.y) || !std::isfinite(end.z))
      throw Error(core::problem(ErrorCode::not_finite, "voxel grid", "a cube is beyond the largest number there is"));
}

/// `each(column, row, layer)` for every occupied cube, in their order.
template <class Each>
void for_occupied(const VoxelGrid& g, const Each& each) {
  std::size_t i = 0;
  for (std::uint32_t layer = 0; layer < g.layers; ++layer)
    for (std::uint32_t row = 0; row < g.rows; ++row)
      for (std::uint32_t column = 0; column < g.columns; ++column, ++i)
        if (g.occupied[i]) each(column, row, layer);
}

/// Collects squares whose corners are corners of the grid.
class Squares {
 public:
  explicit Squares(const VoxelGrid& grid) : g_(grid) {}

  /// Around the cube at `at`, on its side of higher or lower `axis`, facing outward.
  void add(const std::array<std::uint32_t, 3>& at, std::size_t axis, bool higher) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::array<std::uint32_t, 4> corners{};
    for (std::size_t k = 0; k < 4; ++k) {
      std::array<std::uint32_t, 3> c = at;
      c[axis] += higher;
      const std::size_t turn = higher ? k : 3 - k;
      c[u] += turn == 1 || turn == 2;
      c[v] += turn >= 2;
      corners[k] = vertex(c);
    }
    polygons.add(corners);
  }

  std::vector<Vec3> positions;
  PolygonList polygons;

 private:
  std::uint32_t vertex(const std::array<std::uint32_t, 3>& c) {
    const std::uint64_t key =
        c[0] + (std::uint64_t{g_.columns} + 1) * (c[1] + (std::uint64_t{g_.rows} + 1) * std::uint64_t{c[2]});
    const auto [found, fresh] = numbers_.emplace(key, static_cast<std::uint32_t>(positions.size()));
    if (fresh) positions.push_back(g_.origin + Vec3{g_.size * c[0], g_.size * c[1], g_.size * c[2]});
    return found->second;
  }
  const VoxelGrid& g_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

Mesh point_mesh(std::span<const Vec3> points) {
  if (points.size() >= most_points)
    throw Error(core::problem(ErrorCode::too_large, "points", "there are more than ids can number; split them"));
  std::vector<Triangle> triangles;
  triangles.reserve(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) triangles.push_back({i, i, i});
  return Mesh(std::vector<Vec3>(points.begin(), points.end()), triangles);
}

std::vector<Vec3> voxel_centres(const VoxelGrid& g) {
  const core::FpGuard guard;
  check_grid(g);
  std::vector<Vec3> centres;
  for_occupied(g, [&](std::uint32_t column, std::uint32_t row, std::uint32_t layer) {
    centres.push_back(g.origin + Vec3{g.size * (column + 0.5), g.size * (row + 0.5), g.size * (layer + 0.5)});
  });
  return centres;
}

// Half of sqrt(3), rounded up. A centre's coordinate is rounded twice, each time by at most 2^-53 of |o| + size n.
double voxel_radius(const VoxelGrid& g) {
  const core::FpGuard guard;
  check_grid(g);
  const double reach = std::fabs(g.origin.x) + std::fabs(g.origin.y) + std::fabs(g.origin.z) +
                       g.size * (static_cast<double>(g.columns) + g.rows + g.layers);
  return g.size * 0.8660254037844388 + 0x1p-50 * reach;
}

Mesh voxel_mesh(const VoxelGrid& g) {
  const core::FpGuard guard;
  check_grid(g);
  const std::array<std::uint32_t, 3> ends{g.columns, g.rows, g.layers};
  const auto occupied = [&](const std::array<std::uint32_t, 3>& c) {
    return g.occupied[(std::size_t{c[2]} * g.rows + c[1]) * g.columns + c[0]];
  };
  Squares squares(g);
  for_occupied(g, [&](std::uint32_t column, std::uint32_t row, std::uint32_t layer) {
    const std::array<std::uint32_t, 3> at{column, row, layer};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const bool higher : {false, true}) {
        std::array<std::uint32_t, 3> beside = at;
        beside[axis] += higher ? 1 : ~std::uint32_t{0};  // below 0 is beyond the end, too
        if (beside[axis] >= ends[axis] || !occupied(beside)) squares.add(at, axis, higher);
      }
  });
  return Mesh(std::move(squares.positions), std::move(squares.polygons));
}

}  // namespace graze
