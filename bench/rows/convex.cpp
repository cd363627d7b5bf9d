// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "rows/rows.hpp"
#include "scene/hull.hpp"

namespace graze::bench {
namespace {

constexpr std::size_t kFrames = 100;

}  // namespace

void row_convex(Context& context) {
  const std::size_t flight_count = std::max<std::size_t>(1, context.poses / 50);
  for (const std::size_t vertices : {32, 128, 512, 2000}) {
    // Apart for the whole flight: ellipsoids with half axes up to 0.5, centres 1.0 to 1.4 apart.
    const Scene scene{random_convex(vertices, 1), random_convex(vertices, 2),
                      flights(flight_count, kFrames, 1.0, 1.4, 3)};
    compare(context,
            {.row = "convex",
             .task = fmt::format("distance, {} vertices, {} flights of {} frames", vertices, flight_count, kFrames),
             .question = Question::convex_distance,
             .block = kFrames,
             .targets = {{"libccd through FCL", 0.4}}},
            scene);
  }
  for (const std::size_t vertices : {32, 128, 512, 2000}) {
    const std::size_t count = context.poses * 2;
    const Scene scene{random_convex(vertices, 1), random_convex(vertices, 2), random_poses(count, 0.4, 1.1, 5)};
    compare(context,
            {.row = "convex",
             .task = fmt::format("yes or no, {} vertices, {} random poses", vertices, count),
             .question = Question::convex_yes_no,
             .block = 20,
             .targets = {{"libccd through FCL", 0.6}, {"libccd GJK", 0.6}}},
            scene);
  }
}

}  // namespace graze::bench
