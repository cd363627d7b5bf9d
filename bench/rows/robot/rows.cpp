// SPDX-License-Identifier: MIT
#include "rows/robot/robot.hpp"

namespace graze::bench {
namespace {

constexpr Row kRobotRows[] = {
    {"states", "does an arm among 50,000 triangles touch anything in a state", row_robot_states},
    {"edges", "is the motion between two states free, certified and at samples", row_robot_edges},
    {"threads", "a batch of edges with one thread and with two", row_robot_threads},
    {"planning", "time to a solution of planning problems, and how many touch (ratio: of the medians)",
     row_robot_planning},
};

}  // namespace

std::span<const Row> robot_rows() { return kRobotRows; }

}  // namespace graze::bench
