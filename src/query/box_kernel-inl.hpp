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
  float sm[3][8], sb[3][8];        // slabs: directions along A's axes, along B's axes
  float slo[8], shi[8];            // and ranges, in A's frame, widened by the frame's error
  bool has_slabs = false;
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
  s.has_slabs = false;
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
  s.has_slabs = false;
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

/// The slabs of an opened inner node; 3 `error` covers both bodies' errors along a direction of unit length and the
/// roundings here.
inline void prepare_slabs_a(const TreeFrame& f, const SlabView& n, Side& s) {
  if (s.has_slabs) return;
  s.has_slabs = true;
  const D d;
  const auto e = hn::Set(d, f.error_b);
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, n.m[0] + i), y = hn::LoadU(d, n.m[1] + i), z = hn::LoadU(d, n.m[2] + i);
    hn::Store(x, d, s.sm[0] + i);
    hn::Store(y, d, s.sm[1] + i);
    hn::Store(z, d, s.sm[2] + i);
    for (int j = 0; j < 3; ++j) hn::Store(combine<false>(f.r[j], f.r[3 + j], f.r[6 + j], x, y, z), d, s.sb[j] + i);
    hn::Store(hn::Sub(hn::LoadU(d, n.lo + i), e), d, s.slo + i);
    hn::Store(hn::Add(hn::LoadU(d, n.hi + i), e), d, s.shi + i);
  }
}
inline void prepare_slabs_b(const TreeFrame& f, const SlabView& n, Side& s) {
  if (s.has_slabs) return;
  s.has_slabs = true;
  const D d;
  const auto e = hn::Set(d, f.error_b), rho = hn::Set(d, f.rho);
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, n.m[0] + i), y = hn::LoadU(d, n.m[1] + i), z = hn::LoadU(d, n.m[2] + i);
    hn::Store(x, d, s.sb[0] + i);
    hn::Store(y, d, s.sb[1] + i);
    hn::Store(z, d, s.sb[2] + i);
    auto shift = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const auto m = combine<false>(f.r[3 * k], f.r[3 * k + 1], f.r[3 * k + 2], x, y, z);
      hn::Store(m, d, s.sm[k] + i);
      shift = hn::MulAdd(m, hn::Set(d, f.t[k]), shift);
    }
    hn::Store(hn::Sub(hn::MulAdd(rho, hn::LoadU(d, n.lo + i), shift), e), d, s.slo + i);
    hn::Store(hn::Add(hn::MulAdd(rho, hn::LoadU(d, n.hi + i), shift), e), d, s.shi + i);
  }
}

/// Which boxes i... of `many` are apart from box k of `one` along their own slabs' directions, or along that of k.
inline auto apart_by_slabs(const Side& one, int k, bool one_of_b, const Side& many, std::size_t i) {
  const D d;
  const auto magnitude = [](float x) { return x < 0 ? -x : x; };
  auto result = hn::MaskFromVec(hn::Zero(d));
  const auto beyond = [&](auto centre, auto reach, auto lo, auto hi) {
    return hn::Or(hn::Gt(hn::Sub(centre, reach), hi), hn::Lt(hn::Add(centre, reach), lo));
  };
  if (many.has_slabs) {
    const auto at = [&](const float(*v)[8], int axis) { return hn::Load(d, v[axis] + i); };
    const auto centre =
        combine<false>(one.c[0][k], one.c[1][k], one.c[2][k], at(many.sm, 0), at(many.sm, 1), at(many.sm, 2));
    const auto& m = one_of_b ? many.sb : many.sm;
    const auto& h = one_of_b ? one.hb : one.h;
    const auto reach =
        combine<false>(h[0][k], h[1][k], h[2][k], hn::Abs(at(m, 0)), hn::Abs(at(m, 1)), hn::Abs(at(m, 2)));
    result = beyond(centre, reach, hn::Load(d, many.slo + i), hn::Load(d, many.shi + i));
  }
  if (one.has_slabs) {
    const auto at = [&](const float(*v)[8], int axis) { return hn::Load(d, v[axis] + i); };
    const auto centre =
        combine<false>(one.sm[0][k], one.sm[1][k], one.sm[2][k], at(many.c, 0), at(many.c, 1), at(many.c, 2));
    const auto& m = one_of_b ? one.sm : one.sb;
    const auto& h = one_of_b ? many.h : many.hb;
    const auto reach =
        combine<false>(magnitude(m[0][k]), magnitude(m[1][k]), magnitude(m[2][k]), at(h, 0), at(h, 1), at(h, 2));
    result = hn::Or(result, beyond(centre, reach, hn::Set(d, one.slo[k]), hn::Set(d, one.shi[k])));
  }
  return result;
}

/// Which boxes of `many` are not separated from box k of `one` by any of the six face axes. NaN never separates.
inline unsigned overlapping_row(const Side& one, int k, bool one_of_b, const Side& many) {
  const D d;
  unsigned result = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(many.n); i += hn::Lanes(d)) {
    const auto apart = [&](const float(*c1)[8], const float(*h1)[8], const float(*c2)[8], const float(*h2)[8],
                           int axis) {
      const auto gap = hn::Abs(hn::Sub(hn::Load(d, c2[axis] + i), hn::Set(d, c1[axis][k])));
      return hn::Gt(gap, hn::Add(hn::Load(d, h2[axis] + i), hn::Set(d, h1[axis][k])));
    };
    auto m = hn::Or(apart(one.c, one.h, many.c, many.h, 0),
                    hn::Or(apart(one.c, one.h, many.c, many.h, 1), apart(one.c, one.h, many.c, many.h, 2)));
    m = hn::Or(m,
               hn::Or(apart(one.cb, one.hb, many.cb, many.hb, 0),
                      hn::Or(apart(one.cb, one.hb, many.cb, many.hb, 1), apart(one.cb, one.hb, many.cb, many.hb, 2))));
    const unsigned lanes = ((1u << hn::Lanes(d)) - 1);
    unsigned open = ~bits_of(m) & lanes;
    if (open != 0 && (one.has_slabs || many.has_slabs)) open &= ~bits_of(apart_by_slabs(one, k, one_of_b, many, i));
    result |= open << i;
  }
  return result & ((1u << many.n) - 1);
}

/// All overlapping pairs as 8 * (index in a) + (index in b), in an order that depends on the trees alone.
inline int overlapping(const Side& a, const Side& b, std::uint32_t* out) {
  int n = 0;
  if (a.n < b.n) {
    for (int i = 0; i < a.n; ++i)
      for (unsigned m = overlapping_row(a, i, false, b); m != 0; m &= m - 1)
        out[n++] = static_cast<std::uint32_t>(8 * i + __builtin_ctz(m));
  } else {
    for (int j = 0; j < b.n; ++j)
      for (unsigned m = overlapping_row(b, j, true, a); m != 0; m &= m - 1)
        out[n++] = static_cast<std::uint32_t>(8 * __builtin_ctz(m) + j);
  }
  return n;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#endif
