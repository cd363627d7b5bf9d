// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad/strips_sweep.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "broad/strips_sweep.hpp"
#include "simd/floats-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::broad {
namespace HWY_NAMESPACE {

using namespace simd::floats::HWY_NAMESPACE;

/// Range: keys are only compared, and none is NaN or infinite (StripsFrame::key clamps them). Lanes beyond the last box
/// hold old keys or zeros; they are masked.
std::uint64_t Sweep(const SweepBoxes& boxes, SweepHits& hits) {
  const D d;
  const std::size_t lanes = hn::Lanes(d), n = boxes.size;
  const float *lo0 = boxes.lo[0].data(), *hi0 = boxes.hi[0].data();
  const float *lo1 = boxes.lo[1].data(), *hi1 = boxes.hi[1].data();
  const float *lo2 = boxes.lo[2].data(), *hi2 = boxes.hi[2].data();
  std::size_t steps = 0, found = 0;
  if (hits.buffer.size() < 2 * n + 8) hits.buffer.resize(2 * n + 8);
  SweepHit* out = hits.buffer.data();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const auto end = hn::Set(d, hi0[i]);
    const auto l1 = hn::Set(d, lo1[i]), h1 = hn::Set(d, hi1[i]), l2 = hn::Set(d, lo2[i]), h2 = hn::Set(d, hi2[i]);
    for (std::size_t j = i + 1; j < n; j += lanes) {
      // Once a box begins beyond the end of the current one, all following boxes do, too: they are sorted.
      const auto begun = hn::Le(hn::LoadU(d, lo0 + j), end);
      const auto across1 = hn::And(hn::Le(hn::LoadU(d, lo1 + j), h1), hn::Ge(hn::LoadU(d, hi1 + j), l1));
      const auto across2 = hn::And(hn::Le(hn::LoadU(d, lo2 + j), h2), hn::Ge(hn::LoadU(d, hi2 + j), l2));
      ++steps;
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::And(begun, hn::And(across1, across2)), bytes);
      unsigned bits = bytes[0];
      if (n - j < lanes) bits &= (1u << (n - j)) - 1;
      if (HWY_UNLIKELY(found + lanes > hits.buffer.size())) {
        hits.buffer.resize(2 * hits.buffer.size());
        out = hits.buffer.data();
      }
      for (; bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(bits));
        out[found++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j + lane)};
      }
      if (j + lanes >= n || lo0[j + lanes] > hi0[i]) break;
    }
  }
  hits.size = found;
  return steps * lanes;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::broad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::broad {

HWY_EXPORT(Sweep);

std::uint64_t sweep(const SweepBoxes& boxes, SweepHits& hits) { return HWY_DYNAMIC_DISPATCH(Sweep)(boxes, hits); }

}  // namespace graze::broad
#endif
