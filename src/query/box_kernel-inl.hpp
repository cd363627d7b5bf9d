// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_BOX_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_BOX_KERNEL_INL
#undef GRAZE_QUERY_BOX_KERNEL_INL
#else
#define GRAZE_QUERY_BOX_KERNEL_INL
#endif

#include <hwy/highway.h>

#include "query/tree_frame.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Eight floats, in as many registers as the instruction set needs.
using D = hn::CappedTag<float, 8>;

template <class Mask>
unsigned bits_of(Mask m) {
  const D d;
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, m, bytes);
  return bytes[0];
}

/// The boxes of one node, as centres and half widths along A's axes and along B's axes, all in A's frame.
struct alignas(64) Side {
  float c[3][8], h[3][8];          // along A's axes
  float cb[3][8], hb[3][8];        // along B's axes
  float own_c[3][8], own_h[3][8];  // of a node of B, in B's own frame
  int n = 0;
  std::uint32_t node = ~0u;
  bool open = false;
};

/// Centres and half widths of a node's boxes in its own frame.
inline void decode(const bvh::WideNode& node, bool open, float (*c)[8], float (*h)[8]) {
  const D d;
  const hn::Rebind<std::uint8_t, D> d8;
  const hn::Rebind<std::int32_t, D> d32;
  for (int axis = 0; axis < 3; ++axis) {
    const float half = 0.5f * node.scale[axis];
    if (!open) {
      c[axis][0] = node.origin[axis] + 255 * half;
      h[axis][0] = 255 * half;
      continue;
    }
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      const auto lo = hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, node.lo[axis] + i)));
      const auto hi = hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, node.hi[axis] + i)));
      hn::Store(hn::MulAdd(hn::Add(lo, hi), hn::Set(d, half), hn::Set(d, node.origin[axis])), d, c[axis] + i);
      hn::Store(hn::Mul(hn::Sub(hi, lo), hn::Set(d, half)), d, h[axis] + i);
    }
  }
}

/// sum of three products with constants, the constants' magnitudes if `Magnitude`.
template <bool Magnitude, class V>
V combine(float x, float y, float z, V a, V b, V c) {
  const D d;
  if (Magnitude) {
    x = x < 0 ? -x : x;
    y = y < 0 ? -y : y;
    z = z < 0 ? -z : z;
  }
  return hn::MulAdd(hn::Set(d, x), a, hn::MulAdd(hn::Set(d, y), b, hn::Mul(hn::Set(d, z), c)));
}

/// A node of A: along B's axes its boxes reach |R|^T h around R^T c.
inline void prepare_a(const TreeFrame& f, const bvh::WideNode& node, std::uint32_t index, bool open, Side& s) {
  if (s.node == index && s.open == open) return;
  s.node = index;
  s.open = open;
  s.n = open ? node.count : 1;
  decode(node, open, s.c, s.h);
  const D d;
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
    const auto c0 = hn::Load(d, s.c[0] + i), c1 = hn::Load(d, s.c[1] + i), c2 = hn::Load(d, s.c[2] + i);
    const auto h0 = hn::Load(d, s.h[0] + i), h1 = hn::Load(d, s.h[1] + i), h2 = hn::Load(d, s.h[2] + i);
    for (int j = 0; j < 3; ++j) {
      hn::Store(combine<false>(f.r[j], f.r[3 + j], f.r[6 + j], c0, c1, c2), d, s.cb[j] + i);
      hn::Store(combine<true>(f.r[j], f.r[3 + j], f.r[6 + j], h0, h1, h2), d, s.hb[j] + i);
    }
  }
}

/// A node of B: along A's axes its boxes reach rho |R| h around rho R c + t; the frame's error is added here, once for
/// both sides.
inline void prepare_b(const TreeFrame& f, const bvh::WideNode& node, std::uint32_t index, bool open, Side& s) {
  if (s.node == index && s.open == open) return;
  s.node = index;
  s.open = open;
  s.n = open ? node.count : 1;
  const auto &c = s.own_c, &h = s.own_h;
  decode(node, open, s.own_c, s.own_h);
  const D d;
  const auto rho = hn::Set(d, f.rho);
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
    const auto c0 = hn::Mul(rho, hn::Load(d, c[0] + i)), c1 = hn::Mul(rho, hn::Load(d, c[1] + i)),
               c2 = hn::Mul(rho, hn::Load(d, c[2] + i));
    const auto h0 = hn::Mul(rho, hn::Load(d, h[0] + i)), h1 = hn::Mul(rho, hn::Load(d, h[1] + i)),
               h2 = hn::Mul(rho, hn::Load(d, h[2] + i));
    for (int k = 0; k < 3; ++k) {
      const float* r = f.r + 3 * k;
      hn::Store(hn::Add(combine<false>(r[0], r[1], r[2], c0, c1, c2), hn::Set(d, f.t[k])), d, s.c[k] + i);
      hn::Store(hn::Add(combine<true>(r[0], r[1], r[2], h0, h1, h2), hn::Set(d, f.error)), d, s.h[k] + i);
    }
    hn::Store(hn::Add(c0, hn::Set(d, f.rt[0])), d, s.cb[0] + i);
    hn::Store(hn::Add(c1, hn::Set(d, f.rt[1])), d, s.cb[1] + i);
    hn::Store(hn::Add(c2, hn::Set(d, f.rt[2])), d, s.cb[2] + i);
    const auto e = hn::Set(d, f.error_b);
    hn::Store(hn::Add(h0, e), d, s.hb[0] + i);
    hn::Store(hn::Add(h1, e), d, s.hb[1] + i);
    hn::Store(hn::Add(h2, e), d, s.hb[2] + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#endif
