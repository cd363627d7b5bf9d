// SPDX-License-Identifier: MIT
// The native side of `scripts/bench web` (web/bench/bench.mjs): answers one question at a time, with 128-bit vectors
// only, as WebAssembly has them.
//
// usage: graze-bench-web MESH ROWS     MESH against itself; ROWS: 28 numbers a line, A's first and last pose, then B's
// Each line of the input, "collide 5", is answered with the status and the seconds of row 5.
#include <array>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <hwy/targets.h>
#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/io/mesh_file.hpp>

namespace {

using namespace graze;

using Row = std::array<double, 28>;

Pose pose_of(const Row& row, std::size_t at) {
  return Pose({row[at], row[at + 1], row[at + 2]}, {row[at + 3], row[at + 4], row[at + 5], row[at + 6]});
}

std::vector<Row> read_rows(const char* file) {
  std::vector<Row> rows;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream numbers(line);
    Row row;
    for (double& number : row) numbers >> number;
    if (numbers) rows.push_back(row);
  }
  return rows;
}

std::string answer(const Body& body, const Row& row, std::string_view question) {
  if (question == "collide") {
    const CollideResult r = collide(body, pose_of(row, 0), body, pose_of(row, 14));
    return fmt::format("{} {:.17g}", name(r.status), r.seconds);
  }
  if (question == "distance") {
    const DistanceResult r = distance(body, pose_of(row, 0), body, pose_of(row, 14));
    return fmt::format("{:.17g} {:.17g}", r.distance, r.seconds);
  }
  const FirstContactResult r = first_contact(body, Velocity(pose_of(row, 0), pose_of(row, 7)), body,
                                             Velocity(pose_of(row, 14), pose_of(row, 21)));
  return fmt::format("{:.17g} {:.17g}", r.time.safe, r.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: graze-bench-web MESH ROWS (scripts/bench web calls it)\n");
    return 2;
  }
  hwy::DisableTargets(HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL);
  const graze::Body body(graze::load_mesh(argv[1]));
  const std::vector<Row> rows = read_rows(argv[2]);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string question;
    std::size_t row = 0;
    words >> question >> row;
    std::cout << answer(body, rows.at(row), question) << std::endl;
  }
}
