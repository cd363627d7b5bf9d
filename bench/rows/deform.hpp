// SPDX-License-Identifier: MIT
#pragma once

#include "rows/rows.hpp"

namespace graze::bench {

void row_deform_elementary(Context&);
void row_deform_steps(Context&);
void row_deform_iccd(Context&);
void row_deform_growth(Context&);

}  // namespace graze::bench
