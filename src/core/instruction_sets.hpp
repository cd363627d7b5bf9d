// SPDX-License-Identifier: MIT
// Before <hwy/foreach_target.h>: only what the tests can run, SSE4 and AVX2 on x86 (DESIGN 5), and the baseline
// everywhere.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX3_DL)
