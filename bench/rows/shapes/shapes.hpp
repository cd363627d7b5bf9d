// SPDX-License-Identifier: MIT
#pragma once

#include "rows/rows.hpp"

namespace graze::bench {

std::span<const Row> shape_rows();

void row_shape_first_contact(Context& context);
void row_motion_free(Context& context);
void row_shape_world(Context& context);

}  // namespace graze::bench
