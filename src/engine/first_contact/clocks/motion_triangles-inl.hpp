// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_MOTION_TRIANGLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_MOTION_TRIANGLES_INL
#undef GRAZE_QUERY_MOTION_TRIANGLES_INL
#else
#define GRAZE_QUERY_MOTION_TRIANGLES_INL
#endif

#include "engine/first_contact/clocks/motion_sides-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::first_contact {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

/// The triangles of a bottom node, relative to the origin of A's node.
struct alignas(64) TriangleSide {
  float p[9][8];  ///< corners
  float v[9][8];  ///< their velocities
  float n[3][8];  ///< normals
  float size[8];  ///< squares of two edges
  float arm[8];   ///< for a twist the largest |w x r| of the corners, which is constant; otherwise |r|
  int count = 0;
};
struct Triangles {
  V3 p[3], v[3], n;
  V size, arm;
};
inline Triangles load(const TriangleSide& s, std::size_t i) {
  const D d;
  Triangles t;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) {
      t.p[c][k] = hn::Load(d, s.p[3 * c + k] + i);
      t.v[c][k] = hn::Load(d, s.v[3 * c + k] + i);
    }
  for (int k = 0; k < 3; ++k) t.n[k] = hn::Load(d, s.n[k] + i);
  t.size = hn::Load(d, s.size + i);
  t.arm = hn::Load(d, s.arm + i);
  return t;
}
inline Triangles broadcast(const TriangleSide& s, int j) {
  const D d;
  Triangles t;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) {
      t.p[c][k] = hn::Set(d, s.p[3 * c + k][j]);
      t.v[c][k] = hn::Set(d, s.v[3 * c + k][j]);
    }
  for (int k = 0; k < 3; ++k) t.n[k] = hn::Set(d, s.n[k][j]);
  t.size = hn::Set(d, s.size[j]);
  t.arm = hn::Set(d, s.arm[j]);
  return t;
}

/// All triangles of a bottom node, or one.
inline void load_triangles(const MotionFrame& f, const PairFrame& p, const body::WideTree& tree, bool of_b,
                           const Look& look, TriangleSide& s) {
  const D d;
  const FloatMotion& m = of_b ? f.motion_b : f.motion_a;
  const bvh::WideNode& bottom = tree.tree.nodes[look.node];
  const bool all = look.at == Look::At::children;
  s.count = all ? bottom.count : 1;
  const std::size_t slot = all ? 0 : static_cast<std::size_t>(look.slot);
  const V rho = hn::Set(d, f.rho);
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.count); i += hn::Lanes(d)) {
    V3 q[3];
    V arm = hn::Zero(d);
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) q[c][k] = hn::LoadU(d, tree.row(bottom, c, k) + slot + i);
      if (of_b) q[c] = turned(f.r, scaled(q[c], rho)) + set3(p.o);
      V3 v = set3(m.v);
      if (m.turns()) {
        const V3 from_ref = q[c] - set3(of_b ? p.ref_b : p.ref_a);
        const V3 turn = cross(set3(m.w), from_ref);
        v = v + turn;
        arm = hn::Max(arm, m.twist ? dot(turn, turn) : dot(from_ref, from_ref));
      }
      for (int k = 0; k < 3; ++k) {
        hn::Store(q[c][k], d, s.p[3 * c + k] + i);
        hn::Store(v[k], d, s.v[3 * c + k] + i);
      }
    }
    const V3 x = q[1] - q[0], y = q[2] - q[0], n = unit(cross(x, y));
    for (int k = 0; k < 3; ++k) hn::Store(n[k], d, s.n[k] + i);
    hn::Store(hn::Add(dot(x, x), dot(y, y)), d, s.size + i);
    hn::Store(hn::Mul(hn::Sqrt(arm), hn::Set(d, 1.0001f)), d, s.arm + i);
  }
}

inline V highest(const V3& n, const V3* x) { return hn::Max(dot(n, x[0]), hn::Max(dot(n, x[1]), dot(n, x[2]))); }
inline V lowest(const V3& n, const V3* x) { return hn::Min(dot(n, x[0]), hn::Min(dot(n, x[1]), dot(n, x[2]))); }

/// Adds the contribution of one body to (i) and (ii).
inline void add_turning(const FloatMotion& m, const V3& n, V arm, V linear, V& acceleration, V& most, V& grow) {
  const D d;
  if (m.axes) {
    const DirectedSum s = directed_sum(*m.axes, n, arm);
    acceleration = hn::Add(acceleration, s.acceleration);
    most = hn::Add(most, s.most);
    grow = hn::Add(grow, s.grow);
    return;
  }
  if (!m.twist) {
    acceleration = hn::Add(hn::MulAdd(hn::Set(d, m.turn_acceleration), arm, acceleration), hn::Set(d, m.acceleration));
    most = hn::Add(hn::MulAdd(hn::Set(d, m.turn_speed), arm, most), hn::Set(d, m.speed));
    return;
  }
  most = hn::Add(most, linear);
  if (m.turn == 0) return;
  const V3 nw = cross(n, set3(m.w));
  const V size = hn::Mul(hn::Sqrt(dot(nw, nw)), hn::Set(d, 1.0001f)), turning = hn::Mul(size, arm);
  acceleration = hn::Add(acceleration, turning);
  most = hn::MulAdd(turning, hn::Set(d, 1.0001f / m.turn), most);
}

/// The gap of two triangles along n, which is oriented from A to B.
inline void offer_gap(const PairFrame& p, const Triangles& a, const Triangles& b, const V3& v, V3 n,
                      BestCandidate& best) {
  const V above = hn::Sub(lowest(n, b.p), highest(n, a.p)), below = hn::Sub(lowest(n, a.p), highest(n, b.p));
  const auto up = hn::Gt(above, below);
  n = choose(up, n, negated(n));
  best.offer(hn::Sub(hn::IfThenElse(up, above, below), hn::Set(D(), p.gap_error)), dot(n, v), n);
}

/// How long a gap along n lasts at least.
template <bool Turning>
V time_along(const MotionFrame& f, const PairFrame& p, const Triangles& a, const Triangles& b, const V3& n, V gap) {
  const D d;
  const V zero = hn::Zero(d);
  const auto positive = hn::Gt(gap, zero);
  if (hn::AllFalse(d, positive)) return zero;
  const V error = hn::Set(d, p.speed_error);
  V time;
  if constexpr (Turning) {
    const V now = hn::Add(hn::Sub(highest(n, a.v), lowest(n, b.v)), error);
    V acceleration = zero, most = error, grow = zero;
    add_turning(f.motion_a, n, a.arm, dot(n, set3(f.motion_a.v)), acceleration, most, grow);
    add_turning(f.motion_b, f.motion_b.axes ? negated(n) : n, b.arm, hn::Neg(dot(n, set3(f.motion_b.v))), acceleration,
                most, grow);
    time = hn::Max(first_root(gap, now, acceleration), time_at_most(f, gap, most, grow));
  } else {
    time = quotient(gap, hn::Add(dot(n, set3(f.motion_a.v) - set3(f.motion_b.v)), error));
  }
  return hn::IfThenElseZero(hn::And(positive, hn::Gt(time, zero)), time);
}

/// From a point to the nearest point of a triangle; and the nearest edge.
inline V3 to_nearest(const V3& x, const Triangles& t, V3& nearest_edge) {
  const D d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  V3 best = zero3();
  V square = hn::Set(d, 1e30f);
  auto inside = hn::Eq(zero, zero);
  for (int c = 0; c < 3; ++c) {
    const V3 edge = t.p[(c + 1) % 3] - t.p[c], from = x - t.p[c];
    const V share = hn::Max(zero, hn::Min(one, hn::Div(dot(from, edge), dot(edge, edge))));
    const V3 line = scaled(edge, share) - from;
    const V here = dot(line, line);
    const auto nearer = hn::Lt(here, square);
    best = choose(nearer, line, best);
    nearest_edge = choose(nearer, edge, nearest_edge);
    square = hn::IfThenElse(nearer, here, square);
    inside = hn::And(inside, hn::Ge(dot(cross(t.n, edge), from), zero));
  }
  return choose(inside, scaled(t.n, dot(t.n, t.p[0] - x)), best);
}

/// Triangle k of `one` against all of `many`. Times longer than `enough` need not be the longest.
template <bool Turning>
void safe_times(const MotionFrame& f, const PairFrame& p, const TriangleSide& one, int k, bool one_is_b,
                const TriangleSide& many, float enough, SafeTimes& out) {
  const D d;
  const Triangles single = broadcast(one, k);
  for (std::size_t i = 0; i < static_cast<std::size_t>(many.count); i += hn::Lanes(d)) {
    const Triangles eight = load(many, i);
    const Triangles &a = one_is_b ? eight : single, &b = one_is_b ? single : eight;
    const V third = hn::Set(d, 1.0f / 3);
    const V3 ca = scaled(a.p[0] + a.p[1] + a.p[2], third), cb = scaled(b.p[0] + b.p[1] + b.p[2], third);
    const V3 v = closing_velocity<Turning>(f, p, ca, cb);
    // Triangles are small: their corners are about as fast as their centres.
    const V least = hn::MulAdd(hn::Sqrt(dot(v, v)), hn::Set(d, 0x1p-6f), hn::Set(d, p.speed_error + 1e-30f));
    BestCandidate passing(least), best(least);
    // If one triangle is much larger than the other, its centre and the normal of the smaller one are poor choices.
    const V much = hn::Set(d, 16.0f);
    const auto larger_a = hn::Gt(a.size, hn::Mul(much, b.size)), larger_b = hn::Gt(b.size, hn::Mul(much, a.size));
    const bool some_a = !hn::AllFalse(d, larger_a), some_b = !hn::AllFalse(d, larger_b);
    V3 line = cb - ca;
    V3 edge = zero3();
    if (some_a) line = choose(larger_a, negated(to_nearest(cb, a, edge)), line);
    if (some_b) line = choose(larger_b, to_nearest(ca, b, edge), line);
    offer_gap(p, a, b, v, passing_line(v, line), passing);
    // For a small triangle that passes a long edge.
    if (some_a || some_b) offer_gap(p, a, b, v, unit(cross(v, edge)), passing);
    const V passing_time = time_along<Turning>(f, p, a, b, passing.n, passing.gap);
    if (out.suffices(passing_time, passing.n, i, static_cast<std::size_t>(many.count) - i, enough)) continue;
    if (some_a || !some_b) offer_gap(p, a, b, v, a.n, best);
    if (some_b || !some_a) offer_gap(p, a, b, v, b.n, best);
    offer_gap(p, a, b, v, unit(line), best);
    out.store_longer(passing_time, passing.n, time_along<Turning>(f, p, a, b, best.n, best.gap), best.n, i);
  }
}

}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::first_contact
HWY_AFTER_NAMESPACE();

#endif
