// SPDX-License-Identifier: MIT
// Include before <hwy/foreach_target.h>. Enables only the instruction sets that the tests can run: SSE4 and AVX2 on x86
// (docs/design.md 5), and the baseline everywhere. SVE is excluded, too: its vector size is not known at compile time,
// and graze has structures with vector members.
#pragma once

#ifdef GRAZE_FEW_INSTRUCTION_SETS  // for sanitizers: the baseline and AVX2
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif

// That leaves Neon on 64-bit Arm, which every such processor has. Highway would still enable the AES instructions
// function by function; g++ then refuses to inline functions that it generates itself, such as the copy of a structure
// of vectors. If Highway believes that this header is missing (it is present), it performs no run-time dispatch on Arm
// and does not change the functions' targets.
#define TOOLCHAIN_MISS_SYS_AUXV_H
