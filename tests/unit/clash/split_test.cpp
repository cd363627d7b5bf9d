// SPDX-License-Identifier: MIT
#include <graze/clash/split.hpp>

#include <gtest/gtest.h>

#include <graze/core/error.hpp>
#include <graze/mesh/make.hpp>

namespace graze::clash {
namespace {

Mesh two_triangles(bool joined, const PolygonGroups& groups = {}) {
  PolygonList polygons;
  polygons.add(std::vector<std::uint32_t>{1, 2, 3});
  polygons.add(joined ? std::vector<std::uint32_t>{3, 2, 4} : std::vector<std::uint32_t>{4, 5, 6});
  return Mesh({{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {4, 0, 0}, {5, 0, 0}, {4, 1, 0}}, polygons, groups);
}

TEST(ClashSplit, IntoPieces) {
  const auto pieces = split(two_triangles(false), "x", SplitBy::piece);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].name, "x/1");
  EXPECT_EQ(pieces[1].name, "x/2");
  EXPECT_EQ(pieces[1].mesh.vertex_count(), 3U);
  EXPECT_EQ(pieces[1].mesh.positions()[1], (Vec3{5, 0, 0}));
  EXPECT_EQ(split(two_triangles(true), "x", SplitBy::piece).size(), 1U);
  EXPECT_EQ(split(two_triangles(true), "x", SplitBy::piece)[0].name, "x");
  EXPECT_EQ(split(make::cube_array({.size = 1, .count = 10}), "x", SplitBy::piece).size(), 1000U);
}

TEST(ClashSplit, IntoGroups) {
  const Mesh mesh = two_triangles(true, {{{"unused", ""}, {"car", "door"}, {"", "wheel"}}, {2, 1}});
  const auto groups = split(mesh, "x.obj", SplitBy::group);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "x.obj/wheel");
  EXPECT_EQ(groups[1].name, "x.obj/car/door");
  EXPECT_EQ(groups[1].mesh.vertex_count(), 3U);
  EXPECT_EQ(split(two_triangles(true), "x", SplitBy::group)[0].name, "x");
  EXPECT_EQ(split(mesh, "x", SplitBy::file)[0].mesh.polygon_count(), 2U);
}

TEST(ClashSplit, OfNoPolygonsIsRefused) {
  const Mesh points({{0, 0, 0}}, {}, {}, {.edges = {}, .points = {0}});
  EXPECT_THROW(split(points, "x", SplitBy::file), Error);
}

TEST(ClashSplit, RecognisesInstances) {
  const Mesh a = make::box(), b = make::box(), c = make::box({.size = {1, 1, 2}});
  EXPECT_TRUE(same_mesh(a, b));
  EXPECT_EQ(hash_of(a), hash_of(b));
  EXPECT_FALSE(same_mesh(a, c));
  EXPECT_NE(hash_of(a), hash_of(c));
}

}  // namespace
}  // namespace graze::clash
