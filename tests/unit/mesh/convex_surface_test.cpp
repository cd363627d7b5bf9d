// SPDX-License-Identifier: MIT
#include "mesh/convex_surface.hpp"

#include <gtest/gtest.h>

#include <set>

#include <graze/mesh/make.hpp>

#include "math/predicates.hpp"
#include "soups.hpp"
#include "unit/mesh/test_help.hpp"

namespace {

using namespace graze;
using mesh::convex_surface;
using mesh::ConvexSurface;

/// Every triangle in exactly one piece, and every piece on the boundary of its own hull: all its corners on one side of
/// each of its triangles, exactly.
void check(const Mesh& m, const ConvexSurface& s) {
  std::vector<int> times(m.triangle_count(), 0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    ASSERT_FALSE(s.piece(i).empty());
    std::set<std::uint32_t> corners;
    for (const std::uint32_t t : s.piece(i)) {
      ++times[t];
      corners.insert(m.triangles()[t].begin(), m.triangles()[t].end());
    }
    for (const std::uint32_t t : s.piece(i)) {
      const Triangle& c = m.triangles()[t];
      bool above = false, below = false;
      for (const std::uint32_t v : corners) {
        const int side =
            math::orient3d(m.positions()[c[0]], m.positions()[c[1]], m.positions()[c[2]], m.positions()[v]);
        above = above || side > 0;
        below = below || side < 0;
      }
      ASSERT_FALSE(above && below) << "triangle " << t << " is inside the hull of its piece";
    }
  }
  for (const int n : times) ASSERT_EQ(n, 1);
}

std::size_t pieces(const Mesh& m) {
  const ConvexSurface s = convex_surface(m);
  check(m, s);
  return s.size();
}

Mesh turned_inside_out(const Mesh& m) {
  std::vector<Triangle> triangles(m.triangles().begin(), m.triangles().end());
  for (Triangle& t : triangles) std::swap(t[1], t[2]);
  return Mesh({m.positions().begin(), m.positions().end()}, triangles);
}

TEST(ConvexSurface, ConvexBodiesAreOnePiece) {
  EXPECT_EQ(pieces(make::box()), 1U);
  EXPECT_EQ(pieces(make::box({.triangles = 300})), 1U);
  EXPECT_EQ(pieces(make::sphere({.triangles = 500})), 1U);
  EXPECT_EQ(pieces(make::cylinder({.triangles = 400})), 1U);
  EXPECT_EQ(pieces(make::cone()), 1U);
  EXPECT_EQ(pieces(make::tetrahedron()), 1U);
  // Larger than what pieces grow to.
  EXPECT_EQ(convex_surface(make::sphere({.triangles = 6000})).size(), 1U);
}

TEST(ConvexSurface, AMeshThatFacesInwardIsCutAlike) {
  EXPECT_EQ(pieces(turned_inside_out(make::sphere({.triangles = 500}))), 1U);
  const Mesh torus = make::torus({.triangles = 600});
  EXPECT_LE(2 * pieces(turned_inside_out(torus)), 3 * pieces(torus));  // they grow in another order
}

TEST(ConvexSurface, AFlatSheetIsOnePiece) { EXPECT_EQ(pieces(make::cloth_sheet({.triangles = 2000})), 1U); }

TEST(ConvexSurface, EveryShapeIsCovered) {
  for (const make::Shape& shape : make::shapes()) {
    SCOPED_TRACE(shape.name);
    const Mesh m = shape.make(600);
    const std::size_t n = pieces(m);
    EXPECT_LT(n, m.triangle_count());
  }
}

TEST(ConvexSurface, TwoBoxesAreTwoPieces) {
  std::vector<Vec3> p;
  PolygonList f;
  const Mesh box = make::box();
  for (int i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < box.polygon_count(); ++k) {
      std::vector<std::uint32_t> corners;
      for (const std::uint32_t v : box.polygon(PolygonId{static_cast<std::uint32_t>(k)}))
        corners.push_back(v + static_cast<std::uint32_t>(p.size()));
      f.add(corners);
    }
    for (const Vec3& x : box.positions()) p.push_back(x + Vec3{3.0 * i, 0, 0});
  }
  EXPECT_EQ(pieces(Mesh(p, f)), 2U);
}

TEST(ConvexSurface, AStepIsCutAtTheConcaveEdge) {
  // An L, extruded: the two faces that meet at the inner edge cannot be in one piece.
  const std::vector<Vec3> p{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0},
                            {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {1, 1, 1}, {1, 2, 1}, {0, 2, 1}};
  const Mesh m = mesh_test::make_mesh(p, {{5, 4, 3, 2, 1, 0},
                                          {6, 7, 8, 9, 10, 11},
                                          {0, 1, 7, 6},
                                          {1, 2, 8, 7},
                                          {2, 3, 9, 8},
                                          {3, 4, 10, 9},
                                          {4, 5, 11, 10},
                                          {5, 0, 6, 11}});
  const std::size_t n = pieces(m);
  EXPECT_GE(n, 2U);
  EXPECT_LE(n, 4U);
}

TEST(ConvexSurface, DegenerateTrianglesAndSoupsStayWhatTheyAre) {
  EXPECT_EQ(pieces(Mesh({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}}, std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}})),
            2U);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Random random(seed);
    const Mesh m = graze::testing::soup(random, 30, seed % 2 == 0);
    check(m, convex_surface(m));
  }
}

TEST(ConvexSurface, PiecesStopGrowing) {
  const Mesh m = make::torus({.triangles = 2000});
  const ConvexSurface small = convex_surface(m, 8);
  check(m, small);
  EXPECT_GT(small.size(), convex_surface(m).size());
}

}  // namespace
