// SPDX-License-Identifier: MIT
#pragma once

#include "rows/rows.hpp"

namespace graze::bench {

void row_deform_elementary(Context&);
void row_deform_steps(Context&);
void row_deform_step_size(Context&);
void row_deform_filter(Context&);
void row_deform_near(Context&);
void row_deform_rod(Context&);
void row_deform_threads(Context&);
void row_deform_iccd(Context&);
void row_deform_breaking(Context&);
void row_deform_growth(Context&);

void row_kitamura_spheres(Context&);
void row_kitamura_many(Context&);
void row_kitamura_deforming(Context&);
void row_kitamura_update(Context&);

}  // namespace graze::bench
