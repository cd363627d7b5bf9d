// SPDX-License-Identifier: MIT
#pragma once

#include "core/instruction_sets.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>

namespace graze::testing {

/// Calls `ask` once for each instruction set below the processor's best, with that set selected. If kernels are
/// compiled for one set only, there is nothing to select (and Highway may be present as headers only).
template <class Ask>
void for_lesser_instruction_sets([[maybe_unused]] Ask ask) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) != 0
  for (const std::uint32_t disabled :
       {std::uint32_t{HWY_AVX2}, std::uint32_t{HWY_AVX2 | HWY_SSE4}, std::uint32_t{HWY_AVX2 | HWY_SSE4 | HWY_SSSE3}}) {
    hwy::DisableTargets(disabled);
    hwy::GetChosenTarget().DeInit();
    ask();
  }
  hwy::DisableTargets(0);
  hwy::GetChosenTarget().DeInit();
#endif
}

}  // namespace graze::testing
