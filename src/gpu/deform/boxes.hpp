// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include <graze/math/vec3.hpp>

#include "gpu/warp.hpp"

namespace graze::gpu {

/// Bounds of a feature, or of many, at both ends of the step. In between they lie between these, because vertices move
/// on straight lines: what is beyond at both ends along an axis is beyond at all times.
struct alignas(16) BoxPair {
  float lo[2][3], hi[2][3];  ///< [end][axis]; an empty box is beyond everything
};

GRAZE_DEVICE BoxPair empty_boxes() {
  BoxPair b;
  for (int end = 0; end < 2; ++end)
    for (int axis = 0; axis < 3; ++axis) {
      b.lo[end][axis] = INFINITY;
      b.hi[end][axis] = -INFINITY;
    }
  return b;
}

GRAZE_DEVICE bool apart(const BoxPair& a, const BoxPair& b) {
  bool apart = false;
  for (int axis = 0; axis < 3; ++axis) {
    apart |= (a.lo[0][axis] > b.hi[0][axis]) & (a.lo[1][axis] > b.hi[1][axis]);
    apart |= (b.lo[0][axis] > a.hi[0][axis]) & (b.lo[1][axis] > a.hi[1][axis]);
  }
  return apart;
}

GRAZE_DEVICE std::int32_t bits_of(float x) {
#ifdef __CUDA_ARCH__
  return __float_as_int(x);
#else
  return std::bit_cast<std::int32_t>(x);
#endif
}
GRAZE_DEVICE float float_of(std::int32_t x) {
#ifdef __CUDA_ARCH__
  return __int_as_float(x);
#else
  return std::bit_cast<float>(x);
#endif
}

/// Whole numbers in the order of floats, and back; its own inverse.
GRAZE_DEVICE std::int32_t in_order(std::int32_t bits) { return bits ^ ((bits >> 31) & 0x7FFFFFFF); }

/// The bounds of all lanes' boxes.
GRAZE_DEVICE BoxPair joined(Warp& warp, const PerLane<BoxPair>& boxes) {
  BoxPair all;
  PerLane<std::int32_t> x;
  for (int end = 0; end < 2; ++end)
    for (int axis = 0; axis < 3; ++axis) {
      warp.each([&](int lane) { x[lane] = in_order(bits_of(boxes[lane].lo[end][axis])); });
      all.lo[end][axis] = float_of(in_order(warp.least(x)));
      warp.each([&](int lane) { x[lane] = in_order(bits_of(-boxes[lane].hi[end][axis])); });
      all.hi[end][axis] = -float_of(in_order(warp.least(x)));
    }
  return all;
}

/// The bounds of a feature's points, `at[end]`, widened on all sides, so that pairs that are apart by them are apart by
/// more than the tolerance of elementary queries: where they are not, these queries decide.
///
/// The tolerance is `margin` (what the caller gave, and the minimum separation) or by default 1e-12 of the pair's
/// longest edge or relative motion, but at least 16 * 32 * 2^-53 = 2^-44 of the largest distance of two of its points.
/// With e the longest side of the box of a feature's points at both ends, edges and relative motions are below sqrt(3)
/// (e + e'), and so are these distances, but for the distance in which the features are when a contact is reported. So
/// the tolerance is below 1.8e-12 (e + e'); 2^-37 (e + e') = 7e-12 (e + e') is four times that. The sum below may round
/// it away: then the coordinates are multiples of something larger, and so are their differences. Scaling and rounding
/// to floats may make coordinates equal, but does not change their order: what is not apart stays so.
template <int n>
GRAZE_DEVICE BoxPair widened_bounds(const Vec3 (&at)[2][n], double unit, double margin) {
  double lo[2][3], hi[2][3], extent = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (int end = 0; end < 2; ++end) {
      lo[end][axis] = hi[end][axis] = at[end][0][axis];
      for (int i = 1; i < n; ++i) {
        const double x = at[end][i][axis];
        lo[end][axis] = x < lo[end][axis] ? x : lo[end][axis];
        hi[end][axis] = x > hi[end][axis] ? x : hi[end][axis];
      }
    }
    const double low = lo[0][axis] < lo[1][axis] ? lo[0][axis] : lo[1][axis];
    const double high = hi[0][axis] > hi[1][axis] ? hi[0][axis] : hi[1][axis];
    extent = high - low > extent ? high - low : extent;
  }
  // (One over 2^40 more than half of the margin: for the roundings of this sum and of the two beyond.)
  const double slack = 0x1p-37 * extent + margin * (0.5 + 0x1p-40);
  BoxPair b;
  for (int end = 0; end < 2; ++end)
    for (int axis = 0; axis < 3; ++axis) {
      b.lo[end][axis] = static_cast<float>((lo[end][axis] - slack) * unit);
      b.hi[end][axis] = static_cast<float>((hi[end][axis] + slack) * unit);
    }
  return b;
}

}  // namespace graze::gpu
