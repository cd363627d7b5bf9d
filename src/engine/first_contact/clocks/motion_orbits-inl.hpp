// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_MOTION_ORBITS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_MOTION_ORBITS_INL
#undef GRAZE_QUERY_MOTION_ORBITS_INL
#else
#define GRAZE_QUERY_MOTION_ORBITS_INL
#endif

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/first_contact/clocks/motion_triangles-inl.hpp"
#include "engine/first_contact/clocks/turn_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::first_contact {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

/// Reach (iii) in long searches, where the distances of corners are known (turn_table.hpp): finds turning parts that
/// stay on their side of a slab or a face of the other body however far they turn. Examples are a ball in a socket and
/// a shaft in a hole. Turning boxes would intersect their surroundings, however small they are, and would have to be
/// opened down to the triangles.

/// Largest distances of the corners of each part from the reference point; of a twist also from the axis, and their
/// range along it.
struct alignas(64) OrbitSide {
  float ball[8] = {}, far[8] = {}, along[8] = {}, along_h[8] = {};
};

/// From the table, in A's units: for the children of a node, or for the node itself.
inline void load_orbits(const MotionFrame& f, const body::WideTree& tree, const TurnTable& table, bool of_b,
                        const Look& look, OrbitSide& s) {
  const D d;
  const bool children = look.at == Look::At::children;
  const std::size_t first = children ? tree.tree.nodes[look.node].first : look.node;
  const V unit = hn::Set(d, of_b ? f.rho : 1.0f), half = hn::Set(d, 0.5f);
  for (std::size_t i = 0; i < (children ? 8 : 1); i += hn::Lanes(d)) {
    hn::Store(hn::Mul(hn::LoadU(d, table.ball.data() + first + i), unit), d, s.ball + i);
    if (table.far.empty()) continue;
    const V lo = hn::LoadU(d, table.low.data() + first + i), hi = hn::LoadU(d, table.high.data() + first + i);
    hn::Store(hn::Mul(hn::LoadU(d, table.far.data() + first + i), unit), d, s.far + i);
    hn::Store(hn::Mul(hn::Mul(hn::Add(lo, hi), half), unit), d, s.along + i);
    hn::Store(hn::Mul(hn::Mul(hn::Sub(hi, lo), half), hn::Mul(unit, hn::Set(d, 1.00001f))), d, s.along_h + i);
  }
}

/// For single triangles. `PairFrame::reach_error` covers the error of their positions.
inline void load_orbits(const MotionFrame& f, const PairFrame& p, bool of_b, const TriangleSide& t, OrbitSide& s) {
  const D d;
  const FloatMotion& m = of_b ? f.motion_b : f.motion_a;
  const V3 ref = set3(of_b ? p.ref_b : p.ref_a), u = set3(m.u);
  const V up = hn::Set(d, 1.00001f), half = hn::Set(d, 0.5f), huge = hn::Set(d, 1e30f);
  for (std::size_t i = 0; i < static_cast<std::size_t>(t.count); i += hn::Lanes(d)) {
    V ball = hn::Zero(d), far = ball, lo = huge, hi = hn::Neg(huge);
    for (int c = 0; c < 3; ++c) {
      const V3 x{{hn::Load(d, t.p[3 * c] + i), hn::Load(d, t.p[3 * c + 1] + i), hn::Load(d, t.p[3 * c + 2] + i)}};
      const V3 arm = x - ref, across = cross(u, arm);
      const V along = dot(u, arm);
      ball = hn::Max(ball, dot(arm, arm));
      far = hn::Max(far, dot(across, across));
      lo = hn::Min(lo, along);
      hi = hn::Max(hi, along);
    }
    const V slack = hn::Mul(hn::Sqrt(ball), hn::Set(d, 0x1p-18f));
    hn::Store(hn::Mul(hn::Sqrt(ball), up), d, s.ball + i);
    hn::Store(hn::MulAdd(hn::Sqrt(far), up, slack), d, s.far + i);
    hn::Store(hn::Mul(hn::Add(lo, hi), half), d, s.along + i);
    hn::Store(hn::MulAdd(hn::Sub(hi, lo), half, slack), d, s.along_h + i);
  }
}

/// Replaces the distances of boxes by those of the table where these are smaller.
inline void tighten(const FloatMotion& m, const OrbitSide& orbits, Side& s) {
  if (!m.turns()) return;
  const D d;
  const float* far = m.twist ? orbits.far : orbits.ball;
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.n); i += hn::Lanes(d)) {
    hn::Store(hn::Min(hn::Load(d, s.far + i), hn::Load(d, far + i)), d, s.far + i);
    if (!m.twist) continue;
    hn::Store(hn::Load(d, orbits.along + i), d, s.along + i);
    hn::Store(hn::Load(d, orbits.along_h + i), d, s.along_h + i);
  }
}

struct Orbit {
  V ball, far, along, along_h;
};
inline Orbit load_orbit(const OrbitSide& s, std::size_t i) {
  const D d;
  return {hn::Load(d, s.ball + i), hn::Load(d, s.far + i), hn::Load(d, s.along + i), hn::Load(d, s.along_h + i)};
}
inline Orbit broadcast_orbit(const OrbitSide& s, int k) {
  const D d;
  return {hn::Set(d, s.ball[k]), hn::Set(d, s.far[k]), hn::Set(d, s.along[k]), hn::Set(d, s.along_h[k])};
}

/// Two parallel planes that enclose a part.
struct Wall {
  V3 n;
  V lo, hi;
};
inline Wall load_wall(const Side& s, std::size_t i) {
  const D d;
  return {{{hn::Load(d, s.slab[0] + i), hn::Load(d, s.slab[1] + i), hn::Load(d, s.slab[2] + i)}},
          hn::Load(d, s.lo + i),
          hn::Load(d, s.hi + i)};
}
inline Wall broadcast_wall(const Side& s, int k) {
  const D d;
  return {{{hn::Set(d, s.slab[0][k]), hn::Set(d, s.slab[1][k]), hn::Set(d, s.slab[2][k])}},
          hn::Set(d, s.lo[k]),
          hn::Set(d, s.hi[k])};
}
inline Wall wall_of(const Triangles& t) { return {t.n, lowest(t.n, t.p), highest(t.n, t.p)}; }
inline Wall load_wall(const TriangleSide& s, std::size_t i) { return wall_of(load(s, i)); }
inline Wall broadcast_wall(const TriangleSide& s, int k) { return wall_of(broadcast(s, k)); }
inline int count_of(const Side& s) { return s.n; }
inline int count_of(const TriangleSide& s) { return s.count; }

/// How far the parts reach along n, from their reference point: at most their distance from it; for a twist at most the
/// part along the axis plus the distance from the axis times |n x axis|.
inline V orbit_reach(const FloatMotion& m, const Orbit& o, const V3& n) {
  if (!m.twist || m.turn == 0) return o.ball;
  const D d;
  const V3 nw = cross(n, set3(m.u));
  const V nu = dot(n, set3(m.u)), across = hn::Mul(hn::Sqrt(dot(nw, nw)), hn::Set(d, 1.00001f));
  const V profile = hn::MulAdd(nu, o.along, hn::MulAdd(hn::Abs(nu), o.along_h, hn::Mul(across, o.far)));
  // 2^-19 of the ball covers a dozen roundings of numbers no larger than it.
  return hn::Min(o.ball, hn::MulAdd(o.ball, hn::Set(d, 0x1p-19f), profile));
}

/// A time span during which parts that turn about `ref` stay on their side of the walls, which may turn too; 0 where
/// nothing is proved. Sets `n` to the direction from the parts to the walls.
///
/// Range, with P and S of MotionFrame. Walls, reference points and reaches along n are below 4 P <= 2^62, so `edge`,
/// the gap and twice a place are below 2^65: nothing overflows. Tables (turn_table.hpp) are in the units of their own
/// body, of which A's unit is 2^-40 to 2^40: if squares overflow there, ball and far are infinite, low and high
/// infinite, and `along` NaN; triangles' corners are seen from the node, with squares below 2^126. An infinite or NaN
/// reach makes the gap -infinity or NaN. `drift` is below 2^64, or with a motion of which only |x'| is known about
/// 1e30: more than any speed, so that `quotient` is a bound, too; in `first_root` its square is infinite, it is not
/// negative, and the time is 0. Sums with axes: `directed_sum`.
///
/// Underflow: `reach_error` is at least 2^-22 and covers corners so near to the reference point (below 2^-63) that the
/// squares vanish. A positive gap is at least 2^-45; gap / 1e30 may be subnormal, which is a time like any other.
///
/// NaN: from a wall without a direction (a degenerate triangle's normal) or an infinite table. `Lt` then chooses the
/// second side; n . ref or the reach is NaN, so the gap is, whichever argument `Min` returns. `Gt` finds neither the
/// gap nor a time of NaN positive, and the result is 0: no `Max` after it meets NaN.
inline V orbit_time(const MotionFrame& f, const PairFrame& p, bool turner_is_b, const Orbit& parts, const Wall& wall,
                    const Orbit& others, V3& n) {
  const D d;
  const V zero = hn::Zero(d);
  const FloatMotion &m = turner_is_b ? f.motion_b : f.motion_a, &o = turner_is_b ? f.motion_a : f.motion_b;
  const V3 ref = set3(turner_is_b ? p.ref_b : p.ref_a), ref_o = set3(turner_is_b ? p.ref_a : p.ref_b);
  const V at = dot(wall.n, ref);
  const auto below = hn::Lt(hn::Add(at, at), hn::Add(wall.lo, wall.hi));
  n = choose(below, wall.n, negated(wall.n));
  const V3 back = negated(n);
  V edge = hn::IfThenElse(below, wall.lo, hn::Neg(wall.hi));
  if (o.turns()) edge = hn::Sub(dot(n, ref_o), orbit_reach(o, others, back));
  const V gap = hn::Sub(hn::Sub(edge, hn::Add(dot(n, ref), orbit_reach(m, parts, n))), hn::Set(d, p.reach_error));
  V drift = hn::Set(d, p.speed_error), grow = zero;
  const auto add = [&](const FloatMotion& body, const V3& towards) {
    if (body.axes) {
      const DirectedSum s = directed_sum(*body.axes, towards, zero);
      drift = hn::Add(drift, s.drift);
      grow = hn::Add(grow, s.drift_grow);
    } else {
      drift = hn::Add(drift, body.twist ? dot(set3(body.v), towards) : hn::Set(d, 1e30f));
    }
  };
  add(m, n);
  add(o, back);
  const V time = time_at_most(f, gap, drift, grow);
  return hn::IfThenElseZero(hn::And(hn::Gt(gap, zero), hn::Gt(time, zero)), time);
}

/// Part k of `one` against all of `many`: times by reach.
template <class Parts>
void reach_times(const MotionFrame& f, const PairFrame& p, const Parts& one, const OrbitSide& one_orbits, int k,
                 bool one_is_b, const Parts& many, const OrbitSide& many_orbits, SafeTimes& out) {
  const D d;
  const Orbit single = broadcast_orbit(one_orbits, k);
  const Wall single_wall = broadcast_wall(one, k);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_of(many)); i += hn::Lanes(d)) {
    const Orbit eight = load_orbit(many_orbits, i);
    const Wall eight_wall = load_wall(many, i);
    V time = hn::Zero(d);
    V3 n = zero3();
    for (const bool turner_is_b : {false, true}) {
      if (!(turner_is_b ? f.motion_b : f.motion_a).turns()) continue;
      const bool single_turns = turner_is_b == one_is_b;
      V3 along;
      const V found = orbit_time(f, p, turner_is_b, single_turns ? single : eight,
                                 single_turns ? eight_wall : single_wall, single_turns ? eight : single, along);
      n = choose(hn::Gt(found, time), turner_is_b ? negated(along) : along, n);
      time = hn::Max(found, time);
    }
    out.store(time, n, i);
  }
}

/// The tables of a long search, and their values for the current parts.
class Orbits {
 public:
  bool known() const { return known_; }
  /// Only of bodies that may turn. The frame at one instant does not tell: a turn of about `least_turn`, seen from
  /// another body that turns, is rounded to one side of it at one instant and to the other side at the next. A body
  /// that turns at any instant must have a table: without one its parts would count as points at the reference point.
  void make(const body::WideTree& a, const motion::Path& path_a, const body::WideTree& b, const motion::Path& path_b) {
    const auto may_turn = [](const motion::Bounds& m) { return !m.twist || m.turn_speed > 0; };
    if (may_turn(path_a.bounds())) a_.table.emplace(a, path_a);
    if (may_turn(path_b.bounds())) b_.table.emplace(b, path_b);
    known_ = true;
  }
  /// Call after the sides are loaded. `corners` is loaded if `triangles`, and otherwise may be overwritten.
  void load(const MotionFrame& f, const PairFrame& p, bool of_b, const body::WideTree& tree, const Look& look,
            bool triangles, TriangleSide& corners, Side& boxes) {
    Body& body = of_b ? b_ : a_;
    if (!body.table) return;
    if (look.at == Look::At::node || !tree.tree.nodes[look.node].bottom) {
      load_orbits(f, tree, *body.table, of_b, look, body.side);
    } else {
      if (!triangles) load_triangles(f, p, tree, of_b, look, corners);
      load_orbits(f, p, of_b, corners, body.side);
    }
    if (!triangles) tighten(of_b ? f.motion_b : f.motion_a, body.side, boxes);
  }
  /// How much nearer to the reference point the nearest child of a turning node reaches, in its tree's units; 0 for a
  /// bottom node, and infinite where nothing is known.
  float spread(bool of_b, const body::WideTree& tree, std::uint32_t index) const {
    const Body& body = of_b ? b_ : a_;
    if (!body.table) return std::numeric_limits<float>::infinity();
    const bvh::WideNode& node = tree.tree.nodes[index];
    if (node.bottom) return 0;
    const auto children = body.table->ball.begin() + node.first;
    return body.table->ball[index] - *std::min_element(children, children + node.count);
  }
  template <class Parts>
  void find(const MotionFrame& f, const PairFrame& p, const Parts& a, const Parts& b, int row, bool row_of_b,
            SafeTimes& times) const {
    if (row_of_b)
      reach_times(f, p, b, b_.side, row, true, a, a_.side, times);
    else
      reach_times(f, p, a, a_.side, row, false, b, b_.side, times);
  }

 private:
  struct Body {
    std::optional<TurnTable> table;
    OrbitSide side;
  };
  Body a_, b_;
  bool known_ = false;
};

}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::first_contact
HWY_AFTER_NAMESPACE();

#endif
