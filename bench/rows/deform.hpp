// SPDX-License-Identifier: MIT
#pragma once

#include "rows/rows.hpp"

namespace graze::bench {

void row_deform_elementary(Context&);

}  // namespace graze::bench
