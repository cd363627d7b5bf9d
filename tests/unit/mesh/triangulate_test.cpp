// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "mesh/plane_geometry.hpp"
#include "unit/mesh/test_help.hpp"

namespace {

using namespace mesh_test;

struct Corner {
  std::int64_t x, y;
};
using Outline = std::vector<Corner>;

std::int64_t twice_area(const Corner& a, const Corner& b, const Corner& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

std::int64_t twice_area(const Outline& outline) {
  std::int64_t sum = 0;
  for (std::size_t i = 1; i + 1 < outline.size(); ++i) sum += twice_area(outline[0], outline[i], outline[i + 1]);
  return sum;
}

/// Into the plane z = x + 2y, exactly.
Mesh lifted(const Outline& outline) {
  std::vector<Vec3> positions;
  for (const Corner& c : outline) {
    positions.push_back({static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.x + 2 * c.y)});
  }
  return one_polygon(std::move(positions));
}

/// All triangles have the outline's orientation and their areas sum up to its area: they tile it. Each edge of the
/// outline belongs to one triangle and each diagonal to two.
void expect_tiling(const Outline& outline, bool flat_allowed = false) {
  const Mesh mesh = lifted(outline);
  ASSERT_FALSE(mesh.was_fanned(PolygonId{0}));
  ASSERT_EQ(mesh.triangle_count(), outline.size() - 2);
  const std::int64_t area = twice_area(outline);
  std::int64_t sum = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> walked;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto [a, b, c] = mesh.triangles()[t];
    const std::int64_t part = twice_area(outline[a], outline[b], outline[c]);
    EXPECT_TRUE(area > 0 ? part >= 0 : part <= 0);
    EXPECT_TRUE(flat_allowed || part != 0);
    sum += part;
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t from = mesh.triangles()[t][static_cast<std::size_t>(k)];
      const std::uint32_t to = mesh.triangles()[t][static_cast<std::size_t>((k + 1) % 3)];
      const bool is_edge = to == (from + 1) % outline.size();
      EXPECT_EQ(mesh.is_diagonal(TriangleId{t}, k), !is_edge);
      ++walked[{from, to}];
    }
  }
  EXPECT_EQ(sum, area);
  for (const auto& [edge, count] : walked) {
    const bool is_edge = edge.second == (edge.first + 1) % outline.size();
    EXPECT_EQ(count, 1);
    EXPECT_EQ(walked.count({edge.second, edge.first}), is_edge ? 0U : 1U);
  }
}

Outline reversed(Outline outline) { return {outline.rbegin(), outline.rend()}; }

TEST(Triangulate, ConvexAndConcave) {
  const Outline shapes[] = {
      {{0, 0}, {4, 0}, {4, 4}, {0, 4}},
      {{0, 0}, {4, 2}, {0, 4}, {1, 2}},
      {{0, 0}, {6, 0}, {6, 6}, {5, 6}, {5, 1}, {1, 1}, {1, 6}, {0, 6}},
      {{0, 0}, {2, 0}, {2, 2}, {4, 2}, {4, 0}, {6, 0}, {6, 4}, {0, 4}},
      {{0, 0},
       {9, 0},
       {9, 9},
       {1, 9},
       {1, 2},
       {7, 2},
       {7, 7},
       {3, 7},
       {3, 4},
       {4, 4},
       {4, 6},
       {6, 6},
       {6, 3},
       {2, 3},
       {2, 8},
       {8, 8},
       {8, 1},
       {0, 1}},
  };
  for (const Outline& shape : shapes) {
    for (std::size_t start = 0; start < shape.size(); ++start) {
      Outline turned(shape.begin() + static_cast<std::ptrdiff_t>(start), shape.end());
      turned.insert(turned.end(), shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(start));
      expect_tiling(turned);
      expect_tiling(reversed(turned));
    }
  }
}

TEST(Triangulate, PrefersTrianglesWithArea) {
  expect_tiling({{0, 0}, {2, 0}, {4, 0}, {4, 2}, {4, 4}, {2, 4}, {0, 4}, {0, 2}});
  expect_tiling({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 3}});
}

TEST(Triangulate, SpiralsCombsAndSaws) {
  Outline spiral, comb, saw;
  for (std::int64_t i = 0; i < 60; ++i) {  // a square spiral corridor: out along one wall, back along the other
    const std::int64_t r = 10 * (i / 4 + 1);
    const Corner wall[4] = {{-r + 10, -r}, {r, -r}, {r, r}, {-r, r}};
    spiral.push_back(wall[i % 4]);
  }
  for (std::int64_t i = 59; i >= 0; --i) {
    const std::int64_t r = 10 * (i / 4 + 1) - 3;
    const Corner wall[4] = {{-r + 10, -r}, {r, -r}, {r, r}, {-r, r}};
    spiral.push_back(wall[i % 4]);
  }
  expect_tiling(spiral);
  for (std::int64_t i = 0; i < 100; ++i) {
    comb.push_back({4 * i, 0});
    comb.push_back({4 * i + 1, 1000});
    comb.push_back({4 * i + 2, 1000});
    comb.push_back({4 * i + 3, 0});
    saw.push_back({i, i % 2 == 0 ? 0 : 500});
  }
  comb.insert(comb.end(), {{400, 0}, {400, -5}, {0, -5}});
  saw.insert(saw.end(), {{100, 2000}, {-1, 2000}});
  expect_tiling(comb);
  expect_tiling(saw);
  expect_tiling(reversed(saw));
}

TEST(Triangulate, OutlinesThatTouchThemselves) {
  // A square hole reached by a bridge, as many files write holes.
  expect_tiling({{0, 0}, {8, 0}, {8, 8}, {0, 8}, {0, 0}, {2, 2}, {2, 6}, {6, 6}, {6, 2}, {2, 2}}, true);
  // Two holes at the ends of bridges from the same corner.
  expect_tiling({{0, 0},
                 {20, 0},
                 {20, 20},
                 {0, 20},
                 {0, 0},
                 {2, 10},
                 {2, 12},
                 {4, 12},
                 {4, 10},
                 {2, 10},
                 {0, 0},
                 {10, 2},
                 {10, 4},
                 {12, 4},
                 {12, 2},
                 {10, 2}},
                true);
  // A vertex that touches an edge, a repeated corner, a spike outward and one inward.
  expect_tiling({{0, 0}, {8, 0}, {8, 8}, {4, 0}, {0, 8}}, true);
  expect_tiling({{0, 0}, {0, 0}, {4, 0}, {4, 4}, {4, 4}, {4, 4}, {0, 4}}, true);
  expect_tiling({{0, 0}, {4, 0}, {9, 0}, {4, 0}, {4, 4}, {0, 4}}, true);
  expect_tiling({{0, 0}, {4, 0}, {4, 2}, {2, 2}, {4, 2}, {4, 4}, {0, 4}}, true);
}

/// An outline through random grid points, untangled by exchanging crossing edges.
Outline random_simple_outline(Random& random, std::size_t n, std::uint32_t grid) {
  Outline p;
  for (std::size_t i = 0; i < n; ++i) p.push_back({random(grid), random(grid)});
  const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
  const auto meet = [&](const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
    const int s1 = sign(twice_area(a, b, c)), s2 = sign(twice_area(a, b, d)), s3 = sign(twice_area(c, d, a)),
              s4 = sign(twice_area(c, d, b));
    return s1 * s2 < 0 && s3 * s4 < 0;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 2; j < n; ++j) {
        if (!meet(p[i], p[i + 1], p[j], p[(j + 1) % n])) continue;
        std::reverse(p.begin() + static_cast<std::ptrdiff_t>(i) + 1, p.begin() + static_cast<std::ptrdiff_t>(j) + 1);
        changed = true;
      }
    }
  }
  return p;
}

TEST(Triangulate, RandomOutlinesWithoutCrossings) {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    const Outline outline = random_simple_outline(random, 5 + random(40), 100000);
    if (twice_area(outline) != 0) expect_tiling(outline, true);
  }
}

TEST(Triangulate, AnyOutlineGivesTriangles) {
  Random random(2);
  int fanned = 0, clipped = 0;
  for (int round = 0; round < 20000; ++round) {
    Outline outline;
    const std::size_t n = 4 + random(8);
    const std::uint32_t grid = 2 + random(4);  // so small that nearly everything is degenerate
    for (std::size_t i = 0; i < n; ++i) outline.push_back({random(grid), random(grid)});
    const Mesh mesh = lifted(outline);
    ASSERT_EQ(mesh.triangle_count(), n - 2);
    std::int64_t sum = 0;
    bool one_sign = true;
    const std::int64_t area = twice_area(outline);
    for (const auto& [a, b, c] : mesh.triangles()) {
      const std::int64_t part = twice_area(outline[a], outline[b], outline[c]);
      sum += part;
      one_sign = one_sign && (area >= 0 ? part >= 0 : part <= 0);
    }
    EXPECT_EQ(sum, area);
    if (mesh.was_fanned(PolygonId{0})) {
      ++fanned;
      EXPECT_EQ(mesh.triangles()[0], (graze::Triangle{0, 1, 2}));
    } else {
      ++clipped;
      EXPECT_TRUE(one_sign);
    }
  }
  EXPECT_GT(fanned, 1000);
  EXPECT_GT(clipped, 1000);
}

TEST(Triangulate, CrossingOutlinesAreFanned) {
  EXPECT_TRUE(lifted({{0, 0}, {2, 2}, {2, 0}, {0, 2}}).was_fanned(PolygonId{0}));
  EXPECT_TRUE(lifted({{0, -9}, {7, 9}, {-9, 0}, {9, 0}, {-7, 9}}).was_fanned(PolygonId{0})) << "a five-pointed star";
  const Mesh star = lifted({{0, -9}, {7, 9}, {-9, 0}, {9, 0}, {-7, 9}});
  EXPECT_EQ(star.triangles()[2], (graze::Triangle{0, 3, 4}));
}

TEST(Triangulate, NonPlanarPolygons) {
  // A saddle; a polygon that crosses itself seen along z, but not along x.
  EXPECT_FALSE(one_polygon({{0, 0, 0}, {1, 0, 1}, {1, 1, 0}, {0, 1, 1}}).was_fanned(PolygonId{0}));
  const Mesh twisted = one_polygon({{0, 0, 0}, {1, 4, 0}, {0, 4, 5}, {1, 0, 5}});
  EXPECT_FALSE(twisted.was_fanned(PolygonId{0}));
  EXPECT_FALSE(twisted.is_planar(PolygonId{0}));
}

TEST(Triangulate, UprightPolygonsUseTheirOwnPlane) {
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Vec3> positions;
    for (const auto& [u, v] : std::vector<std::pair<double, double>>{{0, 0}, {4, 2}, {0, 4}, {1, 2}}) {
      Vec3 p{7, 7, 7};
      p[(axis + 1) % 3] = u;
      p[(axis + 2) % 3] = v;
      positions.push_back(p);
    }
    const Mesh mesh = one_polygon(positions);
    EXPECT_FALSE(mesh.was_fanned(PolygonId{0}));
    for (const auto& t : mesh.triangles()) {
      EXPECT_TRUE((t == graze::Triangle{1, 2, 3}) || (t == graze::Triangle{0, 1, 3})) << t[0] << t[1] << t[2];
    }
  }
}

TEST(Triangulate, EveryFiniteSizeGivesTheSameTriangles) {
  const Outline outline{{0, 0}, {6, 0}, {6, 6}, {5, 6}, {5, 1}, {1, 1}, {1, 6}, {0, 6}};
  const Mesh expected = lifted(outline);
  for (double scale : {0x1p-1074, 0x1p-1000, 0x1p-500, 0x1p500, 0x1p1000, 0x1p1019}) {
    std::vector<Vec3> positions;
    for (const Vec3& p : expected.positions()) positions.push_back(p * scale);
    const Mesh mesh = one_polygon(positions);
    EXPECT_FALSE(mesh.was_fanned(PolygonId{0})) << scale;
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) EXPECT_EQ(mesh.triangles()[t], expected.triangles()[t]);
  }
}

TEST(Triangulate, HugeSpreadDoesNotOverflow) {
  const double m = std::numeric_limits<double>::max();
  const Mesh mesh = one_polygon({{-m, -m, 0}, {m, -m, 0}, {m, m, 0}, {0, 0, 0}, {-m, m, 0}});
  EXPECT_FALSE(mesh.was_fanned(PolygonId{0}));
  EXPECT_TRUE(mesh.is_planar(PolygonId{0}));
}

TEST(Triangulate, SliversNearRoundingKeepTheirOrientation) {
  // Far from the origin and one unit in the last place wide: the rounded normal alone could not be trusted.
  const double x = 0x1p40, u = 0x1p-12;
  const Mesh mesh =
      one_polygon({{x, x, x}, {x + 4 * u, x, x}, {x + 4 * u, x + u, x}, {x + u, x + u, x}, {x, x + 2 * u, x}});
  EXPECT_FALSE(mesh.was_fanned(PolygonId{0}));
  for (const auto& [a, b, c] : mesh.triangles()) {
    const auto p = mesh.positions();
    EXPECT_GE(graze::mesh::orient({p[a].x, p[a].y}, {p[b].x, p[b].y}, {p[c].x, p[c].y}), 0);
  }
}

TEST(Triangulate, LargePolygonsTakeNoQuadraticTime) {
  std::vector<Vec3> positions;
  constexpr int n = 50000;
  for (int i = 0; i < n; ++i) positions.push_back({static_cast<double>(i), i % 2 == 0 ? 0.0 : 5.0, 0});
  positions.push_back({n, 20, 0});
  positions.push_back({-1, 20, 0});
  EXPECT_FALSE(one_polygon(positions).was_fanned(PolygonId{0}));
}

}  // namespace
