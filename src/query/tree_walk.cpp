// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/tree_walk.cpp"
// Only what the tests can run: SSE4 and AVX2 on x86 (DESIGN 5), and the baseline everywhere.
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "query/box_kernel-inl.hpp"
#include "query/tree_walk.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using V = hn::Vec<D>;
using M = hn::Mask<D>;

struct V3 {
  V x, y, z;
};
V3 operator-(V3 a, V3 b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)}; }
V3 cross(V3 a, V3 b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}
V dot(V3 a, V3 b) { return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z))); }
V largest(V3 a) { return hn::Max(hn::Abs(a.x), hn::Max(hn::Abs(a.y), hn::Abs(a.z))); }
V3 choose(M m, V3 yes, V3 no) {
  return {hn::IfThenElse(m, yes.x, no.x), hn::IfThenElse(m, yes.y, no.y), hn::IfThenElse(m, yes.z, no.z)};
}

/// Eight pairs of triangles, structure of arrays: corners relative to their nodes' origins, and how far those are
/// apart.
struct alignas(64) Batch {
  float a[9][8];
  float b[9][8];
  float offset[3][8];
  std::uint32_t item_a[8], item_b[8];
  int n = 0;
};

V3 load(const float (*p)[8], int corner, std::size_t i) {
  const D d;
  return {hn::Load(d, p[3 * corner] + i), hn::Load(d, p[3 * corner + 1] + i), hn::Load(d, p[3 * corner + 2] + i)};
}

/// A corner of B relative to the origin of A's node.
V3 placed(const TreeFrame& f, V3 p, V3 offset) {
  const D d;
  const auto row = [&](int i, V t) {
    const V turned = hn::MulAdd(
        hn::Set(d, f.r[3 * i] * f.rho), p.x,
        hn::MulAdd(hn::Set(d, f.r[3 * i + 1] * f.rho), p.y, hn::Mul(hn::Set(d, f.r[3 * i + 2] * f.rho), p.z)));
    return hn::Add(turned, t);
  };
  return {row(0, offset.x), row(1, offset.y), row(2, offset.z)};
}

/// All three strictly beyond the bound on one side.
M beyond(V x, V y, V z, V bound) {
  const V lo = hn::Min(x, hn::Min(y, z)), hi = hn::Max(x, hn::Max(y, z));
  return hn::Or(hn::Gt(lo, bound), hn::Lt(hi, hn::Neg(bound)));
}

struct Verdict {
  M apart, crossing;
};

/// The range of six values.
V range(V a, V b, V c, V d, V e, V f) {
  return hn::Sub(hn::Max(hn::Max(hn::Max(a, b), hn::Max(c, d)), hn::Max(e, f)),
                 hn::Min(hn::Min(hn::Min(a, b), hn::Min(c, d)), hn::Min(e, f)));
}

/// Triangle against triangle where every sign needed is certain.
///
/// Bound. u = 2^-24. Let w be the largest coordinate of a corner relative to its node's origin (of B, times rho) or of
/// the offset. A corner of A is off by u w; one of B by u w for its own rounding, u w for the offset's, and, through a
/// matrix whose rows have a 1-norm below 1.74 and entries off by u, by less than 2 * 1.74 u w + 4 * 2.74 u w for the
/// products and sums: together below 18 u w. So a difference of any two corners is off by delta = 36 u w plus twice the
/// frame's error in double, plus its own rounding. All differences have a 1-norm of at most s, the sum of the ranges of
/// the coordinates. A determinant of three differences is then off by at most 3 delta s^2 + 6 delta^2 s + 6 delta^3
/// (see math::orient3d_filter), and by rounding less than 16 u times its permanent, which is at most s^3 / 4.
///
/// Crossing (Guigue and Devillers 2003): turn each triangle so that its first corner is alone on its side of the
/// other's plane and the other's plane faces it; the segments that the planes cut from each other overlap if and only
/// if two more determinants are negative. By our definition they cross if, besides, an end of one segment lies inside
/// the other.
Verdict test(const TreeFrame& f, const Batch& batch, std::size_t i) {
  const D d;
  const V3 a0 = load(batch.a, 0, i), a1 = load(batch.a, 1, i), a2 = load(batch.a, 2, i);
  const V3 l0 = load(batch.b, 0, i), l1 = load(batch.b, 1, i), l2 = load(batch.b, 2, i),
           offset = load(batch.offset, 0, i);
  const V3 b0 = placed(f, l0, offset), b1 = placed(f, l1, offset), b2 = placed(f, l2, offset);
  const V3 ua = a1 - a0, va = a2 - a0, ub = b1 - b0, vb = b2 - b0, d0 = b0 - a0, d1 = b1 - a0, d2 = b2 - a0;
  const V3 c1 = a1 - b0, c2 = a2 - b0;
  const V own = hn::Max(largest(a0), hn::Max(largest(a1), largest(a2)));
  const V other = hn::Mul(hn::Set(d, f.rho), hn::Max(largest(l0), hn::Max(largest(l1), largest(l2))));
  const V w = hn::Max(hn::Max(own, other), largest(offset));
  const V s = hn::Add(range(a0.x, a1.x, a2.x, b0.x, b1.x, b2.x),
                      hn::Add(range(a0.y, a1.y, a2.y, b0.y, b1.y, b2.y), range(a0.z, a1.z, a2.z, b0.z, b1.z, b2.z)));
  const V delta = hn::MulAdd(hn::Set(d, 37 * 0x1p-24f), w, hn::Set(d, 2.01f * f.centre_error));
  // s itself is off by delta at most; 1.01 covers that where it matters (delta much smaller than s), and 8 delta^2 s +
  // 12 delta^3 where it does not.
  const V ds = hn::Mul(delta, s);
  // Products that underflow lose less than 1e-43; the constant makes everything that small uncertain.
  const V tiny = hn::Set(d, 1e-37f);
  const V bound =
      hn::MulAdd(hn::MulAdd(hn::Set(d, 4.1f * 0x1p-24f), s, hn::Mul(hn::Set(d, 3.1f), delta)), hn::Mul(s, s),
                 hn::MulAdd(hn::Set(d, 14.0f), hn::Mul(ds, delta),
                            hn::MulAdd(hn::Set(d, 40.0f), hn::Mul(hn::Mul(delta, delta), delta), tiny)));
  const V3 na = cross(ua, va), nb = cross(ub, vb);
  const V sb0 = dot(na, d0), sb1 = dot(na, d1), sb2 = dot(na, d2);
  const V sa0 = hn::Neg(dot(nb, d0)), sa1 = dot(nb, c1), sa2 = dot(nb, c2);
  M apart = hn::Or(beyond(sb0, sb1, sb2, bound), beyond(sa0, sa1, sa2, bound));
  const auto certain = [&](V det) { return hn::Gt(hn::Abs(det), bound); };
  M sure = hn::And(hn::And(certain(sb0), hn::And(certain(sb1), certain(sb2))),
                   hn::And(certain(sa0), hn::And(certain(sa1), certain(sa2))));
  sure = hn::AndNot(apart, sure);
  if (hn::AllFalse(d, sure)) return {apart, sure};

  const V zero = hn::Zero(d);
  const auto positive = [&](V det) { return hn::Gt(det, zero); };
  // Turn A so that its first corner is alone: corner k is alone if the other two have the other sign.
  const auto rotate = [&](M p0, M p1, M p2, V3& q0, V3& q1, V3& q2) {
    const M alone1 = hn::And(hn::Xor(p0, p1), hn::Not(hn::Xor(p0, p2))),
            alone2 = hn::And(hn::Xor(p0, p2), hn::Not(hn::Xor(p0, p1)));
    const V3 o0 = q0, o1 = q1, o2 = q2;
    q0 = choose(alone1, o1, choose(alone2, o2, o0));
    q1 = choose(alone1, o2, choose(alone2, o0, o1));
    q2 = choose(alone1, o0, choose(alone2, o1, o2));
    return hn::Or(hn::And(alone1, p1), hn::Or(hn::And(alone2, p2), hn::And(hn::Not(hn::Or(alone1, alone2)), p0)));
  };
  V3 p1 = a0, q1 = a1, r1 = a2, p2 = b0, q2 = b1, r2 = b2;
  const M a_up = rotate(positive(sa0), positive(sa1), positive(sa2), p1, q1, r1);
  const M b_up = rotate(positive(sb0), positive(sb1), positive(sb2), p2, q2, r2);
  // p1 on B's positive side, else turn B over; p2 on A's positive side, else turn A over.
  const V3 q2s = choose(a_up, q2, r2), r2s = choose(a_up, r2, q2);
  const V3 q1s = choose(b_up, q1, r1), r1s = choose(b_up, r1, q1);
  // [p, q, r, s] > 0 if s is on the side that (q - p) x (r - p) points to.
  const V o1 = dot(cross(q1s - p1, p2 - p1), q2s - p1);
  const V o2 = dot(cross(r1s - p1, r2s - p1), p2 - p1);
  // Segments that overlap may still be the same segment, their ends edges that meet edges: touching. One pair of ends
  // must differ for sure.
  const V o3 = dot(cross(q1s - p1, p2 - p1), r2s - p1);
  const M hit = hn::And(certain(o3), hn::And(hn::Lt(o1, hn::Neg(bound)), hn::Lt(o2, hn::Neg(bound))));
  const M miss = hn::Or(hn::Gt(o1, bound), hn::Gt(o2, bound));
  return {hn::Or(apart, hn::And(sure, miss)), hn::And(sure, hit)};
}

/// Tests the batch and tells the sink, in order.
void flush(const TreeFrame& f, Batch& batch, PairReceiver& sink) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  sink.counters.triangle_tests += static_cast<std::uint64_t>(batch.n);
  unsigned apart = 0, crossing = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch.n); i += lanes) {
    const Verdict v = test(f, batch, i);
    apart |= bits_of(v.apart) << i;
    crossing |= bits_of(v.crossing) << i;
  }
  for (int i = 0; i < batch.n && !sink.done; ++i) {
    if (apart >> i & 1)
      ++sink.counters.float_decided;
    else if (crossing >> i & 1) {
      ++sink.counters.float_decided;
      sink.crossing(batch.item_a[i], batch.item_b[i]);
    } else
      sink.undecided(batch.item_a[i], batch.item_b[i]);
  }
  batch.n = 0;
}

/// Adds triangle i of a bottom node of A and triangle j of one of B.
void add(Batch& batch, const WideTree& a, const bvh::WideNode& na, std::uint32_t i, const WideTree& b,
         const bvh::WideNode& nb, std::uint32_t j, const float* offset) {
  const float *pa = a.row(na, 0, 0) + i, *pb = b.row(nb, 0, 0) + j;
  for (int k = 0; k < 9; ++k) batch.a[k][batch.n] = pa[k * na.count];
  for (int k = 0; k < 9; ++k) batch.b[k][batch.n] = pb[k * nb.count];
  for (int k = 0; k < 3; ++k) batch.offset[k][batch.n] = offset[k];
  batch.item_a[batch.n] = na.first + i;
  batch.item_b[batch.n] = nb.first + j;
  ++batch.n;
}

/// Of a node against itself, (i, j) and (j, i) are one pair, and an item is no pair with itself.
int keep_half(std::uint32_t* children, int n, bool bottom) {
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    const std::uint32_t a = children[i] >> 3, b = children[i] & 7;
    if (a < b || (a == b && !bottom)) children[kept++] = children[i];
  }
  return kept;
}

void Traverse(const WideTree& a, const WideTree& b, bool same, const TreeFrame& frame, std::vector<NodePair>& stack,
              std::size_t until, PairReceiver& sink) {
  Batch batch{};
  Side sa, sb;
  std::uint32_t children[64];
  while (!stack.empty() && !sink.done) {
    if (stack.size() >= until || (sink.stop && sink.stop->load(std::memory_order_relaxed))) break;
    const NodePair pair = stack.back();
    stack.pop_back();
    ++sink.counters.node_pairs;
    const bvh::WideNode &na = a.tree.nodes[pair.a], &nb = b.tree.nodes[pair.b];
    // Of a bottom node and an inner one only the inner one is opened.
    const bool both_bottom = na.bottom && nb.bottom;
    const bool open_a = both_bottom || !na.bottom, open_b = both_bottom || !nb.bottom;
    prepare_a(frame, na, pair.a, open_a, sa);
    prepare_b(frame, nb, pair.b, open_b, sb);
    if (open_a && !na.bottom) prepare_slabs_a(frame, a.slabs.of(na), sa);
    if (open_b && !nb.bottom) prepare_slabs_b(frame, b.slabs.of(nb), sb);
    sink.counters.box_tests += static_cast<std::uint64_t>(sa.n * sb.n);
    int n = overlapping(sa, sb, children);
    if (same && pair.a == pair.b) n = keep_half(children, n, both_bottom);
    if (both_bottom) {
      ++sink.counters.leaf_pairs;
      double exact[3];
      frame.offset(na, nb, exact);
      const float offset[3] = {static_cast<float>(exact[0]), static_cast<float>(exact[1]),
                               static_cast<float>(exact[2])};
      for (int i = 0; i < n; ++i) {
        add(batch, a, na, children[i] >> 3, b, nb, children[i] & 7, offset);
        if (batch.n == 8) flush(frame, batch, sink);
      }
    } else {
      for (int i = n; i-- > 0;) {
        stack.push_back(
            {open_a ? na.first + (children[i] >> 3) : pair.a, open_b ? nb.first + (children[i] & 7) : pair.b});
      }
    }
  }
  if (!sink.done && batch.n > 0) flush(frame, batch, sink);
  if (sink.done) stack.clear();
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(Traverse);

void traverse(const WideTree& a, const WideTree& b, bool same, const TreeFrame& frame, std::vector<NodePair>& stack,
              std::size_t until, PairReceiver& sink) {
  HWY_DYNAMIC_DISPATCH(Traverse)(a, b, same, frame, stack, until, sink);
}

}  // namespace graze::query
#endif
