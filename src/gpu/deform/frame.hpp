// SPDX-License-Identifier: MIT
// The frame of a scene: coordinates from -1 to 1, in which boxes and the sieve work in single precision.
//
// A coordinate X = (x - centre) * scale is within 2^-25 (1 + 2^-20) of the float that is kept of it: half a unit in the
// last place of floats up to 1, and a few roundings of doubles. Vertices that leave the frame are counted, and the host
// repeats the step in a larger one.
#pragma once

#include <cmath>
#include <cstdint>

#include <graze/math/vec3.hpp>

#include "gpu/deform/boxes.hpp"

namespace graze::gpu {

struct Frame {
  Vec3 centre;
  double scale;
};

/// A vertex at both ends of the step, in the frame.
struct alignas(16) FramedVertex {
  float at[2][3];
  std::uint32_t spare[2];
};

/// Bounds of a feature at both ends of the step, in 15 bits, and its vertices. With u the bounds in units of cells,
/// rounded down, from 1 to 32767: a word for each end and axis has u of the upper bound below and 32768 - u of the
/// lower bound above. The sum of one's upper and the other's lower half reaches 32768, the highest bit of 16, where the
/// first's upper bound is not below the second's lower one; it stays below 65536, so nothing is carried.
struct alignas(16) PackedBox {
  std::uint32_t at[2][3];
  std::uint32_t vertices[2];  ///< places; three of a face, in 21 bits each
};

/// A box that nothing is near: no sum reaches 32768.
GRAZE_DEVICE PackedBox empty_packed() { return {{{0, 0, 0}, {0, 0, 0}}, {0, 0}}; }

GRAZE_DEVICE std::uint32_t halves_swapped(std::uint32_t x) { return x << 16 | x >> 16; }
GRAZE_DEVICE PackedBox swapped(const PackedBox& b) {
  PackedBox s = b;
  for (int end = 0; end < 2; ++end)
    for (int axis = 0; axis < 3; ++axis) s.at[end][axis] = halves_swapped(b.at[end][axis]);
  return s;
}

/// Not apart along an axis at both ends. `a` is swapped.
GRAZE_DEVICE bool near(const PackedBox& a, const PackedBox& b) {
  const std::uint32_t x = (a.at[0][0] + b.at[0][0]) | (a.at[1][0] + b.at[1][0]),
                      y = (a.at[0][1] + b.at[0][1]) | (a.at[1][1] + b.at[1][1]),
                      z = (a.at[0][2] + b.at[0][2]) | (a.at[1][2] + b.at[1][2]);
  return (~(x & y & z) & 0x80008000u) == 0;
}

/// Every operation is monotone: bounds that are apart by cells are apart as floats.
GRAZE_DEVICE std::uint32_t cell_of(float x) {
  const float u = (x + 1.0f) * 16383.0f;
  return static_cast<std::uint32_t>(u < 1.0f ? 1.0f : u > 32767.0f ? 32767.0f : u);
}
GRAZE_DEVICE PackedBox packed(const BoxPair& b) {
  PackedBox p;
  for (int end = 0; end < 2; ++end)
    for (int axis = 0; axis < 3; ++axis)
      p.at[end][axis] = cell_of(b.hi[end][axis]) | (32768u - cell_of(b.lo[end][axis])) << 16;
  p.vertices[0] = p.vertices[1] = 0;
  return p;
}

/// Places of vertices in 21 bits; those that do not fit are never equal to one that is asked for.
constexpr std::uint32_t packed_places = (1u << 21) - 1;
GRAZE_DEVICE void pack_face(PackedBox& b, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const bool fit = x < packed_places && y < packed_places && z < packed_places;
  b.vertices[0] = fit ? x | z << 21 : 0xFFFFFFFFu;
  b.vertices[1] = fit ? y | (z >> 11) << 21 : 0xFFFFFFFFu;
}
/// Is a vertex certainly one of a packed face's? Vertices beyond 21 bits are not looked up.
GRAZE_DEVICE bool has_vertex(const PackedBox& face, std::uint32_t v) {
  const std::uint32_t x = face.vertices[0] & packed_places, y = face.vertices[1] & packed_places,
                      z = face.vertices[0] >> 21 | (face.vertices[1] >> 21) << 11;
  return (v < packed_places) & ((v == x) | (v == y) | (v == z));
}

/// The bounds of a feature's vertices, widened so that pairs that are apart by them are apart by more than the
/// tolerance of elementary queries, which is `margin`, in the frame's unit, or by default below 2^-36 (1e-12 of lengths
/// of at most 4 sqrt(3) there). At both ends, two features whose bounds are apart along an axis are so by twice the
/// slack, less both points' errors of 2^-25 each, less the roundings of both bounds, at most 2^-24 (1 + margin) each:
/// with a slack of 2^-23 + margin (1 + 2^-20) / 2 that is more than 2^-24 + margin.
template <int n>
GRAZE_DEVICE BoxPair framed_bounds(const FramedVertex (&v)[n], float margin) {
  const float slack = 0x1p-23f + margin * (0.5f + 0x1p-21f);
  BoxPair b;
  for (int end = 0; end < 2; ++end)
    for (int axis = 0; axis < 3; ++axis) {
      float lo = v[0].at[end][axis], hi = lo;
      for (int i = 1; i < n; ++i) {
        lo = fminf(lo, v[i].at[end][axis]);
        hi = fmaxf(hi, v[i].at[end][axis]);
      }
      b.lo[end][axis] = lo - slack;
      b.hi[end][axis] = hi + slack;
    }
  return b;
}

}  // namespace graze::gpu
