// SPDX-License-Identifier: MIT
// Height fields: numbering, holes, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include <graze/core/error.hpp>
#include <graze/mesh/height_field.hpp>

namespace graze {
namespace {

const double hole = std::numeric_limits<double>::quiet_NaN();

HeightField ramp(std::uint32_t columns, std::uint32_t rows) {
  HeightField f{.columns = columns, .rows = rows, .dx = 0.5, .dy = 2, .heights = {}};
  for (std::uint32_t r = 0; r < rows; ++r)
    for (std::uint32_t c = 0; c < columns; ++c) f.heights.push_back(c + 10.0 * r);
  return f;
}

TEST(HeightField, EveryCellIsTwoTrianglesThatTellTheCell) {
  const HeightField f = ramp(5, 4);
  const Mesh m = height_mesh(f);
  EXPECT_EQ(m.vertex_count(), 20u);
  ASSERT_EQ(m.polygon_count(), 24u);
  for (std::uint32_t p = 0; p < 24; ++p) {
    const HeightCell cell = cell_of(f, m, PolygonId{p});
    EXPECT_EQ(cell, (HeightCell{p / 2 % 4, p / 2 / 4}));
    const auto corners = m.polygon(PolygonId{p});
    const Vec3 a = m.positions()[corners[0]], b = m.positions()[corners[1]], c = m.positions()[corners[2]];
    EXPECT_GT(cross(b - a, c - a).z, 0);  // faces up
    for (const std::uint32_t v : corners) {
      EXPECT_TRUE(v % 5 == cell.column || v % 5 == cell.column + 1);
      EXPECT_TRUE(v / 5 == cell.row || v / 5 == cell.row + 1);
    }
  }
  EXPECT_EQ(m.positions()[0], (Vec3{-1, -3, 0}));
  EXPECT_EQ(m.positions()[19], (Vec3{1, 3, 34}));
  EXPECT_EQ(m.positions()[7], (Vec3{0, -1, 12}));
}

TEST(HeightField, HolesAreLeftOut) {
  HeightField f = ramp(4, 3);
  f.heights[5] = hole;  // column 1, row 1: a corner of four cells
  const Mesh m = height_mesh(f);
  ASSERT_EQ(m.polygon_count(), 4u);
  EXPECT_EQ(cell_of(f, m, PolygonId{0}), (HeightCell{2, 0}));
  EXPECT_EQ(cell_of(f, m, PolygonId{3}), (HeightCell{2, 1}));
  EXPECT_EQ(m.box().lo.x, 0.25);  // the vertices without ground are not used
}

TEST(HeightField, WhatIsRefused) {
  const auto code = [](const HeightField& f) {
    try {
      height_mesh(f);
    } catch (const Error& error) {
      return std::optional(error.detail().code);
    }
    return std::optional<ErrorCode>();
  };
  HeightField f = ramp(3, 3);
  f.heights.pop_back();
  EXPECT_EQ(code(f), ErrorCode::bad_option);
  EXPECT_EQ(code(ramp(1, 9)), ErrorCode::bad_option);
  f = ramp(3, 3);
  f.dx = 0;
  EXPECT_EQ(code(f), ErrorCode::bad_option);
  f.dx = hole;
  EXPECT_EQ(code(f), ErrorCode::bad_option);
  f = ramp(3, 3);
  f.heights[4] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code(f), ErrorCode::not_finite);
  f.heights[4] = hole;
  EXPECT_EQ(code(f), ErrorCode::empty_mesh);
  EXPECT_EQ(code({.columns = 1u << 20, .rows = 1u << 20, .heights = {}}), ErrorCode::too_large);
  f = ramp(3, 3);
  f.dx = 1.7e308;
  f.columns = 3;
  EXPECT_EQ(code(f), std::nullopt);  // one column to each side still fits
}

}  // namespace
}  // namespace graze
