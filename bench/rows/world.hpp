// SPDX-License-Identifier: MIT
#pragma once

#include "rows/rows.hpp"

namespace graze::bench {

void row_world_broad(Context&);
void row_world_broad_choice(Context&);
void row_world_broad_cells(Context&);
void row_world_broad_one(Context&);

}  // namespace graze::bench
