// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_WALK_TRIANGLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_WALK_TRIANGLES_INL
#undef GRAZE_QUERY_WALK_TRIANGLES_INL
#else
#define GRAZE_QUERY_WALK_TRIANGLES_INL
#endif

#include "engine/collide/walk_boxes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::collide::walking {
namespace HWY_NAMESPACE {

inline V lowest(V a, V b, V c) { return hn::Min(a, hn::Min(b, c)); }
inline V highest(V a, V b, V c) { return hn::Max(a, hn::Max(b, c)); }

/// The triangles of a bottom node, relative to the origin of A's node. Entries beyond the node's count are meaningless.
struct alignas(64) Triangles {
  float p[9][8];  ///< corners
  float n[3][8];  ///< normals
  float lo[3][8], hi[3][8];
  float s[8];  ///< the sum of the three widths hi - lo
  std::uint32_t node = ~0u;

  void store(const V3* c, std::size_t i) {
    const D d;
    for (int k = 0; k < 3; ++k) {
      hn::Store(c[k][0], d, p[3 * k] + i);
      hn::Store(c[k][1], d, p[3 * k + 1] + i);
      hn::Store(c[k][2], d, p[3 * k + 2] + i);
    }
    const V3 normal = cross(c[1] - c[0], c[2] - c[0]);
    hn::Store(normal[0], d, n[0] + i);
    hn::Store(normal[1], d, n[1] + i);
    hn::Store(normal[2], d, n[2] + i);
    V sum = hn::Zero(d);
    const auto range = [&](int axis, V x, V y, V z) {
      const V low = lowest(x, y, z), high = highest(x, y, z);
      hn::Store(low, d, lo[axis] + i);
      hn::Store(high, d, hi[axis] + i);
      sum = hn::Add(sum, hn::Sub(high, low));
    };
    range(0, c[0][0], c[1][0], c[2][0]);
    range(1, c[0][1], c[1][1], c[2][1]);
    range(2, c[0][2], c[1][2], c[2][2]);
    hn::Store(sum, d, s + i);
  }
};

inline V3 corner(const body::WideTree& tree, const bvh::WideNode& node, int k, std::size_t i) {
  const D d;
  return {hn::LoadU(d, tree.row(node, k, 0) + i), hn::LoadU(d, tree.row(node, k, 1) + i),
          hn::LoadU(d, tree.row(node, k, 2) + i)};
}

/// Loads the triangles of A.
inline void load_a(const body::WideTree& tree, std::uint32_t index, Triangles& out) {
  if (out.node == index) return;
  out.node = index;
  const bvh::WideNode& node = tree.tree.nodes[index];
  for (std::size_t i = 0; i < node.count; i += hn::Lanes(D())) {
    const V3 c[3] = {corner(tree, node, 0, i), corner(tree, node, 1, i), corner(tree, node, 2, i)};
    out.store(c, i);
  }
}

/// A node's box bounds corners that were rounded in the body's frame; the corners themselves, which are stored more
/// precisely, may lie outside by that rounding error.
constexpr float outside_node = 0x1p-24f;

/// A pair of bottom nodes.
struct LeafPair {
  float offset[3];  ///< of B's origin from A's
  float delta;      ///< error bound of a difference of two corners
};

inline LeafPair leaf_pair(const body::TreeFrame& f, const bvh::WideNode& a, const bvh::WideNode& b) {
  double exact[3];
  f.offset(a, b, exact);
  LeafPair pair;
  float w = outside_node * std::max(1.0f, f.rho);
  for (int k = 0; k < 3; ++k) {
    pair.offset[k] = static_cast<float>(exact[k]);
    w = std::max(w, std::max(255.1f * std::max(a.scale[k], f.rho * b.scale[k]), std::fabs(pair.offset[k])));
  }
  pair.delta = 37 * 0x1p-24f * w + 2.01f * f.centre_error;
  return pair;
}

/// Loads the triangles of B, with boxes widened by delta; returns which of them may meet the box of A's node and its
/// slab.
inline unsigned load_b(const WalkFrame& w, const body::WideTree& tree, const bvh::WideNode& node, const LeafPair& pair,
                       const body::WideTree& tree_a, std::uint32_t index_a, Triangles& out) {
  const D d;
  const bvh::WideNode& a = tree_a.tree.nodes[index_a];
  const body::SlabView slab = tree_a.slabs.of_node(a, index_a);
  const V3 m{hn::Set(d, *slab.m[0]), hn::Set(d, *slab.m[1]), hn::Set(d, *slab.m[2])};
  const float base = *slab.m[0] * a.origin[0] + *slab.m[1] * a.origin[1] + *slab.m[2] * a.origin[2];
  const V rho = hn::Set(d, w.f.rho), delta = hn::Set(d, pair.delta);
  const V3 offset = set3(pair.offset);
  unsigned result = 0;
  for (std::size_t i = 0; i < node.count; i += hn::Lanes(d)) {
    V3 c[3];
    for (int k = 0; k < 3; ++k) {
      V3 l = corner(tree, node, k, i);
      l = {hn::Mul(l[0], rho), hn::Mul(l[1], rho), hn::Mul(l[2], rho)};
      c[k] = {hn::Add(turned(w.turn[of_b], 0, l), offset[0]), hn::Add(turned(w.turn[of_b], 1, l), offset[1]),
              hn::Add(turned(w.turn[of_b], 2, l), offset[2])};
    }
    out.store(c, i);
    const V s0 = dot(m, c[0]), s1 = dot(m, c[1]), s2 = dot(m, c[2]);
    M gone = hn::Or(hn::Gt(lowest(s0, s1, s2), hn::Set(d, *slab.hi - base + w.f.error_walk)),
                    hn::Lt(highest(s0, s1, s2), hn::Set(d, *slab.lo - base - w.f.error_walk)));
    for (int k = 0; k < 3; ++k) {
      const V lo = hn::Sub(hn::Load(d, out.lo[k] + i), delta), hi = hn::Add(hn::Load(d, out.hi[k] + i), delta);
      hn::Store(lo, d, out.lo[k] + i);
      hn::Store(hi, d, out.hi[k] + i);
      gone = hn::Or(gone, hn::Or(hn::Gt(lo, hn::Set(d, 255.01f * a.scale[k] + outside_node)),
                                 hn::Lt(hi, hn::Set(d, -outside_node))));
    }
    hn::Store(hn::MulAdd(hn::Set(d, 4.0f), delta, hn::Load(d, out.s + i)), d, out.s + i);
    result |= (~bits_of(gone) & ((1u << hn::Lanes(d)) - 1)) << i;
  }
  return result & ((1u << node.count) - 1);
}

/// All three strictly beyond the bound on one side.
inline M beyond(V x, V y, V z, V bound) {
  return hn::Or(hn::Gt(lowest(x, y, z), bound), hn::Lt(highest(x, y, z), hn::Neg(bound)));
}

/// The verdicts of single precision on eight triangle pairs, as bits.
struct Verdict {
  unsigned tested = 0, apart = 0, crossing = 0;
};

struct Corners {
  V3 p, q, r;
};
/// Permutes a triangle cyclically so that its first corner is alone on its side: corner k is alone if the other two
/// have the opposite sign. Returns whether it is on the positive side.
inline M alone_first(M p0, M p1, M p2, Corners& t) {
  const M differ1 = hn::Xor(p0, p1), differ2 = hn::Xor(p0, p2);
  const M alone1 = hn::AndNot(differ2, differ1), alone2 = hn::AndNot(differ1, differ2);
  const Corners o = t;
  t.p = choose(alone1, o.q, choose(alone2, o.r, o.p));
  t.q = choose(alone1, o.r, choose(alone2, o.p, o.q));
  t.r = choose(alone1, o.p, choose(alone2, o.q, o.r));
  return hn::Or(hn::And(alone1, p1), hn::Or(hn::And(alone2, p2), hn::AndNot(hn::Or(alone1, alone2), p0)));
}

/// Crossing (Guigue and Devillers 2003): permute each triangle so that its first corner is alone on its side of the
/// other's plane and the other's plane faces it; the segments that the planes cut from the triangles overlap if and
/// only if two more determinants are negative. By the library's definition they cross if, in addition, an end of one
/// segment lies inside the other.
///
/// `sa`: signs of A's corners against B's plane, `sb`: of B's against A's; all are certain, and none proves the pair
/// apart.
struct Segments {
  M overlap, miss;  ///< if neither is set, the case is not certain
};
inline Segments by_segments(const Corners& a, const V3& sa, const Corners& b, const V3& sb, V bound) {
  const D d;
  const auto positive = [&](V det) { return hn::Gt(det, hn::Zero(d)); };
  Corners t1 = a, t2 = b;
  const M a_up = alone_first(positive(sa[0]), positive(sa[1]), positive(sa[2]), t1);
  const M b_up = alone_first(positive(sb[0]), positive(sb[1]), positive(sb[2]), t2);
  // p1 on B's positive side, otherwise flip B; p2 on A's positive side, otherwise flip A.
  const V3 q2 = choose(a_up, t2.q, t2.r), r2 = choose(a_up, t2.r, t2.q);
  const V3 q1 = choose(b_up, t1.q, t1.r), r1 = choose(b_up, t1.r, t1.q);
  // [p, q, r, s] > 0 if s is on the side that (q - p) x (r - p) points to.
  const V3 line = t2.p - t1.p, side = cross(q1 - t1.p, line), r = r2 - t1.p;
  const V o1 = dot(side, q2 - t1.p), o2 = dot(cross(r1 - t1.p, r), line);
  // Segments that overlap may still be identical, with ends where edges meet edges: touching. One pair of ends must
  // certainly differ.
  const V o3 = dot(side, r), minus = hn::Neg(bound);
  return {hn::And(hn::Gt(hn::Abs(o3), bound), hn::And(hn::Lt(o1, minus), hn::Lt(o2, minus))),
          hn::Or(hn::Gt(o1, bound), hn::Gt(o2, bound))};
}

/// Triangle j of B against triangles i... of A, where every required sign is certain.
///
/// Bound. u = 2^-24. Let w be the largest coordinate of a corner relative to its node's origin (of B, times rho) or of
/// the offset. A corner of A has an error of u w; one of B u w for its own rounding, u w for the offset's, and, through
/// a matrix whose rows have a 1-norm below 1.74 and entries with an error of u, less than 2 * 1.74 u w + 4 * 2.74 u w
/// for the products and sums: together below 18 u w. So a difference of any two corners has an error of delta = 36 u w
/// plus twice the frame's error in double, plus its own rounding. Where the triangles' boxes meet, all differences have
/// a 1-norm of at most s, the sum of both boxes' widths. A determinant of three differences then has an error of at
/// most 3 delta s^2 + 6 delta^2 s + 6 delta^3 (see math::orient3d_filter), and a rounding error of less than 16 u times
/// its permanent, which is at most s^3 / 4.
///
/// Range. Edges of A are at most 2^1.8 long, edges of B 2^1.8 rho <= 2^41.8 (rho <= 2^40, TreeFrame); where the boxes
/// meet, the line between two corners is at most 2^42.7 long. A normal is at most 2^83.6, so no determinant, nor any
/// partial sum of it, exceeds 2^126.5, and no bound does (s < 2^44). Where the boxes do not meet, differences reach
/// 2^61 and determinants may be infinite or NaN: `open` masks these lanes. Underflow: delta is at least 37 u 2^-24 >
/// 2^-43 and s at least 4 delta, so 3 delta s^2 > 2^-126; the products lose 2^-149 times at most 6 s, which is far
/// less.
inline Verdict test(const Triangles& ta, std::size_t i, M allowed, const Triangles& tb, std::uint32_t j, float delta_) {
  const D d;
  const auto b = [&](const float(*v)[8], int k) { return hn::Set(d, v[k][j]); };
  M open = allowed;
  for (int k = 0; k < 3; ++k)
    open = hn::AndNot(
        hn::Or(hn::Gt(hn::Load(d, ta.lo[k] + i), b(tb.hi, k)), hn::Lt(hn::Load(d, ta.hi[k] + i), b(tb.lo, k))), open);
  if (hn::AllFalse(d, open)) return {};
  Verdict verdict;
  verdict.tested = bits_of(open);
  // s itself has an error of at most delta; 1.01 covers that where it matters (delta much smaller than s), and 8
  // delta^2 s + 12 delta^3 otherwise.
  const V s = hn::Add(hn::Load(d, ta.s + i), hn::Set(d, tb.s[j])), delta = hn::Set(d, delta_);
  // Products that underflow lose less than 1e-43; the constant makes all values that small uncertain.
  const V tiny = hn::Set(d, 1e-37f), dd = hn::Mul(delta, delta);
  const V bound =
      hn::MulAdd(hn::MulAdd(hn::Set(d, 4.1f * 0x1p-24f), s, hn::Mul(hn::Set(d, 3.1f), delta)), hn::Mul(s, s),
                 hn::MulAdd(hn::MulAdd(hn::Set(d, 14.0f), s, hn::Mul(hn::Set(d, 40.0f), delta)), dd, tiny));
  const Corners ca{load3(ta.p, i), load3(ta.p + 3, i), load3(ta.p + 6, i)};
  const Corners cb{
      {b(tb.p, 0), b(tb.p, 1), b(tb.p, 2)}, {b(tb.p, 3), b(tb.p, 4), b(tb.p, 5)}, {b(tb.p, 6), b(tb.p, 7), b(tb.p, 8)}};
  const V3 na = load3(ta.n, i), nb{b(tb.n, 0), b(tb.n, 1), b(tb.n, 2)};
  const V3 d0 = cb.p - ca.p;
  const V sa0 = hn::Neg(dot(nb, d0)), sa1 = dot(nb, ca.q - cb.p), sa2 = dot(nb, ca.r - cb.p);
  M apart = beyond(sa0, sa1, sa2, bound);
  if (hn::AllTrue(d, hn::Or(apart, hn::Not(open)))) {
    verdict.apart = verdict.tested;
    return verdict;
  }
  const V sb0 = dot(na, d0), sb1 = dot(na, cb.q - ca.p), sb2 = dot(na, cb.r - ca.p);
  apart = hn::Or(apart, beyond(sb0, sb1, sb2, bound));
  const auto certain = [&](V det) { return hn::Gt(hn::Abs(det), bound); };
  M sure = hn::And(hn::And(certain(sb0), hn::And(certain(sb1), certain(sb2))),
                   hn::And(certain(sa0), hn::And(certain(sa1), certain(sa2))));
  sure = hn::And(hn::AndNot(apart, sure), open);
  if (!hn::AllFalse(d, sure)) {
    const Segments segments = by_segments(ca, {sa0, sa1, sa2}, cb, {sb0, sb1, sb2}, bound);
    verdict.crossing = bits_of(hn::And(sure, segments.overlap));
    apart = hn::Or(apart, hn::And(sure, segments.miss));
  }
  verdict.apart = bits_of(apart) & verdict.tested;
  return verdict;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::collide::walking
HWY_AFTER_NAMESPACE();

#endif
