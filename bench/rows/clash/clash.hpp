// SPDX-License-Identifier: MIT
#pragma once

#include "rows/rows.hpp"

namespace graze::bench {

std::span<const Row> clash_rows();

}  // namespace graze::bench
