// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

#include <graze/core/error.hpp>
#include <graze/io/height_file.hpp>

namespace graze {
namespace {

std::optional<ErrorDetail> refused_heights(const std::string& text) {
  try {
    parse_heights({text.data(), text.size()}, "t");
  } catch (const Error& error) {
    return error.detail();
  }
  return std::nullopt;
}

TEST(HeightFile, RowsOfNumbersAndHoles) {
  const std::string text = "# ground\n1 2.5 -3\n\nnan x 4e1   # a hole\r\n7 8 9";
  const HeightField f = parse_heights({text.data(), text.size()});
  EXPECT_EQ(f.columns, 3u);
  EXPECT_EQ(f.rows, 3u);
  ASSERT_EQ(f.heights.size(), 9u);
  EXPECT_EQ(f.heights[1], 2.5);
  EXPECT_TRUE(std::isnan(f.heights[3]));
  EXPECT_TRUE(std::isnan(f.heights[4]));
  EXPECT_EQ(f.heights[5], 40);
  EXPECT_EQ(f.heights[8], 9);
}

TEST(HeightFile, ErrorsNameTheLine) {
  EXPECT_EQ(refused_heights("1 2\n3 4 5\n")->line, 2u);
  EXPECT_EQ(refused_heights("1 2\n3 four\n")->line, 2u);
  EXPECT_EQ(refused_heights("1 2\n3 inf\n")->line, 2u);
  EXPECT_TRUE(refused_heights("1 2\n"));
  EXPECT_TRUE(refused_heights("1\n2\n"));
  EXPECT_TRUE(refused_heights(""));
  EXPECT_FALSE(refused_heights("1 2\n3 4"));
}

}  // namespace
}  // namespace graze
