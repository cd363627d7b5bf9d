// SPDX-License-Identifier: MIT
// The rows of `scripts/bench cliffs` keep running, and their answers are right. Times do not matter here.
#include <gtest/gtest.h>

#include <string>

#include "rows/cliffs/cliffs.hpp"

namespace graze::bench {
namespace {

class CliffRows : public testing::TestWithParam<Row> {};

TEST_P(CliffRows, RunsAndAnswersRightly) {
  Context context;
  context.quick = true;
  context.poses = 1;
  GetParam().run(context);
  EXPECT_FALSE(context.table.any_wrong());
  EXPECT_NE(context.table.summary(), "0 PASS, 0 MISS, 0 WRONG");
}

INSTANTIATE_TEST_SUITE_P(Cliffs, CliffRows, testing::ValuesIn(cliff_rows().begin(), cliff_rows().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace graze::bench
