// SPDX-License-Identifier: MIT
// The rows of `scripts/bench world` keep running, and their answers are right. Times do not matter here: flights are as
// short as possible, and without peers.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "rows/world/world.hpp"

namespace graze::bench {
namespace {

/// Without the rows of thousands of boxes, which take longest: other tests check the answers of broad phases.
std::vector<Row> rows() {
  std::vector<Row> out;
  for (const Row& row : world_rows()) {
    if (row.name != "broad" && row.name != "choice") out.push_back(row);
  }
  return out;
}

class WorldRows : public testing::TestWithParam<Row> {};

TEST_P(WorldRows, RunsAndAnswersRightly) {
  const Row& row = GetParam();
  Context context;
  context.quick = true;
  context.poses = 2;
  row.run(context);
  EXPECT_FALSE(context.table.any_wrong());
  const auto file = std::filesystem::path(testing::TempDir()) / ("graze_rows_" + std::string(row.name) + ".csv");
  context.table.write_csv(file);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  EXPECT_NE(text.str().find("\n\"" + std::string(row.name) + "\","), std::string::npos) << text.str();
}

INSTANTIATE_TEST_SUITE_P(World, WorldRows, testing::ValuesIn(rows()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace graze::bench
