// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include <graze/core/error.hpp>
#include <graze/io/query_file.hpp>

namespace graze {
namespace {

/// One query whose rows hold x, 1, -2 and so on: `x` as it stands in the file.
std::string rows(const std::string& x, const char* truth = "1") {
  std::string text;
  for (int i = 0; i < 8; ++i) text += x + ",1,1,-" + std::to_string(2 * i) + ",1," + truth + "\n";
  return text;
}

QueryFile parse(const std::string& text) { return parse_queries(text, "q.csv"); }

TEST(QueryFile, ReadsFractionsExactly) {
  const struct {
    const char* text;
    double value;
  } cases[] = {{"0,1", 0},
               {"0,3", 0},
               {"-1,2", -0.5},
               {"+3,6", 0.5},
               {"3602879701896397,36028797018963968", 0.1},
               {"18014398509481984000,1000", 0x1p54}};
  for (const auto& [text, value] : cases) {
    const QueryFile f = parse(rows(text));
    ASSERT_EQ(f.queries.size(), 1u);
    EXPECT_EQ(f.queries[0][3], (Vec3{value, 1, -6})) << text;
    EXPECT_EQ(f.truth[0], 1);
  }
}

TEST(QueryFile, KeepsTheOrderOfRowsAndQueries) {
  const QueryFile f = parse("xn,xd,yn,yd,zn,zd,truth\n" + rows("1,4") + "\r\n" + rows(" 2 , 4 ", "0"));
  ASSERT_EQ(f.queries.size(), 2u);
  EXPECT_EQ(f.queries[0][7], (Vec3{0.25, 1, -14}));
  EXPECT_EQ(f.queries[1][0], (Vec3{0.5, 1, 0}));
  EXPECT_EQ(f.truth, (std::vector<std::uint8_t>{1, 0}));
}

TEST(QueryFile, RefusesWithFileAndLine) {
  const auto refused = [](const std::string& text, std::uint64_t line) {
    try {
      parse(text);
      ADD_FAILURE() << "read: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.detail().code, ErrorCode::bad_file);
      EXPECT_EQ(error.detail().file, "q.csv");
      EXPECT_EQ(error.detail().line, line) << error.what();
    }
  };
  refused("", 1);
  refused("\n\n", 2);
  refused("a header\n", 1);
  refused("two headers\na,b\n", 2);
  refused(rows("1,3"), 1);
  refused(rows("1,0"), 1);
  refused(rows("9007199254740993,1"), 1);
  refused(rows("1"), 1);
  refused(rows("1,1,1"), 1);
  refused(rows("1,1", "2"), 1);
  refused(rows("1,1") + "1,1,1,1,1,1,0\n", 9);
  refused(rows("-,1"), 1);
  refused(std::string("1,1,1,1,1,1,\0", 13), 1);
}

}  // namespace
}  // namespace graze
