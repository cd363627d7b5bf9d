// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_WALK_BOXES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_WALK_BOXES_INL
#undef GRAZE_QUERY_WALK_BOXES_INL
#else
#define GRAZE_QUERY_WALK_BOXES_INL
#endif

#include "body/tree_frame.hpp"
#include "simd/floats-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::collide::walking {
namespace HWY_NAMESPACE {

using namespace simd::floats::HWY_NAMESPACE;

/// The body along whose axes coordinates are given. In both cases the origin is the centre of A's frame and the unit is
/// A's.
enum Axes : int { of_a = 0, of_b = 1 };

/// The frame as used by the traversal: converts coordinates along one body's axes to the other's.
struct alignas(64) WalkFrame {
  explicit WalkFrame(const body::TreeFrame& frame) : f(frame) {
    for (int row = 0; row < 3; ++row)
      for (int k = 0; k < 3; ++k) {
        set(of_a, row, k, f.r[3 * k + row]);
        set(of_b, row, k, f.r[3 * row + k]);
      }
  }
  void set(Axes own, int row, int k, float x) {
    const D d;
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      hn::Store(hn::Set(d, x), d, turn[own][3 * row + k] + i);
      hn::Store(hn::Abs(hn::Set(d, x)), d, size[own][3 * row + k] + i);
    }
    column[own][k][row] = x;
  }

  float turn[2][9][8];         ///< row-major, every entry repeated eight times
  float size[2][9][8];         ///< absolute values of these
  float column[2][3][4] = {};  ///< column-major
  const body::TreeFrame& f;
};

/// One row of (turn or size of the frame) v.
inline V turned(const float (*matrix)[8], int row, const V3& v) {
  const D d;
  const float(*m)[8] = matrix + 3 * row;
  return hn::MulAdd(hn::Load(d, m[0]), v[0], hn::MulAdd(hn::Load(d, m[1]), v[1], hn::Mul(hn::Load(d, m[2]), v[2])));
}

/// The whole box of one node and its slab, along both bodies' axes, widened by the traversal's error. No fused
/// products, see `meeting`.
struct alignas(64) Whole {
  float c[2][4], h[2][4], m[2][4];
  float lo, hi;
  std::uint32_t node = ~0u;
};

template <Axes Own>
void prepare(const WalkFrame& w, const body::WideTree& tree, std::uint32_t index, Whole& out) {
  if (out.node == index) return;
  out.node = index;
  constexpr Axes other = Own == of_a ? of_b : of_a;
  const body::TreeFrame& f = w.f;
  const bvh::WideNode& node = tree.tree.nodes[index];
  const body::SlabView slab = tree.slabs.of_node(node, index);
  const float rho = Own == of_a ? 1.0f : f.rho;
  float shift = 0;
  for (int k = 0; k < 3; ++k) {
    const float half = 127.5f * node.scale[k] * rho, m = *slab.m[static_cast<std::size_t>(k)];
    out.c[Own][k] = (Own == of_a ? node.origin[k] : node.origin[k] * rho + f.rt[k]) + half;
    out.h[Own][k] = half;
    out.m[Own][k] = m;
    if (Own == of_b) shift += m * f.rt[k];
  }
  const hn::CappedTag<float, 4> d;
  const auto e = hn::Set(d, f.error_walk);
  for (std::size_t i = 0; i < 4; i += hn::Lanes(d)) {
    const auto c0 = hn::Load(d, w.column[Own][0] + i), c1 = hn::Load(d, w.column[Own][1] + i),
               c2 = hn::Load(d, w.column[Own][2] + i);
    const auto turn = [&](const float* v, auto x0, auto x1, auto x2) {
      return hn::Add(hn::Mul(x0, hn::Set(d, v[0])),
                     hn::Add(hn::Mul(x1, hn::Set(d, v[1])), hn::Mul(x2, hn::Set(d, v[2]))));
    };
    hn::Store(turn(out.c[Own], c0, c1, c2), d, out.c[other] + i);
    hn::Store(turn(out.m[Own], c0, c1, c2), d, out.m[other] + i);
    hn::Store(hn::Add(turn(out.h[Own], hn::Abs(c0), hn::Abs(c1), hn::Abs(c2)), e), d, out.h[other] + i);
  }
  for (int k = 0; k < 3; ++k) out.h[Own][k] += f.error_walk;
  out.lo = rho * *slab.lo + shift - f.error_walk;
  out.hi = rho * *slab.hi + shift + f.error_walk;
}

struct Boxes {
  V3 c, h;
};

/// Centres and half widths of a node's children along the body's own axes. No fused products, see `meeting`.
template <Axes Own>
Boxes decode(const WalkFrame& w, const bvh::WideNode& node, std::size_t i) {
  const D d;
  const hn::Rebind<std::uint8_t, D> d8;
  const hn::Rebind<std::int32_t, D> d32;
  const auto axis = [&](int k, V& c, V& h) {
    const float rho = Own == of_a ? 1.0f : w.f.rho;
    const V half = hn::Set(d, 0.5f * node.scale[k] * rho);
    const V origin = hn::Set(d, Own == of_a ? node.origin[k] : node.origin[k] * rho + w.f.rt[k]);
    const auto lo = hn::PromoteTo(d32, hn::LoadU(d8, node.lo[k] + i));
    const auto hi = hn::PromoteTo(d32, hn::LoadU(d8, node.hi[k] + i));
    c = hn::Add(hn::Mul(hn::ConvertTo(d, hn::Add(lo, hi)), half), origin);
    h = hn::Mul(hn::ConvertTo(d, hn::Sub(hi, lo)), half);
  };
  Boxes b;
  axis(0, b.c[0], b.h[0]);
  axis(1, b.c[1], b.h[1]);
  axis(2, b.c[2], b.h[2]);
  return b;
}

/// The gap along one axis; negative: the overlap.
inline V gap(V c, V h, float other_c, float other_h) {
  const D d;
  return hn::Sub(hn::Abs(hn::Sub(c, hn::Set(d, other_c))), hn::Add(h, hn::Set(d, other_h)));
}
/// Does the interval `centre` +- `reach` lie outside the range?
inline M outside(V centre, V reach, float lo, float hi) {
  const D d;
  return hn::Or(hn::Gt(hn::Sub(centre, reach), hn::Set(d, hi)), hn::Lt(hn::Add(centre, reach), hn::Set(d, lo)));
}

struct Range {
  V centre, half;
};
/// The ranges of a node's children along their slabs' directions m.
template <Axes Own>
Range slab_range(const WalkFrame& w, const body::SlabView& slabs, const V3& m, std::size_t i) {
  const D d;
  const V lo = hn::LoadU(d, slabs.lo + i), hi = hn::LoadU(d, slabs.hi + i);
  const V unit = hn::Set(d, Own == of_a ? 0.5f : 0.5f * w.f.rho);
  const V centre = hn::Mul(hn::Add(lo, hi), unit);
  return {Own == of_a ? centre : hn::Add(centre, dot(m, set3(w.f.rt))), hn::Mul(hn::Sub(hi, lo), unit)};
}

/// Which children's slabs the other body's node lies outside of. The extent of that node along m, with n its slab's
/// direction and any k: m . x = k (n . x) + (m - k n) . x; the first term is bounded by its slab, the second by its
/// box. Where patches of two surfaces nearly touch, their normals are nearly opposite, and with k = m . n the box term
/// is small. The error is added to both parts: |k| + |m - k n| >= 1.
template <Axes Own>
M apart_by_own_slabs(const WalkFrame& w, const Whole& one, const V3& m, V k, const Range& range) {
  constexpr Axes other = Own == of_a ? of_b : of_a;
  const D d;
  const V3 n{turned(w.turn[Own], 0, m), turned(w.turn[Own], 1, m), turned(w.turn[Own], 2, m)};
  const V3 rest = less(n, k, set3(one.m[other]));
  const V centre = hn::MulAdd(k, hn::Set(d, 0.5f * (one.lo + one.hi)), dot(rest, set3(one.c[other])));
  const V half = hn::MulAdd(hn::Abs(k), hn::Set(d, 0.5f * (one.hi - one.lo)), dot(abs3(rest), set3(one.h[other])));
  return hn::Gt(hn::Abs(hn::Sub(centre, range.centre)), hn::Add(range.half, half));
}

/// Which children of an inner node may meet the other body's node: bit i is 0 if child i is apart from its box along a
/// face axis of either body, or along the direction of one of their slabs. The directions are tried in turn, until all
/// children are apart. NaN never separates. Nothing overflows, and underflow losses are far below the traversal's
/// error: see TreeFrame. A direction need not have unit length here: both sides are projected on the same one, and the
/// error covers lengths of at most 1.01; the slabs' directions have unit length (Slabs::make), the root's has length 0
/// and separates nothing.
///
/// `keys`: by how much each box overlaps the other along the body's own axes. They order the traversal, and with it the
/// witness, so they use only sums and products that round identically on every instruction set: no fused ones.
template <Axes Own>
unsigned meeting(const WalkFrame& w, const body::WideTree& tree, const bvh::WideNode& node, const Whole& one,
                 float* keys) {
  constexpr Axes other = Own == of_a ? of_b : of_a;
  const D d;
  const body::SlabView slabs = tree.slabs.of(node);
  unsigned result = 0;
  for (std::size_t i = 0; i < node.count; i += hn::Lanes(d)) {
    const Boxes b = decode<Own>(w, node, i);
    M gone = hn::Not(hn::FirstN(d, node.count - i));
    const V key = hn::Max(
        gap(b.c[0], b.h[0], one.c[Own][0], one.h[Own][0]),
        hn::Max(gap(b.c[1], b.h[1], one.c[Own][1], one.h[Own][1]), gap(b.c[2], b.h[2], one.c[Own][2], one.h[Own][2])));
    gone = hn::Or(gone, hn::Gt(key, hn::Zero(d)));
    if (hn::AllTrue(d, gone)) continue;
    const V3 slab = set3(one.m[Own]);
    gone = hn::Or(gone, outside(dot(slab, b.c), dot(abs3(slab), b.h), one.lo, one.hi));
    if (hn::AllTrue(d, gone)) continue;
    const V3 m{hn::LoadU(d, slabs.m[0] + i), hn::LoadU(d, slabs.m[1] + i), hn::LoadU(d, slabs.m[2] + i)};
    const Range range = slab_range<Own>(w, slabs, m, i);
    const V k = dot(slab, m);
    const V3 rest = less(slab, k, m);
    gone = hn::Or(gone, outside(hn::MulAdd(k, range.centre, dot(rest, b.c)),
                                hn::MulAdd(hn::Abs(k), range.half, dot(abs3(rest), b.h)), one.lo, one.hi));
    if (hn::AllTrue(d, gone)) continue;
    gone = hn::Or(gone, apart_by_own_slabs<Own>(w, one, m, k, range));
    if (hn::AllTrue(d, gone)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const V along =
          gap(turned(w.turn[Own], axis, b.c), turned(w.size[Own], axis, b.h), one.c[other][axis], one.h[other][axis]);
      gone = hn::Or(gone, hn::Gt(along, hn::Zero(d)));
    }
    hn::Store(key, d, keys + i);
    result |= (~bits_of(gone) & ((1u << hn::Lanes(d)) - 1)) << i;
  }
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::collide::walking
HWY_AFTER_NAMESPACE();

#endif
