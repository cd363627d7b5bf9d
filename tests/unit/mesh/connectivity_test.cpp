// SPDX-License-Identifier: MIT
#include <graze/mesh/connectivity.hpp>

#include <algorithm>
#include <set>

#include <graze/mesh/make.hpp>

#include <gtest/gtest.h>

#include "unit/mesh/test_help.hpp"

namespace {

using namespace mesh_test;
using graze::Connectivity;
using graze::EdgeId;
using graze::HalfEdgeId;

std::vector<std::uint32_t> polygons_of(const Connectivity& con, const Connectivity::Fan& fan) {
  std::vector<std::uint32_t> out;
  for (HalfEdgeId h : fan.half_edges) out.push_back(index(con.polygon(h)));
  return out;
}

/// What must hold for every input.
void expect_consistent(const Mesh& mesh) {
  const Connectivity con(mesh);
  ASSERT_EQ(con.half_edge_count(), mesh.polygons().corners.size());
  std::size_t in_edges = 0, in_vertices = 0;
  for (std::uint32_t e = 0; e < con.edge_count(); ++e) {
    const auto [a, b] = con.vertices(EdgeId{e});
    EXPECT_LT(index(a), index(b));
    EXPECT_EQ(con.find(b, a), EdgeId{e});
    const auto around = con.half_edges(EdgeId{e});
    EXPECT_TRUE(std::is_sorted(around.begin(), around.end()));
    in_edges += around.size();
    for (HalfEdgeId h : around) {
      EXPECT_EQ(con.edge(h), EdgeId{e});
      EXPECT_EQ(std::min(con.from(h), con.to(h)), a);
      EXPECT_EQ(std::max(con.from(h), con.to(h)), b);
      EXPECT_EQ(con.next(con.previous(h)), h);
      EXPECT_EQ(con.polygon(con.next(h)), con.polygon(h));
      EXPECT_EQ(con.twin(h) != Connectivity::no_half_edge, around.size() == 2);
      EXPECT_TRUE(around.size() != 2 || con.twin(con.twin(h)) == h);
    }
  }
  for (std::uint32_t h = 0; h < con.half_edge_count(); ++h) {
    if (con.edge(HalfEdgeId{h}) != Connectivity::no_edge) continue;
    EXPECT_EQ(con.from(HalfEdgeId{h}), con.to(HalfEdgeId{h}));
    ++in_edges;
  }
  EXPECT_EQ(in_edges, con.half_edge_count());
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    std::set<HalfEdgeId> seen;
    for (const Connectivity::Fan& fan : con.fans(VertexId{v})) {
      for (HalfEdgeId h : fan.half_edges) {
        EXPECT_EQ(con.from(h), VertexId{v});
        EXPECT_TRUE(seen.insert(h).second) << "a corner is in one fan, once";
      }
    }
    EXPECT_EQ(seen.size(), con.half_edges_from(VertexId{v}).size());
    in_vertices += seen.size();
  }
  EXPECT_EQ(in_vertices, con.half_edge_count());
}

TEST(Connectivity, Tetrahedron) {
  const Mesh mesh = make_mesh(tetrahedron_positions(), tetrahedron_faces());
  expect_consistent(mesh);
  const Connectivity con(mesh);
  EXPECT_EQ(con.edge_count(), 6U);
  EXPECT_EQ(con.vertices(EdgeId{0}), (std::array{VertexId{0}, VertexId{1}}));
  EXPECT_EQ(con.vertices(EdgeId{5}), (std::array{VertexId{2}, VertexId{3}}));
  EXPECT_TRUE(con.conflicts().empty());
  const auto fans = con.fans(VertexId{0});
  ASSERT_EQ(fans.size(), 1U);
  EXPECT_TRUE(fans[0].ring);
  // Counter-clockwise from outside: the corner after {0,2,1} is across the edge 1-0, that of {0,1,3}.
  EXPECT_EQ(polygons_of(con, fans[0]), (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(con.find(VertexId{1}, VertexId{1}), Connectivity::no_edge);
}

TEST(Connectivity, AroundAPolygon) {
  const Connectivity con(make_mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 2, 2}}, {{0, 1, 4}, {3, 2, 1, 0}}));
  EXPECT_EQ(con.half_edges(PolygonId{1}), (std::array<std::uint32_t, 2>{3, 7}));
  EXPECT_EQ(con.from(HalfEdgeId{6}), VertexId{0});
  EXPECT_EQ(con.to(HalfEdgeId{6}), VertexId{3});
  EXPECT_EQ(con.twin(HalfEdgeId{0}), HalfEdgeId{5});
  EXPECT_EQ(con.twin(HalfEdgeId{1}), Connectivity::no_half_edge);
}

TEST(Connectivity, OpenFanStartsAtItsRight) {
  // Three triangles around vertex 0, given in shuffled order.
  const Connectivity con(
      make_mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {-1, 1, 0}}, {{0, 2, 3}, {0, 3, 4}, {0, 1, 2}}));
  const auto fans = con.fans(VertexId{0});
  ASSERT_EQ(fans.size(), 1U);
  EXPECT_FALSE(fans[0].ring);
  EXPECT_EQ(polygons_of(con, fans[0]), (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST(Connectivity, ConflictNamesEdgeAndPolygons) {
  auto faces = tetrahedron_faces();
  std::swap(faces[2][0], faces[2][1]);
  const Mesh mesh = make_mesh(tetrahedron_positions(), faces);
  expect_consistent(mesh);
  const Connectivity con(mesh);
  ASSERT_EQ(con.conflicts().size(), 3U);
  EXPECT_EQ(con.conflicts()[0].edge, (std::array{VertexId{1}, VertexId{2}}));
  EXPECT_EQ(con.conflicts()[0].polygons, (std::array{PolygonId{0}, PolygonId{2}}));
  EXPECT_EQ(con.conflicts()[1].polygons, (std::array{PolygonId{1}, PolygonId{2}}));
  EXPECT_EQ(con.conflicts()[2].polygons, (std::array{PolygonId{2}, PolygonId{3}}));
  const auto fans = con.fans(VertexId{1});
  ASSERT_EQ(fans.size(), 1U) << "a turned polygon does not tear the surface";
  EXPECT_TRUE(fans[0].ring);
}

TEST(Connectivity, FanWithBothEndsOnOneSide) {
  // Two triangles that agree in nothing: both have their open edges at vertex 0 on the same side.
  const Mesh mesh = make_mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 3, 2}});
  expect_consistent(mesh);
  const Connectivity con(mesh);
  EXPECT_EQ(con.conflicts().size(), 1U);
  EXPECT_EQ(con.fans(VertexId{0}).size(), 1U);
  EXPECT_EQ(con.fans(VertexId{2}).size(), 1U);
}

TEST(Connectivity, ThreePolygonsAtAnEdge) {
  const Mesh mesh =
      make_mesh({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}}, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
  expect_consistent(mesh);
  const Connectivity con(mesh);
  const EdgeId edge = con.find(VertexId{0}, VertexId{1});
  EXPECT_EQ(con.half_edges(edge).size(), 3U);
  EXPECT_TRUE(con.conflicts().empty()) << "of three, two go one way";
  EXPECT_EQ(con.fans(VertexId{0}).size(), 3U);
  const Connectivity same(
      make_mesh({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}));
  ASSERT_EQ(same.conflicts().size(), 1U);
  EXPECT_EQ(same.conflicts()[0].polygons, (std::array{PolygonId{0}, PolygonId{1}}));
}

TEST(Connectivity, AnythingGoes) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t vertices = 3 + random(8);
    std::vector<Vec3> positions(vertices);
    std::vector<std::vector<std::uint32_t>> polygons(1 + random(12));
    for (auto& polygon : polygons) {
      polygon.resize(3 + random(4));
      for (std::uint32_t& v : polygon) v = random(vertices);
    }
    expect_consistent(make_mesh(positions, polygons));
  }
}

TEST(Connectivity, GeneratedShapes) {
  for (const auto& shape : graze::make::shapes()) {
    SCOPED_TRACE(shape.name);
    expect_consistent(shape.make(300));
  }
}

}  // namespace
