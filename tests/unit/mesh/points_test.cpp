// SPDX-License-Identifier: MIT
#include <graze/mesh/points.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <graze/core/error.hpp>
#include <graze/mesh/classify.hpp>

namespace graze {
namespace {

template <class Call>
ErrorCode code_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.detail().code;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Points, TriangleIIsPointI) {
  const std::vector<Vec3> points{{1, 2, 3}, {1, 2, 3}, {-4, 0, 1e9}};
  const Mesh mesh = point_mesh(points);
  ASSERT_EQ(mesh.triangle_count(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(mesh.triangles()[i], (Triangle{i, i, i}));
  EXPECT_EQ(mesh.positions()[2], points[2]);
  EXPECT_EQ(code_of([] { point_mesh({}); }), ErrorCode::empty_mesh);
  EXPECT_EQ(code_of([] { point_mesh(std::vector<Vec3>{{0, std::nan(""), 0}}); }), ErrorCode::not_finite);
}

TEST(Voxels, TheSurfaceOfOneOfTwoAndOfTwoThatShareAnEdge) {
  VoxelGrid grid{2, 2, 1, {10, 20, 30}, 0.5, {true, false, false, false}};
  Mesh mesh = voxel_mesh(grid);
  EXPECT_EQ(mesh.polygon_count(), 6u);
  EXPECT_EQ(mesh.vertex_count(), 8u);
  EXPECT_TRUE(classify(mesh).closed);
  EXPECT_EQ(mesh.box().lo, (Vec3{10, 20, 30}));
  EXPECT_EQ(mesh.box().hi, (Vec3{10.5, 20.5, 30.5}));
  // Facing outward: the signed volume is that of the cube.
  const auto volume = [](const Mesh& m) {
    double sum = 0;
    for (const Triangle& t : m.triangles()) {
      const Vec3 &a = m.positions()[t[0]], &b = m.positions()[t[1]], &c = m.positions()[t[2]];
      sum += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    }
    return sum / 6;
  };
  EXPECT_NEAR(volume(mesh), 0.125, 1e-9);
  grid.occupied = {true, true, false, false};
  EXPECT_EQ(voxel_mesh(grid).polygon_count(), 10u);
  EXPECT_NEAR(volume(voxel_mesh(grid)), 0.25, 1e-9);
  grid.occupied = {true, false, false, true};
  mesh = voxel_mesh(grid);
  EXPECT_EQ(mesh.polygon_count(), 12u);
  EXPECT_NEAR(volume(mesh), 0.25, 1e-9);
  EXPECT_EQ(voxel_centres(grid), (std::vector<Vec3>{{10.25, 20.25, 30.25}, {10.75, 20.75, 30.25}}));
  EXPECT_GE(voxel_radius(grid), std::sqrt(3 * 0.0625L));
  EXPECT_LE(voxel_radius(grid), 0.4330128);
}

TEST(Voxels, WhatIsRefused) {
  VoxelGrid grid{1, 1, 1, {}, 1, {false}};
  EXPECT_EQ(code_of([&] { voxel_mesh(grid); }), ErrorCode::empty_mesh);
  EXPECT_TRUE(voxel_centres(grid).empty());
  grid.occupied.push_back(true);
  EXPECT_EQ(code_of([&] { voxel_centres(grid); }), ErrorCode::bad_option);
  grid.occupied.pop_back();
  for (const double size : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    grid.size = size;
    EXPECT_EQ(code_of([&] { voxel_radius(grid); }), ErrorCode::bad_option);
  }
  grid.size = 1;
  grid.origin.y = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code_of([&] { voxel_mesh(grid); }), ErrorCode::not_finite);
  grid = {1u << 20, 1u << 20, 1u << 20, {}, 1, {}};
  EXPECT_EQ(code_of([&] { voxel_mesh(grid); }), ErrorCode::too_large);
}

}  // namespace
}  // namespace graze
