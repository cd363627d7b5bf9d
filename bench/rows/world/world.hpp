// SPDX-License-Identifier: MIT
#pragma once

#include "rows/rows.hpp"

namespace graze::bench {

std::span<const Row> world_rows();

void row_world_broad(Context&);
void row_world_broad_choice(Context&);
void row_world_broad_cells(Context&);
void row_world_broad_one(Context&);
void row_world_exact(Context&);
void row_world_exact_one(Context&);
void row_world_prechecks(Context&);
void row_world_polygon(Context&);
void row_world_convex(Context&);
void row_world_plane(Context&);
void row_world_sampling(Context&);
void row_world_box_tree(Context&);
void row_world_methods(Context&);
void row_world_parallel(Context&);
void row_world_coherence(Context&);
void row_world_kitamura_planes(Context&);
void row_world_kitamura_distances(Context&);

}  // namespace graze::bench
