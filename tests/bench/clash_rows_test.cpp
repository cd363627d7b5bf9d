// SPDX-License-Identifier: MIT
// The rows of `scripts/bench clash` keep running, and their answers are right. Times do not matter here.
#include <gtest/gtest.h>

#include <string>

#include "rows/clash/clash.hpp"

namespace graze::bench {
namespace {

class ClashRows : public testing::TestWithParam<Row> {};

TEST_P(ClashRows, RunsAndAnswersRightly) {
  Context context;
  context.quick = true;
  context.poses = 400;
  GetParam().run(context);
  EXPECT_FALSE(context.table.any_wrong());
  EXPECT_NE(context.table.summary(), "0 PASS, 0 MISS, 0 WRONG");
}

INSTANTIATE_TEST_SUITE_P(Clash, ClashRows, testing::ValuesIn(clash_rows().begin(), clash_rows().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace graze::bench
