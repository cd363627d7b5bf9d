// SPDX-License-Identifier: MIT
#include <graze/mesh/mesh.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <graze/body/body.hpp>
#include <graze/mesh/classify.hpp>
#include <graze/mesh/weld.hpp>

#include "unit/mesh/test_help.hpp"

namespace {

using namespace mesh_test;
using graze::Error;
using graze::ErrorCode;

template <class Call>
graze::ErrorDetail error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.detail();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

TEST(Mesh, KeepsIdsAndOrder) {
  const Mesh mesh = make_mesh({{5, 5, 5}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{1, 2, 3, 4}, {4, 3, 2}});
  EXPECT_EQ(mesh.vertex_count(), 5U);
  EXPECT_EQ(mesh.polygon_count(), 2U);
  EXPECT_EQ(mesh.triangle_count(), 3U);
  EXPECT_EQ(mesh.triangles()[0], (graze::Triangle{1, 2, 3}));
  EXPECT_EQ(mesh.triangles()[1], (graze::Triangle{1, 3, 4}));
  EXPECT_EQ(mesh.triangles()[2], (graze::Triangle{4, 3, 2}));
  EXPECT_EQ(mesh.polygon_of(TriangleId{1}), PolygonId{0});
  EXPECT_EQ(mesh.polygon_of(TriangleId{2}), PolygonId{1});
  EXPECT_EQ(mesh.triangles_of(PolygonId{0}), (std::array<std::uint32_t, 2>{0, 2}));
  EXPECT_EQ(mesh.triangles_of(PolygonId{1}), (std::array<std::uint32_t, 2>{2, 3}));
}

TEST(Mesh, KnowsDiagonals) {
  const Mesh mesh = one_polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  const bool expected[2][3] = {{false, false, true}, {true, false, false}};
  for (std::uint32_t t = 0; t < 2; ++t) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(mesh.is_diagonal(TriangleId{t}, k), expected[t][k]) << t << " " << k;
  }
}

TEST(Mesh, MayUseMemoryWhereItIs) {
  struct Memory {
    std::vector<graze::Vec3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}};
    std::vector<graze::Triangle> triangles{{0, 1, 2}, {2, 1, 3}};
  };
  auto memory = std::make_shared<const Memory>();
  const std::weak_ptr<const Memory> watched = memory;
  std::optional<Mesh> mesh = Mesh::of_memory(memory->positions, memory->triangles, memory);
  EXPECT_EQ(mesh->positions().data(), memory->positions.data());
  EXPECT_EQ(mesh->triangles().data(), memory->triangles.data());
  const Mesh same(memory->positions, memory->triangles);
  memory.reset();
  EXPECT_EQ(mesh->polygon_count(), 2U);
  EXPECT_TRUE(std::ranges::equal(mesh->polygon(PolygonId{1}), same.polygon(PolygonId{1})));
  EXPECT_EQ(mesh->triangles_of(PolygonId{1}), same.triangles_of(PolygonId{1}));
  EXPECT_EQ(mesh->polygons().corners, same.polygons().corners);
  EXPECT_EQ(mesh->polygons().first, same.polygons().first);
  EXPECT_EQ(mesh->box(), same.box());
  EXPECT_FALSE(mesh->is_diagonal(TriangleId{1}, 0));
  EXPECT_TRUE(mesh->is_planar(PolygonId{1}));
  EXPECT_EQ(graze::weld(*mesh).polygons().corners, graze::weld(same).polygons().corners);
  const graze::Body body(*mesh);
  mesh.reset();
  EXPECT_FALSE(watched.expired());  // the body holds it
}

TEST(Mesh, MemoryIsCheckedLikeVectors) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<graze::Vec3> good{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, bad{{0, 0, 0}, {1, 0, inf}, {0, 1, 0}};
  const std::vector<graze::Triangle> triangles{{0, 1, 2}}, beyond{{0, 1, 2}, {0, 1, 3}};
  EXPECT_EQ(error_of([&] { Mesh::of_memory(bad, triangles, nullptr); }).code, ErrorCode::not_finite);
  EXPECT_EQ(error_of([&] { Mesh::of_memory(good, beyond, nullptr); }).id, 1U);
  EXPECT_EQ(error_of([&] { Mesh::of_memory(good, {}, nullptr); }).code, ErrorCode::empty_mesh);
  EXPECT_EQ(Mesh::of_memory(good, triangles, nullptr).polygons().size(), 1U);
}

TEST(Mesh, TrianglesOnlyNeedNoTables) {
  const std::vector<graze::Triangle> triangles{{0, 1, 2}, {2, 1, 3}};
  const Mesh mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}}, triangles);
  EXPECT_EQ(mesh.polygon_count(), 2U);
  EXPECT_EQ(mesh.polygon(PolygonId{1})[2], 3U);
  EXPECT_EQ(mesh.polygon_of(TriangleId{1}), PolygonId{1});
  EXPECT_FALSE(mesh.is_diagonal(TriangleId{1}, 0));
  EXPECT_FALSE(mesh.was_fanned(PolygonId{1}));
  EXPECT_TRUE(mesh.is_planar(PolygonId{1}));
}

TEST(Mesh, BoxHoldsUsedVerticesOnly) {
  const Mesh mesh = make_mesh({{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 2, -1}}, {{1, 2, 3}});
  EXPECT_EQ(mesh.box().lo, (Vec3{0, 0, -1}));
  EXPECT_EQ(mesh.box().hi, (Vec3{1, 2, 0}));
}

TEST(Mesh, CopiesShareTheirData) {
  const Mesh mesh = one_polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}});
  const Mesh copy = mesh;
  EXPECT_EQ(copy.positions().data(), mesh.positions().data());
}

TEST(Mesh, RefusesBadInputAndSaysWhere) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  auto detail = error_of([&] { one_polygon({{0, 0, 0}, {1, 0, 0}, {0, nan, 0}}); });
  EXPECT_EQ(detail.code, ErrorCode::not_finite);
  EXPECT_EQ(detail.element, "vertex");
  EXPECT_EQ(detail.id, 2U);
  detail = error_of([&] { make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-inf, 0, 0}}, {{0, 1, 2}}); });
  EXPECT_EQ(detail.id, 3U) << "unused vertices count, too";
  detail = error_of([&] { make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1, 3}}); });
  EXPECT_EQ(detail.code, ErrorCode::index_out_of_range);
  EXPECT_EQ(detail.element, "polygon");
  EXPECT_EQ(detail.id, 1U);
  EXPECT_NE(detail.message.find("vertex 3"), std::string::npos) << detail.message;
  detail = error_of([&] { make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1}}); });
  EXPECT_EQ(detail.code, ErrorCode::bad_polygon);
  EXPECT_EQ(detail.id, 1U);
  EXPECT_EQ(error_of([&] { make_mesh({{0, 0, 0}}, {}); }).code, ErrorCode::empty_mesh);
  EXPECT_EQ(error_of([&] { Mesh({}, std::vector<graze::Triangle>{}); }).code, ErrorCode::empty_mesh);
}

TEST(Mesh, RefusesGroupsThatAreNotOneForEachPolygon) {
  const Mesh square = make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {2, 1, 0}});
  const auto with = [&](graze::PolygonGroups groups) {
    return Mesh({square.positions().begin(), square.positions().end()}, square.polygons(), std::move(groups));
  };
  EXPECT_EQ(with({{{"a", "b"}}, {0, 0}}).group(*with({{{"a", "b"}}, {0, 0}}).group_of(graze::PolygonId{1})).group, "b");
  EXPECT_FALSE(with({}).group_of(graze::PolygonId{1}));
  EXPECT_THROW(with({{{"a", "b"}}, {0}}), graze::Error);
  EXPECT_THROW(with({{{"a", "b"}}, {0, 1}}), graze::Error);
  EXPECT_THROW(with({{{"a\nf 1 2 3", "b"}}, {0, 0}}), graze::Error);
}

TEST(Mesh, RefusesBrokenOffsets) {
  const std::vector<Vec3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (const std::vector<std::uint32_t>& first :
       {std::vector<std::uint32_t>{}, {0, 4}, {1, 3}, {0, 5, 3}, {0, 4294967295U, 3}, {0, 2}}) {
    graze::PolygonList list;
    list.corners = {0, 1, 2};
    list.first = first;
    EXPECT_EQ(error_of([&] { Mesh(positions, list); }).code, ErrorCode::bad_polygon);
  }
}

TEST(Mesh, KeepsDegenerateAndDuplicateElements) {
  const Mesh mesh = make_mesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {0, 0, 0}, {0, 1, 2}, {1, 1, 2, 2}});
  EXPECT_EQ(mesh.polygon_count(), 4U);
  EXPECT_EQ(mesh.triangle_count(), 5U);
  EXPECT_FALSE(mesh.was_fanned(PolygonId{3})) << "nothing crosses itself here";
}

TEST(Mesh, PlanarityIsExact) {
  const auto quad = [](double z) { return one_polygon({{0, 0, 0}, {3, 0, 1}, {3, 3, 2}, {0, 3, z}}); };
  EXPECT_TRUE(quad(1).is_planar(PolygonId{0}));
  EXPECT_FALSE(quad(std::nextafter(1.0, 2.0)).is_planar(PolygonId{0}));
  EXPECT_TRUE(one_polygon({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}).is_planar(PolygonId{0}));
  EXPECT_TRUE(one_polygon({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}).is_planar(PolygonId{0}));
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_FALSE(one_polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, tiny}}).is_planar(PolygonId{0}));
}

TEST(Mesh, LooseEdgesAndPoints) {
  const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 0}};
  const Mesh mesh(square, {}, {}, {{{0, 1}, {2, 2}, {3, 0}}, {3}});
  EXPECT_EQ(mesh.polygon_count(), 0U);
  EXPECT_EQ(mesh.triangle_count(), 0U);
  EXPECT_EQ(mesh.edges().size(), 3U);
  EXPECT_EQ(mesh.points()[0], 3U);
  EXPECT_EQ(graze::weld(mesh).loose(), (graze::LooseParts{{{0, 1}, {2, 2}, {2, 0}}, {2}}));
  EXPECT_EQ(graze::classify(mesh).component_count, 0U);
  EXPECT_EQ(error_of([&] { graze::Body body(mesh); }).code, ErrorCode::empty_mesh);
  EXPECT_EQ(error_of([&] { Mesh(square, {}, {}, graze::LooseParts()); }).code, ErrorCode::empty_mesh);
  const auto edge = error_of([&] { Mesh(square, {}, {}, {{{0, 1}, {0, 4}}, {}}); });
  EXPECT_EQ(edge.code, ErrorCode::index_out_of_range);
  EXPECT_EQ(edge.element, "edge");
  EXPECT_EQ(edge.id, 1U);
  EXPECT_EQ(error_of([&] { Mesh(square, {}, {}, {{}, {0, 9}}); }).element, "point");
  graze::PolygonList triangle;
  triangle.add(std::array<std::uint32_t, 3>{0, 1, 2});
  const graze::Body body(Mesh(square, triangle, {}, {{{0, 3}}, {}}));
  EXPECT_EQ(body.mesh().edges().size(), 1U);
  EXPECT_EQ(body.deformed(square).mesh().edges().size(), 1U);
}

}  // namespace
