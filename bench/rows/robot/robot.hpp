// SPDX-License-Identifier: MIT
#pragma once

#include "rows/rows.hpp"

namespace graze::bench {

std::span<const Row> robot_rows();

void row_robot_states(Context&);
void row_robot_edges(Context&);
void row_robot_threads(Context&);
void row_robot_planning(Context&);

}  // namespace graze::bench
