// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_MOTION_SIDES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_MOTION_SIDES_INL
#undef GRAZE_QUERY_MOTION_SIDES_INL
#else
#define GRAZE_QUERY_MOTION_SIDES_INL
#endif

#include "engine/first_contact/clocks/motion_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::first_contact {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

/// Which parts of a node are tested: its children (or triangles), one of its triangles, or itself.
struct Look {
  enum class At { children, triangle, node } at;
  std::uint32_t node;
  int slot = 0;
};

/// Boxes in the node's own axes, from its own origin.
inline int decode(const bvh::WideNode& node, const Look& look, float (*c)[8], float (*h)[8]) {
  const D d;
  const hn::Rebind<std::uint8_t, D> d8;
  const hn::Rebind<std::int32_t, D> d32;
  for (int axis = 0; axis < 3; ++axis) {
    const float half = 0.5f * node.scale[axis];
    if (look.at != Look::At::children) {
      const bool whole = look.at == Look::At::node;
      const int lo = whole ? 0 : node.lo[axis][look.slot], hi = whole ? 255 : node.hi[axis][look.slot];
      c[axis][0] = half * static_cast<float>(lo + hi);
      h[axis][0] = half * static_cast<float>(hi - lo);
      continue;
    }
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      const auto lo = hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, node.lo[axis] + i)));
      const auto hi = hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, node.hi[axis] + i)));
      hn::Store(hn::Mul(hn::Add(lo, hi), hn::Set(d, half)), d, c[axis] + i);
      hn::Store(hn::Mul(hn::Sub(hi, lo), hn::Set(d, half)), d, h[axis] + i);
    }
  }
  return look.at == Look::At::children ? node.count : 1;
}

/// The distances of the boxes from the axis or reference point of their body.
inline void measure(const MotionFrame& f, const PairFrame& p, bool of_b, Side& s) {
  const FloatMotion& m = of_b ? f.motion_b : f.motion_a;
  if (!m.turns()) return;
  const D d;
  const V3 ref = set3(of_b ? p.ref_b : p.ref_a), u = set3(m.u);
  const V3 own_u = of_b ? turned_back(f.r, u) : u;
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
    const V3 c{{hn::Load(d, s.c[0] + i), hn::Load(d, s.c[1] + i), hn::Load(d, s.c[2] + i)}};
    const V3 h{{hn::Load(d, s.h[0] + i), hn::Load(d, s.h[1] + i), hn::Load(d, s.h[2] + i)}};
    const V3 arm = c - ref;
    const V along = dot(u, arm);
    // Perpendicular to the axis, for a twist: the cross product does not cancel near the axis. 2^-18 of the arm covers
    // its rounding.
    const V3 across = m.twist ? cross(u, arm) : arm;
    const V size = hn::Add(hn::Sqrt(dot(across, across)), hn::Sqrt(dot(h, h)));
    const V slack = hn::Mul(hn::Sqrt(dot(arm, arm)), hn::Set(d, 0x1p-18f));
    hn::Store(hn::MulAdd(size, hn::Set(d, 1.00001f), slack), d, s.far + i);
    hn::Store(along, d, s.along + i);
    hn::Store(reach(own_u, h), d, s.along_h + i);
  }
}

inline void store_slab(Side& s, std::size_t i, const V3& n, V lo, V hi) {
  const D d;
  for (int k = 0; k < 3; ++k) hn::Store(n[k], d, s.slab[k] + i);
  hn::Store(lo, d, s.lo + i);
  hn::Store(hi, d, s.hi + i);
}

/// Transforms a slab from its node's own axes and origin to A's axes and the origin of A's node.
inline void place_slab(const MotionFrame& f, const PairFrame& p, bool of_b, Side& s, std::size_t i, V3 n, V lo, V hi) {
  if (of_b) {
    const V rho = hn::Set(D(), f.rho);
    n = turned(f.r, n);
    const V shift = dot(n, set3(p.o));
    lo = hn::MulAdd(rho, lo, shift);
    hi = hn::MulAdd(rho, hi, shift);
  }
  store_slab(s, i, n, lo, hi);
}

/// For nodes the directions that the tree stores, for triangles their normals.
inline void load_slabs(const MotionFrame& f, const PairFrame& p, const body::WideTree& tree, bool of_b,
                       const Look& look, Side& s) {
  const D d;
  const bvh::WideNode& node = tree.tree.nodes[look.node];
  const V3 origin = set3(node.origin);
  if (look.at == Look::At::node || !node.bottom) {
    const body::SlabView view = look.at == Look::At::node ? tree.slabs.of_node(node, look.node) : tree.slabs.of(node);
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
      const V3 n{{hn::LoadU(d, view.m[0] + i), hn::LoadU(d, view.m[1] + i), hn::LoadU(d, view.m[2] + i)}};
      const V base = dot(n, origin);
      place_slab(f, p, of_b, s, i, n, hn::Sub(hn::LoadU(d, view.lo + i), base),
                 hn::Sub(hn::LoadU(d, view.hi + i), base));
    }
    return;
  }
  const std::size_t slot = look.at == Look::At::triangle ? static_cast<std::size_t>(look.slot) : 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
    V3 q[3];
    for (int corner = 0; corner < 3; ++corner)
      for (int axis = 0; axis < 3; ++axis) q[corner][axis] = hn::LoadU(d, tree.row(node, corner, axis) + slot + i);
    const V3 n = unit(cross(q[1] - q[0], q[2] - q[0]));
    const V x = dot(n, q[0]), y = dot(n, q[1]), z = dot(n, q[2]);
    place_slab(f, p, of_b, s, i, n, hn::Min(x, hn::Min(y, z)), hn::Max(x, hn::Max(y, z)));
  }
}

inline void load_side(const MotionFrame& f, const PairFrame& p, const body::WideTree& tree, bool of_b, const Look& look,
                      Side& s) {
  const D d;
  s.n = decode(tree.tree.nodes[look.node], look, s.c, s.h);
  if (of_b) {
    const V rho = hn::Set(d, f.rho);
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
      const V3 own{{hn::Load(d, s.c[0] + i), hn::Load(d, s.c[1] + i), hn::Load(d, s.c[2] + i)}};
      const V3 c = turned(f.r, scaled(own, rho)) + set3(p.o);
      for (int k = 0; k < 3; ++k) {
        hn::Store(c[k], d, s.c[k] + i);
        hn::Store(hn::Mul(rho, hn::Load(d, s.h[k] + i)), d, s.h[k] + i);
      }
    }
  }
  measure(f, p, of_b, s);
  load_slabs(f, p, tree, of_b, look, s);
}

}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::first_contact
HWY_AFTER_NAMESPACE();

#endif
