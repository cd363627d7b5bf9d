// SPDX-License-Identifier: MIT
#include <graze/mesh/holes.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <graze/mesh/classify.hpp>

#include "mesh/hole_bridges.hpp"
#include "unit/mesh/test_help.hpp"

namespace {

using namespace mesh_test;
using Corners = std::vector<std::uint32_t>;

/// A polygon with holes on an integer grid; vertices are added as they are needed, or shared.
struct Plate {
  std::vector<std::array<int, 2>> grid;
  Corners outline;
  std::vector<Corners> holes;

  Corners loop(const std::vector<std::array<int, 2>>& points) {
    Corners corners;
    for (const auto& p : points) {
      const auto known = std::find(grid.begin(), grid.end(), p);
      corners.push_back(static_cast<std::uint32_t>(known - grid.begin()));
      if (known == grid.end()) grid.push_back(p);
    }
    return corners;
  }
  std::int64_t twice_area(std::span<const std::uint32_t> c) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const auto &p = grid[c[i]], &q = grid[c[(i + 1) % c.size()]];
      sum += std::int64_t{p[0]} * q[1] - std::int64_t{p[1]} * q[0];
    }
    return sum;
  }
  /// In the plane z = 0, turned so that it is perpendicular to another axis, or in the plane z = x + 2y.
  std::vector<Vec3> positions(int plane) const {
    std::vector<Vec3> all;
    for (const auto& [i, j] : grid) {
      const double x = i, y = j;
      all.push_back(plane == 0   ? Vec3{x, y, 0}
                    : plane == 1 ? Vec3{0, x, y}
                    : plane == 2 ? Vec3{y, 0, x}
                                 : Vec3{x, y, x + 2 * y});
    }
    return all;
  }
};

/// The triangles cover the plate once: all have the orientation of the outline, and their areas add up to the
/// outline's less the holes'. Together with corners that are the plate's this leaves no other triangulation.
void expect_covered(const Plate& plate) {
  std::int64_t area = std::abs(plate.twice_area(plate.outline));
  for (const Corners& hole : plate.holes) area -= std::abs(plate.twice_area(hole));
  for (int plane = 0; plane < 4; ++plane) {
    SCOPED_TRACE(plane);
    const std::vector<Vec3> positions = plate.positions(plane);
    const Corners joined = graze::join_holes(positions, plate.outline, plate.holes);
    const Mesh mesh = make_mesh(positions, {joined});
    EXPECT_FALSE(mesh.was_fanned(PolygonId{0}));
    const int sign = plate.twice_area(plate.outline) > 0 ? 1 : -1;
    std::int64_t covered = 0;
    for (const graze::Triangle& t : mesh.triangles()) {
      const std::int64_t one = sign * plate.twice_area(t);
      EXPECT_GE(one, 0);
      covered += one;
    }
    EXPECT_EQ(covered, area);
  }
}

Plate square_with_hole() {
  Plate plate;
  plate.outline = plate.loop({{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  plate.holes = {plate.loop({{1, 1}, {3, 1}, {3, 3}, {1, 3}})};
  return plate;
}

TEST(Holes, ASquareInASquareInAnyOrientation) {
  for (const bool turn_outline : {false, true})
    for (const bool turn_hole : {false, true}) {
      Plate plate = square_with_hole();
      if (turn_outline) std::reverse(plate.outline.begin(), plate.outline.end());
      if (turn_hole) std::reverse(plate.holes[0].begin(), plate.holes[0].end());
      expect_covered(plate);
      const Corners joined = graze::join_holes(plate.positions(0), plate.outline, plate.holes);
      EXPECT_EQ(joined.size(), 10u);
    }
}

TEST(Holes, WithoutHolesTheOutlineStays) {
  const Plate plate = square_with_hole();
  EXPECT_EQ(graze::join_holes(plate.positions(3), plate.outline, {}), plate.outline);
}

/// A cube with a square tunnel has the topology of a torus.
TEST(Holes, ATunnelThroughACube) {
  std::vector<Vec3> positions;
  for (const double r : {3.0, 1.0})
    for (const double z : {-3.0, 3.0})
      for (const auto& [x, y] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
        positions.push_back({r * x, r * y, z});
  std::vector<Corners> polygons{
      graze::join_holes(positions, Corners{3, 2, 1, 0}, std::vector<Corners>{{8, 9, 10, 11}}),
      graze::join_holes(positions, Corners{4, 5, 6, 7}, std::vector<Corners>{{12, 13, 14, 15}})};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t j = (i + 1) % 4;
    polygons.push_back({i, j, j + 4, i + 4});
    polygons.push_back({j + 8, i + 8, i + 12, j + 12});
  }
  const graze::Classification c = graze::classify(make_mesh(positions, polygons));
  EXPECT_TRUE(c.closed && c.manifold && c.oriented && c.even && c.planar_polygons && !c.convex);
  EXPECT_EQ(c.euler_characteristic, 0);
  EXPECT_EQ(c.component_count, 1u);
  EXPECT_EQ(c.volume_sign, 1);
}

TEST(Holes, ManyRandomHoles) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const int side = 1 + static_cast<int>(random(6)), cell = 8;
    const auto in = [&](int below) { return static_cast<int>(random(static_cast<std::uint32_t>(below))); };
    Plate plate;
    // A jagged border around side x side cells, and in most cells a triangle or quadrangle.
    std::vector<std::array<int, 2>> border;
    const int end = side * cell;
    for (int i = 0; i < end; i += 4) border.push_back({i, -in(5)});
    for (int i = 0; i < end; i += 4) border.push_back({end + in(5), i});
    for (int i = end; i > 0; i -= 4) border.push_back({i, end + in(5)});
    for (int i = end; i > 0; i -= 4) border.push_back({-in(5), i});
    plate.outline = plate.loop(border);
    for (int x = 0; x < side; ++x)
      for (int y = 0; y < side; ++y) {
        if (random(4) == 0) continue;
        const auto at = [&](int i, int j) { return std::array<int, 2>{x * cell + i, y * cell + j}; };
        std::vector<std::array<int, 2>> hole{at(1 + in(2), 1 + in(2)), at(5 + in(2), 1 + in(3)),
                                             at(4 + in(3), 5 + in(2))};
        if (random(2)) hole.push_back(at(1, 4 + in(3)));
        if (random(2)) std::reverse(hole.begin(), hole.end());
        plate.holes.push_back(plate.loop(hole));
      }
    expect_covered(plate);
  }
}

TEST(Holes, SharedCorners) {
  Plate plate;
  plate.outline = plate.loop({{0, 0}, {9, 0}, {9, 9}, {0, 9}});
  plate.holes = {plate.loop({{0, 0}, {3, 1}, {1, 3}}),   // at a corner of the outline
                 plate.loop({{3, 1}, {5, 2}, {4, 4}}),   // at a corner of the first hole
                 plate.loop({{5, 2}, {9, 9}, {4, 4}})};  // at corners of the outline and of the second, two of them
  plate.holes.pop_back();
  plate.holes.push_back(plate.loop({{6, 6}, {9, 9}, {6, 8}}));
  expect_covered(plate);
}

TEST(Holes, FarTinyAndHuge) {
  const Plate plate = square_with_hole();
  for (const double scale : {0x1p-1000, 0x1p-300, 0x1p+300, 0x1p+1000})
    for (int plane = 0; plane < 4; ++plane) {
      std::vector<Vec3> positions = plate.positions(plane);
      for (Vec3& p : positions) p = p * scale;
      const Mesh mesh = make_mesh(positions, {graze::join_holes(positions, plate.outline, plate.holes)});
      EXPECT_EQ(mesh.triangle_count(), 8u);
      EXPECT_FALSE(mesh.was_fanned(PolygonId{0}));
    }
}

/// A comb with a hole in each of its n teeth, each tooth longer than all of them are wide. On the sides of the teeth
/// beyond the next gap are corners that are nearer to a hole than those that it sees.
Plate comb(int n) {
  Plate plate;
  const int length = 20 * n, middle = length / 2;
  std::vector<std::array<int, 2>> outline;
  for (int k = 0; k < n; ++k) {
    const int x = 8 * k;
    if (k > 0)
      for (const int y : {length, middle + 1, middle, middle - 1}) outline.push_back({x, y});
    outline.push_back({x, 0});
    outline.push_back({x + 4, 0});
    if (k + 1 < n) outline.push_back({x + 4, length});
  }
  outline.push_back({8 * n - 4, length + 2});
  outline.push_back({0, length + 2});
  plate.outline = plate.loop(outline);
  for (int k = 0; k < n; ++k) {
    const int x = 8 * k;
    plate.holes.push_back(plate.loop({{x + 1, middle - 1}, {x + 2, middle - 1}, {x + 2, middle}, {x + 1, middle}}));
  }
  return plate;
}

TEST(Holes, InTheTeethOfAComb) {
  for (const int n : {1, 2, 3, 8}) expect_covered(comb(n));
  const Plate plate = comb(64);
  std::uint64_t tests = 0;
  graze::mesh::join_holes(plate.positions(0), plate.outline, plate.holes, tests);
  EXPECT_LE(tests, 2 * plate.holes.size());  // were 1,000 and more, each as long as the outline
}

void expect_refused(const Plate& plate, graze::ErrorCode code, const std::string& element) {
  try {
    graze::join_holes(plate.positions(0), plate.outline, plate.holes);
    ADD_FAILURE() << "was joined";
  } catch (const graze::Error& error) {
    EXPECT_EQ(error.detail().code, code) << error.what();
    EXPECT_EQ(error.detail().element, element) << error.what();
  }
}

TEST(Holes, WhatIsRefused) {
  const auto with = [](const std::vector<std::array<int, 2>>& hole) {
    Plate plate = square_with_hole();
    plate.holes.push_back(plate.loop(hole));
    return plate;
  };
  using enum graze::ErrorCode;
  expect_refused(with({{5, 5}, {6, 5}, {6, 6}}), bad_polygon, "hole");     // outside
  expect_refused(with({{-3, 1}, {-2, 1}, {-2, 2}}), bad_polygon, "hole");  // outside, on the other side
  expect_refused(with({{2, 1}, {3, 2}, {2, 2}}), bad_polygon, "hole");     // inside another hole
  expect_refused(with({{4, 1}, {4, 2}, {3, 0}}), bad_polygon, "hole");     // touches the outline within an edge
  expect_refused(with({{1, 1}, {3, 1}}), bad_polygon, "hole");             // two corners
  Plate crossing;
  crossing.outline = crossing.loop({{0, 0}, {9, 0}, {9, 9}, {0, 9}});
  crossing.holes = {crossing.loop({{8, 4}, {-5, 6}, {-5, 2}})};  // its last corner is inside, others are not
  expect_refused(crossing, bad_polygon, "outline");
  Plate missing = square_with_hole();
  missing.holes[0][2] = 99;
  expect_refused(missing, index_out_of_range, "hole");
  missing.outline = {0, 1};
  expect_refused(missing, bad_polygon, "outline");
  const Plate plate = square_with_hole();
  std::vector<Vec3> positions = plate.positions(0);
  positions[5].x = std::nan("");
  EXPECT_THROW(graze::join_holes(positions, plate.outline, plate.holes), graze::Error);
}

}  // namespace
