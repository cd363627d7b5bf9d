// SPDX-License-Identifier: MIT
#pragma once

#include "math/dyadic.hpp"

namespace graze::math {

/// The double nearest to num / den, ties to even; also for subnormal results. num >= 0, den > 0. Beyond the range of
/// doubles: infinity.
double nearest_ratio(const Dyadic& num, const Dyadic& den);

}  // namespace graze::math
