// SPDX-License-Identifier: MIT
// Like core/instruction_sets.hpp, for kernels with lanes of doubles: Highway 1.0.3 has none on WebAssembly, where its
// scalar emulation (EMU128) is used instead.
#pragma once

#include "core/instruction_sets.hpp"

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_WASM | HWY_WASM_EMU256)
