// SPDX-License-Identifier: MIT
#include <graze/mesh/weld.hpp>

#include <graze/mesh/classify.hpp>
#include <graze/mesh/make.hpp>

#include <gtest/gtest.h>

#include "unit/mesh/test_help.hpp"

namespace {

using namespace mesh_test;

TEST(Weld, TakesTheLowestIdAndKeepsEverything) {
  const Mesh mesh =
      make_mesh({{1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {-0.0, 0, -0.0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {3, 4, 5}});
  const Mesh welded = graze::weld(mesh);
  EXPECT_EQ(welded.vertex_count(), 6U);
  EXPECT_EQ(welded.polygon_count(), 2U);
  EXPECT_EQ(welded.polygons().corners, (std::vector<std::uint32_t>{0, 2, 1, 1, 2, 5}));
}

TEST(Weld, KeepsGroups) {
  const Mesh mesh = make_mesh({{1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}}, {{0, 2, 1}, {3, 2, 1}});
  const graze::PolygonGroups groups{{{"one", ""}, {"two", "part"}}, {1, 0}};
  const Mesh named({mesh.positions().begin(), mesh.positions().end()}, mesh.polygons(), groups);
  EXPECT_EQ(graze::weld(named).groups().names, groups.names);
  EXPECT_EQ(graze::weld(named).groups().of_polygon, groups.of_polygon);
}

TEST(Weld, NearIsNotEqual) {
  const Mesh mesh = make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0x1p-1074, 0}}, {{0, 1, 2}, {3, 1, 2}});
  EXPECT_EQ(graze::weld(mesh).polygons().corners, mesh.polygons().corners);
}

TEST(Weld, ClosesASoup) {
  const Mesh sphere = graze::make::sphere({.triangles = 528});
  std::vector<Vec3> soup;
  std::vector<graze::Triangle> triangles;
  for (const graze::Triangle& t : sphere.triangles()) {
    const auto base = static_cast<std::uint32_t>(soup.size());
    for (std::uint32_t v : t) soup.push_back(sphere.positions()[v]);
    triangles.push_back({base, base + 1, base + 2});
  }
  const Mesh mesh(soup, triangles);
  EXPECT_FALSE(graze::classify(mesh).closed);
  const graze::Classification welded = graze::classify(graze::weld(mesh));
  EXPECT_TRUE(welded.closed && welded.manifold && welded.oriented && welded.convex);
  EXPECT_EQ(welded.unused_vertices.size(), soup.size() - sphere.vertex_count());
}

}  // namespace
