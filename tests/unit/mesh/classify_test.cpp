// SPDX-License-Identifier: MIT
#include <graze/mesh/classify.hpp>

#include <cmath>

#include <graze/mesh/make.hpp>

#include <gtest/gtest.h>

#include "mesh/make_parts.hpp"
#include "unit/mesh/test_help.hpp"

namespace {

using namespace mesh_test;
using graze::Classification;
using graze::classify;

std::vector<std::vector<std::uint32_t>> operator+(std::vector<std::vector<std::uint32_t>> a,
                                                  const std::vector<std::vector<std::uint32_t>>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Vec3> operator+(std::vector<Vec3> a, const std::vector<Vec3>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Classify, TetrahedronInsideOut) {
  const Classification out = classify(make_mesh(tetrahedron_positions(), tetrahedron_faces()));
  EXPECT_TRUE(out.closed && out.manifold && out.oriented && out.even && out.convex);
  EXPECT_TRUE(out.planar_polygons && out.convex_polygons);
  EXPECT_EQ(out.volume_sign, 1);
  EXPECT_EQ(out.euler_characteristic, 2);
  EXPECT_EQ(out.edge_count, 6U);
  const Classification in = classify(make_mesh(tetrahedron_positions(), tetrahedron_faces(0, 2, 1, 3)));
  EXPECT_EQ(in.volume_sign, -1);
  EXPECT_TRUE(in.oriented && in.convex);
}

TEST(Classify, OneTriangle) {
  const Classification c = classify(one_polygon({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_FALSE(c.closed || c.even || c.convex);
  EXPECT_TRUE(c.manifold && c.oriented);
  ASSERT_EQ(c.boundary_edges.size(), 3U);
  EXPECT_EQ(c.boundary_edges[1].edge, (std::array{VertexId{0}, VertexId{2}}));
  EXPECT_EQ(c.boundary_edges[1].polygon_count, 1U);
  EXPECT_EQ(c.volume_sign, 0);
  EXPECT_EQ(c.euler_characteristic, 1);
}

TEST(Classify, TetrahedraThatShareAnEdge) {
  const Classification c = classify(make_mesh(tetrahedron_positions() + std::vector<Vec3>{{-1, 0, 0}, {0, -1, 0}},
                                              tetrahedron_faces() + tetrahedron_faces(0, 4, 5, 3)));
  EXPECT_TRUE(c.closed && c.even && c.oriented);
  EXPECT_FALSE(c.manifold || c.convex);
  ASSERT_EQ(c.non_manifold_edges.size(), 1U);
  EXPECT_EQ(c.non_manifold_edges[0].edge, (std::array{VertexId{0}, VertexId{3}}));
  EXPECT_EQ(c.non_manifold_edges[0].polygon_count, 4U);
  EXPECT_TRUE(c.non_manifold_vertices.empty());
  EXPECT_EQ(c.component_count, 1U);
  EXPECT_EQ(c.volume_sign, 1);
}

TEST(Classify, TetrahedraThatShareAVertex) {
  const Classification c =
      classify(make_mesh(tetrahedron_positions() + std::vector<Vec3>{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                         tetrahedron_faces() + tetrahedron_faces(0, 5, 4, 6)));
  EXPECT_TRUE(c.closed && c.even && c.oriented);
  EXPECT_FALSE(c.manifold) << "every edge has two polygons, but not so the vertex";
  EXPECT_TRUE(c.non_manifold_edges.empty());
  EXPECT_EQ(c.non_manifold_vertices, std::vector{VertexId{0}});
  EXPECT_EQ(c.component_count, 1U);
  EXPECT_EQ(c.euler_characteristic, 3);
}

TEST(Classify, SeparateAndNested) {
  const auto far = tetrahedron_faces(4, 5, 6, 7);
  const Classification apart =
      classify(make_mesh(tetrahedron_positions() + tetrahedron_positions({5, 0, 0}), far + tetrahedron_faces()));
  EXPECT_EQ(apart.component_count, 2U);
  EXPECT_EQ(apart.component_of, (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_TRUE(apart.closed && apart.manifold && apart.oriented);
  EXPECT_FALSE(apart.convex);
  EXPECT_EQ(apart.euler_characteristic, 4);
}

TEST(Classify, MoebiusStrip) {
  // Five quads around, the last one twisted.
  std::vector<Vec3> positions;
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto around = graze::mesh::turn(i, 5), half = graze::mesh::turn(i, 10);
    for (double side : {-0.3, 0.3}) {
      const double r = 1 + side * half.cos;
      positions.push_back({r * around.cos, r * around.sin, side * half.sin});
    }
  }
  std::vector<std::vector<std::uint32_t>> quads;
  for (std::uint32_t i = 0; i < 4; ++i) quads.push_back({2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
  quads.push_back({8, 1, 0, 9});
  const Classification c = classify(make_mesh(positions, quads));
  EXPECT_TRUE(c.manifold);
  EXPECT_FALSE(c.closed || c.oriented);
  ASSERT_EQ(c.orientation_conflicts.size(), 1U);
  EXPECT_EQ(c.orientation_conflicts[0].edge, (std::array{VertexId{0}, VertexId{1}}));
  EXPECT_EQ(c.orientation_conflicts[0].polygons, (std::array{PolygonId{0}, PolygonId{4}}));
  EXPECT_EQ(c.euler_characteristic, 0);
}

TEST(Classify, KleinBottle) {
  // A grid closed in one direction, and in the other one mirrored: closed, manifold, and nothing can orient it.
  constexpr std::uint32_t n = 6;
  std::vector<Vec3> positions(n * n);
  for (std::uint32_t i = 0; i < n * n; ++i)
    positions[i] = {static_cast<double>(i % n), static_cast<double>(i / n), i * 0.1};
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return j < n ? j * n + i % n : (n - i % n) % n; };
  std::vector<std::vector<std::uint32_t>> quads;
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) quads.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
  }
  const Classification c = classify(make_mesh(positions, quads));
  EXPECT_TRUE(c.closed && c.manifold && c.even);
  EXPECT_FALSE(c.oriented);
  EXPECT_EQ(c.orientation_conflicts.size(), n);
  EXPECT_EQ(c.euler_characteristic, 0);
  EXPECT_EQ(c.volume_sign, 0);
}

TEST(Classify, DegenerateDuplicateAndUnused) {
  const Classification c = classify(make_mesh(
      {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {7, 7, 7}, {1, 1, 0}},
      {{0, 1, 3}, {0, 1, 2}, {3, 1, 0}, {1, 1, 1}, {0, 1, 2, 1}, {0, 1, 5, 3}, {3, 5, 1, 0, 0}, {0, 2, 5, 3}}));
  EXPECT_EQ(c.degenerate_polygons, (std::vector{PolygonId{1}, PolygonId{3}, PolygonId{4}}));
  EXPECT_EQ(c.duplicate_polygons,
            (std::vector<graze::DuplicatePolygon>{
                {PolygonId{2}, PolygonId{0}}, {PolygonId{4}, PolygonId{1}}, {PolygonId{6}, PolygonId{5}}}));
  EXPECT_EQ(c.unused_vertices, std::vector{VertexId{4}});
  EXPECT_EQ(c.non_convex_polygons, (std::vector{PolygonId{1}, PolygonId{3}, PolygonId{4}}));
  EXPECT_TRUE(c.planar_polygons);
  EXPECT_FALSE(c.degenerate_triangles.empty());
}

TEST(Classify, PolygonShapes) {
  const auto convex = [](std::vector<Vec3> p) { return classify(one_polygon(std::move(p))).convex_polygons; };
  EXPECT_TRUE(convex({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}));
  EXPECT_TRUE(convex({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}})) << "a flat corner is fine";
  EXPECT_TRUE(convex({{0, 0, 0}, {0, 0, 0}, {2, 0, 0}, {2, 2, 0}})) << "a repeated corner is fine";
  EXPECT_TRUE(convex({{0, 0, 0}, {0, 2, 0}, {0, 2, 2}, {0, 0, 2}})) << "upright";
  EXPECT_FALSE(convex({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1.2, 0.8, 0}})) << "two extrema in x and y, yet concave";
  EXPECT_FALSE(convex({{0, -1, 0}, {0.7, 1, 0}, {-1, 0, 0}, {1, 0, 0}, {-0.7, 1, 0}})) << "a star turns one way only";
  EXPECT_FALSE(convex({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}))
      << "twice around";
  EXPECT_FALSE(convex({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 1}})) << "not planar";
  EXPECT_FALSE(convex({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}})) << "degenerate";
  EXPECT_FALSE(convex({{0, 0, 0}, {3, 0, 0}, {2, 0, 0}, {2, 2, 0}})) << "turns back";
}

TEST(Classify, ConvexityIsExact) {
  // An octahedron-like body over a square whose one corner is pushed in by the least possible amount.
  const auto pushed = [](double x) {
    return classify(
        make_mesh({{1, 0, 0}, {0, 1, 0}, {x, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                  {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}}));
  };
  EXPECT_TRUE(pushed(-1).convex);
  EXPECT_TRUE(pushed(-0x1p-1074).convex);
  EXPECT_FALSE(pushed(0x1p-1074).convex);
  EXPECT_TRUE(pushed(0x1p-1074).closed && pushed(0x1p-1074).volume_sign == 1);
}

TEST(Classify, FlatEdgesAreConvex) {
  EXPECT_TRUE(classify(graze::make::box({.divisions = 4})).convex);
  EXPECT_TRUE(classify(graze::make::tetrahedron({.divisions = 7})).convex);
}

TEST(Classify, ThinBodiesWithoutInnerPoints) {
  // One unit in the last place thick: no double lies strictly inside.
  const double z = std::nextafter(1.0, 2.0);
  const Mesh slab = make_mesh({{0, 0, 1}, {4, 0, 1}, {4, 4, 1}, {0, 4, 1}, {0, 0, z}, {4, 0, z}, {4, 4, z}, {0, 4, z}},
                              {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});
  const Classification c = classify(slab);
  EXPECT_EQ(c.volume_sign, 1);
  EXPECT_TRUE(c.convex);
}

TEST(Classify, ConvexEdgesAreNotEnough) {
  // A bipyramid over a five-pointed star: all dihedral angles are convex, and by its Euler characteristic it is a
  // sphere.
  std::vector<Vec3> positions{{0, 0, 1}, {0, 0, -1}};
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto u = graze::mesh::turn(2 * i, 5);
    positions.push_back({u.cos, u.sin, 0});
  }
  std::vector<std::vector<std::uint32_t>> faces;
  for (std::uint32_t i = 0; i < 5; ++i) {
    faces.push_back({0, 2 + i, 2 + (i + 1) % 5});
    faces.push_back({1, 2 + (i + 1) % 5, 2 + i});
  }
  const Classification c = classify(make_mesh(positions, faces));
  EXPECT_TRUE(c.closed && c.manifold && c.oriented && c.convex_polygons);
  EXPECT_EQ(c.euler_characteristic, 2);
  EXPECT_FALSE(c.convex);
}

TEST(Classify, SchoenhardtPrismIsNotConvex) {
  std::vector<Vec3> positions;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto low = graze::mesh::turn(i, 3), high = graze::mesh::turn(12 * i + 3, 36);
    positions.push_back({low.cos, low.sin, 0});
    positions.push_back({high.cos, high.sin, 1});
  }
  const auto prism = [&](bool inward) {
    std::vector<std::vector<std::uint32_t>> faces{{4, 2, 0}, {1, 3, 5}};
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t a = 2 * i, b = 2 * ((i + 1) % 3), c = b + 1, d = a + 1;
      if (inward) {
        faces.push_back({a, b, c});
        faces.push_back({a, c, d});
      } else {
        faces.push_back({a, b, d});
        faces.push_back({b, c, d});
      }
    }
    return classify(make_mesh(positions, faces));
  };
  EXPECT_NE(prism(false).convex, prism(true).convex) << "one way to cut the quads makes notches, the other does not";
  std::vector<std::vector<std::uint32_t>> quads{{4, 2, 0}, {1, 3, 5}, {0, 2, 3, 1}, {2, 4, 5, 3}, {4, 0, 1, 5}};
  const Classification whole = classify(make_mesh(positions, quads));
  EXPECT_FALSE(whole.planar_polygons || whole.convex) << "uncut, its polygons are not planar";
}

TEST(Classify, VolumeSignNearZero) {
  // Two faces back to back enclose nothing; a flat tetrahedron, too; the least volume counts.
  const Classification pillow = classify(make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}));
  EXPECT_TRUE(pillow.closed && pillow.oriented);
  EXPECT_EQ(pillow.volume_sign, 0);
  EXPECT_FALSE(pillow.convex);
  for (double z : {0.0, 0x1p-1074, -0x1p-1074}) {
    const Classification c =
        classify(make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, z}}, tetrahedron_faces()));
    EXPECT_EQ(c.volume_sign, (z > 0) - (z < 0));
  }
  const double big = 0x1p1000;
  EXPECT_EQ(classify(make_mesh({{0, 0, 0}, {big, 0, 0}, {0, big, 0}, {0, 0, big}}, tetrahedron_faces())).volume_sign,
            1);
}

}  // namespace
