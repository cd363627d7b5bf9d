// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_MOTION_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_MOTION_KERNEL_INL
#undef GRAZE_QUERY_MOTION_KERNEL_INL
#else
#define GRAZE_QUERY_MOTION_KERNEL_INL
#endif

#include "engine/first_contact/clocks/motion_frame.hpp"
#include "simd/floats-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::first_contact {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

using namespace simd::floats::HWY_NAMESPACE;

/// Boxes of one side, relative to the origin of A's node: centres along A's axes, half widths along the body's own
/// axes, in A's units; and a slab of each.
struct alignas(64) Side {
  float c[3][8], h[3][8];
  float far[8];                ///< largest distance from the turning axis (or the reference point)
  float along[8], along_h[8];  ///< centre and half width along the turning axis, from the reference point
  float slab[3][8], lo[8], hi[8];
  int n = 0;
};

struct Boxes {
  V3 c, h, slab;
  V far, along, along_h, lo, hi;
};
inline Boxes load(const Side& s, std::size_t i) {
  const D d;
  const auto at = [&](const float* p) { return hn::Load(d, p + i); };
  return {{{at(s.c[0]), at(s.c[1]), at(s.c[2])}},
          {{at(s.h[0]), at(s.h[1]), at(s.h[2])}},
          {{at(s.slab[0]), at(s.slab[1]), at(s.slab[2])}},
          at(s.far),
          at(s.along),
          at(s.along_h),
          at(s.lo),
          at(s.hi)};
}
inline Boxes broadcast(const Side& s, int k) {
  const D d;
  const auto at = [&](const float* p) { return hn::Set(d, p[k]); };
  return {{{at(s.c[0]), at(s.c[1]), at(s.c[2])}},
          {{at(s.h[0]), at(s.h[1]), at(s.h[2])}},
          {{at(s.slab[0]), at(s.slab[1]), at(s.slab[2])}},
          at(s.far),
          at(s.along),
          at(s.along_h),
          at(s.lo),
          at(s.hi)};
}

/// The first time at which gap - speed t - acceleration t^2 / 2 = 0, for gap > 0; very large if never. NaN does not
/// become "never": it stays NaN. No product overflows, and underflow is harmless: see MotionFrame.
inline V first_root(V gap, V speed, V acceleration) {
  const D d;
  const V zero = hn::Zero(d), huge = hn::Set(d, 1e30f);
  const V root = hn::Sqrt(hn::MulAdd(speed, speed, hn::Mul(hn::Add(acceleration, acceleration), gap)));
  const V q = hn::Add(hn::Abs(speed), root);
  const auto closing = hn::Ge(speed, zero);
  const V top = hn::IfThenElse(closing, hn::Add(gap, gap), q), bottom = hn::IfThenElse(closing, q, acceleration);
  return hn::IfThenElse(hn::Le(bottom, zero), huge, hn::Div(top, bottom));
}
inline V quotient(V gap, V speed) {
  const D d;
  return hn::IfThenElse(hn::Le(speed, hn::Zero(d)), hn::Set(d, 1e30f), hn::Div(gap, speed));
}

/// Bounds along a direction of how the boxes of a body approach the other body, summed over both bodies.
struct Closing {
  V now;               ///< (ii) the largest speed now
  V acceleration;      ///< (ii) |x''|
  V most;              ///< (i) a speed that holds at all times
  V orbit;             ///< (iii) how far a box can reach for any rotation; very large if not known
  V drift;             ///< the speed at which that moves
  V grow, drift_grow;  ///< of several joints: how much `most` and `drift` grow per unit of time
};

/// The contribution of several joints along n (docs/motions.md, "Along a direction"): |n . x'| and |n . x''| of points
/// at most `far` from the reference point are bounded by the axes, each by its angle to n. All are upper bounds: sums
/// of positive terms, each rounded up by more than the sums lose (motion_frame.cpp).
///
/// Range. Let T be the sum of all turns. `in_float_range` limits each term, there are at most 8 axes, and bodies have
/// axes only while the time unit is 1 and pace <= 2^30, in which T times the distance of a body's furthest point is a
/// summand (MotionFrame::direct). Boxes reach less than twice as far: T far < 2^32. |slide| is below the pace.
///   |n x w_i| < 2^11, its square < 2^22; now, later <= turn <= 2^10; T < 2^14.
///   speed < 2^38 + 8 * 2^10 * 2^24 < 2^39, so |drift| < 2^40 and |most| < 2^41, squared < 2^82.
///   acceleration < 2^56 + 8 * 2^10 * 2^38 < 2^57, slid and drift_grow likewise < 2^58.
///   turn_growth <= T^2 and turn_acceleration <= 3 T^2, times far: below 2^48. So grow, acceleration < 2^59.
/// Gaps are below 2^62 (MotionFrame), so the products 2 acceleration gap and 2 grow gap of `first_root` are below
/// 2^122: nothing overflows, also not for two bodies. That matters where the bodies part, as an infinite root would
/// mean "never".
///
/// Underflow: a square below 2^-126 vanishes, of an |n x w_i| below 2^-63, which `error` >= 2^-60 covers. All other
/// terms are at least 2^-120 (`above`); their products may underflow to 0, and then add less than 2^-149 to a speed or
/// an acceleration, which closes no gap before the end of time (MotionFrame).
///
/// NaN: with n, which is NaN where it has no direction. `Min` then gives NaN or the bound that is not; in either case
/// drift = n . slide + speed is NaN, and the gap along n is NaN or not positive, so its time is 0. An infinite `error`
/// or `tilt` gives `turn`.
struct DirectedSum {
  V drift, drift_grow;  ///< of the reference point, its slide included
  V most, grow, acceleration;
};
inline DirectedSum directed_sum(const FloatAxes& f, const V3& n, V far) {
  const D d;
  V speed = hn::Set(d, f.speed), turn_speed = hn::Set(d, f.turn_speed), acceleration = hn::Set(d, f.acceleration),
    turn_acceleration = hn::Set(d, f.turn_acceleration), slid = hn::Set(d, f.rest_slide_growth);
  for (int i = 0; i < f.count; ++i) {
    const FloatAxes::Axis& axis = f.axis[i];
    const V3 nw = cross(n, set3(axis.w));
    const V turn = hn::Set(d, axis.turn);
    const V now = hn::Min(turn, hn::Add(hn::Sqrt(dot(nw, nw)), hn::Set(d, axis.error)));
    const V later = hn::Min(turn, hn::Add(now, hn::Set(d, axis.tilt)));
    speed = hn::MulAdd(now, hn::Set(d, axis.distance), speed);
    turn_speed = hn::Add(now, turn_speed);
    acceleration = hn::MulAdd(later, hn::Set(d, axis.acceleration), acceleration);
    turn_acceleration = hn::MulAdd(later, hn::Set(d, axis.turn_acceleration), turn_acceleration);
    slid = hn::MulAdd(later, hn::Set(d, axis.slides), slid);
  }
  const V up = hn::Set(d, 1.00001f);
  speed = hn::Mul(speed, up);
  const V drift = hn::Add(dot(n, set3(f.slide)), speed);
  const V drift_grow = hn::Add(hn::Set(d, f.growth), hn::Min(hn::Set(d, f.slide_growth), slid));
  return {drift, drift_grow, hn::MulAdd(hn::Mul(turn_speed, up), far, drift),
          hn::MulAdd(hn::Set(d, f.turn_growth), far, drift_grow), hn::MulAdd(turn_acceleration, far, acceleration)};
}

/// `n` points from this body to the other. `own_n`: n along the body's own axes.
template <bool Turning>
void add_closing(const FloatMotion& m, const float* ref, const Boxes& b, const V3& n, const float* r, bool of_b,
                 Closing& sum) {
  const D d;
  const V nv = dot(set3(m.v), n);
  sum.now = hn::Add(sum.now, nv);
  if constexpr (!Turning) return;
  const V3 from_ref = b.c - set3(ref);
  if (m.twist) sum.drift = hn::Add(sum.drift, nv);
  if (m.twist && m.turn == 0) {
    sum.most = hn::Add(sum.most, nv);
    const V half = reach(of_b ? turned_back(r, n) : n, b.h);
    sum.orbit = hn::Add(sum.orbit, hn::Add(dot(n, b.c), half));
    return;
  }
  // n . (w x r) = (n x w) . r, at the corners of the box.
  const V3 nw = cross(n, set3(m.w));
  const V size = hn::Mul(hn::Sqrt(dot(nw, nw)), hn::Set(d, 1.00001f));
  sum.now = hn::Add(sum.now, hn::Add(dot(nw, from_ref), reach(of_b ? turned_back(r, nw) : nw, b.h)));
  if (m.twist) {
    // |n . (w x (w x r))| = |(n x w) . (w x r)| <= |n x w| |w| far, and |n . (w x r)| <= |n x w| far.
    sum.acceleration = hn::MulAdd(hn::Mul(size, hn::Set(d, m.turn)), b.far, sum.acceleration);
    sum.most = hn::Add(hn::MulAdd(size, b.far, sum.most), nv);
    // The part along the axis is constant; the part perpendicular to it can at most point along n.
    const V nu = dot(n, set3(m.u)), across = hn::Mul(size, hn::Set(d, 1 / m.turn));
    const V reached = hn::MulAdd(nu, b.along, hn::MulAdd(hn::Abs(nu), b.along_h, hn::Mul(across, b.far)));
    sum.orbit = hn::Add(sum.orbit, hn::Add(dot(n, set3(ref)), reached));
  } else if (m.axes) {
    const DirectedSum s = directed_sum(*m.axes, n, b.far);
    sum.acceleration = hn::Add(sum.acceleration, s.acceleration);
    sum.most = hn::Add(sum.most, s.most);
    sum.grow = hn::Add(sum.grow, s.grow);
    sum.drift = hn::Add(sum.drift, s.drift);
    sum.drift_grow = hn::Add(sum.drift_grow, s.drift_grow);
    // The distance of a point from the reference point is constant.
    sum.orbit = hn::Add(sum.orbit, hn::Add(dot(n, set3(ref)), b.far));
  } else {
    sum.acceleration =
        hn::Add(hn::MulAdd(hn::Set(d, m.turn_acceleration), b.far, sum.acceleration), hn::Set(d, m.acceleration));
    sum.most = hn::Add(hn::MulAdd(hn::Set(d, m.turn_speed), b.far, sum.most), hn::Set(d, m.speed));
    sum.orbit = hn::Set(d, 1e30f);
  }
}

/// How long a gap lasts that closes at most at this speed, which itself grows if there are joints.
inline V time_at_most(const MotionFrame& f, V gap, V speed, V grow) {
  if (!f.directed) return quotient(gap, speed);
  return first_root(gap, speed, hn::Mul(grow, hn::Set(D(), 1.0001f)));
}

/// How long a gap along n (unit, from A to B; a direction in each lane), from which rounding errors and the target are
/// already subtracted, lasts at least; 0 where the gap is not positive.
template <bool Turning>
V time_along(const MotionFrame& f, const PairFrame& p, const Boxes& a, const Boxes& b, const V3& n, V gap) {
  const D d;
  const V zero = hn::Zero(d);
  const auto positive = hn::Gt(gap, zero);
  if (hn::AllFalse(d, positive)) return zero;
  const V error = hn::Set(d, p.speed_error);
  Closing sum{error, zero, error, zero, error, zero, zero};
  add_closing<Turning>(f.motion_a, p.ref_a, a, n, f.r, false, sum);
  const V3 back = negated(n);
  add_closing<Turning>(f.motion_b, p.ref_b, b, back, f.r, true, sum);
  V time;
  if constexpr (Turning) {
    time = hn::Max(first_root(gap, sum.now, hn::Mul(sum.acceleration, hn::Set(d, 1.0001f))),
                   time_at_most(f, gap, sum.most, sum.grow));
    const V orbit_gap = hn::Neg(hn::Add(sum.orbit, hn::Set(d, p.reach_error)));
    const V turned_time = time_at_most(f, orbit_gap, sum.drift, sum.drift_grow);
    time = hn::IfThenElse(hn::And(hn::Gt(orbit_gap, zero), hn::Gt(turned_time, time)), turned_time, time);
  } else {
    time = quotient(gap, sum.now);
  }
  return hn::IfThenElseZero(hn::And(positive, hn::Gt(time, zero)), time);
}

/// The gap of two boxes along n.
inline V box_gap(const MotionFrame& f, const PairFrame& p, const Boxes& a, const Boxes& b, const V3& n) {
  const V half = hn::Add(reach(n, a.h), reach(turned_back(f.r, n), b.h));
  return hn::Sub(dot(n, b.c - a.c), hn::Add(half, hn::Set(D(), p.gap_error)));
}

/// From the centre of the smaller box to the nearest point of the larger one, from A to B.
inline V3 nearest_line(const MotionFrame& f, const Boxes& a, const Boxes& b) {
  const V3 line = b.c - a.c, back = turned_back(f.r, line);
  V3 in_a, in_b;
  for (int k = 0; k < 3; ++k) {
    in_a[k] = hn::Max(hn::Neg(a.h[k]), hn::Min(line[k], a.h[k]));
    in_b[k] = hn::Max(hn::Neg(b.h[k]), hn::Min(back[k], b.h[k]));
  }
  return line - choose(hn::Gt(dot(b.h, b.h), dot(a.h, a.h)), turned(f.r, in_b), in_a);
}

/// The velocity of a point of A seen from a point of B.
template <bool Turning>
V3 closing_velocity(const MotionFrame& f, const PairFrame& p, const V3& a, const V3& b) {
  V3 v = set3(f.motion_a.v) - set3(f.motion_b.v);
  if constexpr (Turning) {
    if (f.motion_a.turn > 0) v = v + cross(set3(f.motion_a.w), a - set3(p.ref_a));
    if (f.motion_b.turn > 0) v = v - cross(set3(f.motion_b.w), b - set3(p.ref_b));
  }
  return v;
}

/// Perpendicular to the relative velocity v of two points: parts that will miss each other are apart in this direction
/// and stay so, however fast they move. If they already separate: the line between them.
inline V3 passing_line(const V3& v, const V3& line) {
  const D d;
  const V share = hn::Max(hn::Zero(d), hn::Div(dot(line, v), dot(v, v)));
  return unit(choose(hn::Gt(share, hn::Zero(d)), line - scaled(v, share), line));
}

/// The gap between a slab of one body and the box of the other, on the side where it is wider; orients n from A to B.
inline V slab_gap(const MotionFrame& f, const PairFrame& p, const Boxes& owner, bool owner_is_b, const Boxes& other,
                  V3& n) {
  n = owner.slab;
  const V at = dot(n, other.c), half = reach(owner_is_b ? n : turned_back(f.r, n), other.h);
  const V above = hn::Sub(hn::Sub(at, half), owner.hi), below = hn::Sub(owner.lo, hn::Add(at, half));
  const auto up = hn::Gt(above, below);
  n = choose(owner_is_b ? hn::Not(up) : up, n, negated(n));
  return hn::Sub(hn::IfThenElse(up, above, below), hn::Set(D(), p.gap_error));
}

/// Of the offered directions, the one with the largest gap over the closing speed of the centres. A cheap estimate; the
/// safe time along the direction is proved afterwards.
struct BestCandidate {
  V gap, pace, least;
  V3 n;

  /// `least_pace`: positive; speeds below it are treated as equal.
  explicit BestCandidate(V least_pace) : gap(hn::Zero(D())), pace(hn::Set(D(), 1.0f)), least(least_pace), n(zero3()) {}
  void offer(V g, V speed, const V3& m) { offer(g, speed, m, least); }
  void offer(V g, V speed, const V3& m, V least_along) {
    const V slowed = hn::Max(speed, least_along);
    const auto better = hn::Gt(hn::Mul(g, pace), hn::Mul(gap, slowed));  // false for NaN
    gap = hn::IfThenElse(better, g, gap);
    pace = hn::IfThenElse(better, slowed, pace);
    n = choose(better, m, n);
  }
};

/// Safe times of one box against up to eight, rounded down, and the directions that prove them.
struct alignas(64) SafeTimes {
  float time[8];
  float n[3][8];  ///< along A's axes, from A to B

  void store(V longest, const V3& along, std::size_t i) {
    const D d;
    hn::Store(hn::Mul(longest, hn::Set(d, 1 - 0x1p-18f)), d, time + i);
    for (int k = 0; k < 3; ++k) hn::Store(along[k], d, n[k] + i);
  }
  /// If all of the first `count` times are longer than `enough`, stores them and returns true.
  bool suffices(V found, const V3& along, std::size_t i, std::size_t count, float enough) {
    const D d;
    const auto short_of = hn::Le(hn::Mul(found, hn::Set(d, 1 - 0x1p-18f)), hn::Set(d, enough));
    if (!hn::AllFalse(d, hn::And(hn::FirstN(d, count), short_of))) return false;
    store(found, along, i);
    return true;
  }
  void store_longer(V time_1, const V3& n_1, V time_2, const V3& n_2, std::size_t i) {
    store(hn::Max(time_1, time_2), choose(hn::Gt(time_1, time_2), n_1, n_2), i);
  }
  void keep_longer(const SafeTimes& other) {
    for (int i = 0; i < 8; ++i) {
      if (!(other.time[i] > time[i])) continue;
      time[i] = other.time[i];
      for (auto& axis : n) axis[i] = other.n[&axis - n][i];
    }
  }
  /// Bit i: time i is longer.
  unsigned beyond(float than) const {
    const D d;
    unsigned bits = 0;
    for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
      std::uint8_t byte[8] = {};
      hn::StoreMaskBits(d, hn::Gt(hn::Load(d, time + i), hn::Set(d, than)), byte);
      bits |= unsigned{byte[0]} << i;
    }
    return bits;
  }
};

/// A face axis: `axis` along A's axes, `across` the same along the axes of the body that it does not belong to; `line`
/// and `speed` are the centres' along it.
inline void offer_face(const PairFrame& p, const float* axis, const float* across, V line, V speed, V own_half,
                       const V3& other_half, BestCandidate& best) {
  const D d;
  const V half = hn::Add(own_half, reach(set3(across), other_half));
  const V gap = hn::Sub(hn::Abs(line), hn::Add(half, hn::Set(d, p.gap_error)));
  const V sign = hn::And(line, hn::SignBit(d));
  best.offer(
      gap, hn::Xor(speed, sign),
      {{hn::Xor(hn::Set(d, axis[0]), sign), hn::Xor(hn::Set(d, axis[1]), sign), hn::Xor(hn::Set(d, axis[2]), sign)}});
}

inline void offer_faces(const MotionFrame& f, const PairFrame& p, const Boxes& a, const Boxes& b, const V3& v,
                        BestCandidate& best) {
  static constexpr float unit_axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const V3 line = b.c - a.c, line_b = turned_back(f.r, line), v_b = turned_back(f.r, v);
  for (int k = 0; k < 3; ++k) {
    const float column[3] = {f.r[k], f.r[3 + k], f.r[6 + k]};
    offer_face(p, unit_axis[k], f.r + 3 * k, line[k], v[k], a.h[k], b.h, best);
    offer_face(p, column, column, line_b[k], v_b[k], b.h[k], a.h, best);
  }
}

/// A speed that rotation can contribute, independent of the centres.
template <bool Turning>
V least_pace(const MotionFrame& f, const PairFrame& p, const Boxes& a, const Boxes& b) {
  const D d;
  V pace = hn::Set(d, p.speed_error + 1e-30f);
  if constexpr (Turning) {
    const V in_a = hn::Add(a.h[0], hn::Add(a.h[1], a.h[2])), in_b = hn::Add(b.h[0], hn::Add(b.h[1], b.h[2]));
    pace = hn::MulAdd(in_a, hn::Set(d, 0.5f * f.motion_a.turn), pace);
    pace = hn::MulAdd(in_b, hn::Set(d, 0.5f * f.motion_b.turn), pace);
  }
  return pace;
}

/// The same along n: nothing along the axis. So a small gap across the axis, between plates that slide on each other,
/// is preferred to a large one that soon closes.
inline V least_pace_along(const MotionFrame& f, const PairFrame& p, const Boxes& a, const Boxes& b, const V3& n) {
  const D d;
  V pace = hn::Set(d, p.speed_error + 1e-30f);
  for (const auto& [m, h] : {std::pair(&f.motion_a, &a.h), std::pair(&f.motion_b, &b.h)}) {
    if (!(m->turn > 0)) continue;
    const V3 nw = cross(n, set3(m->w));
    const V half = hn::Mul(hn::Add((*h)[0], hn::Add((*h)[1], (*h)[2])), hn::Set(d, 0.5f));
    pace = hn::MulAdd(hn::Sqrt(dot(nw, nw)), half, pace);
  }
  return pace;
}

/// The direction of a slab. A gap that is not positive is never better than none.
template <bool Turning>
void offer_slab(const MotionFrame& f, const PairFrame& p, const Boxes& a, const Boxes& b, const V3& v, V gap,
                const V3& n, BestCandidate& best) {
  if constexpr (!Turning) {
    best.offer(gap, dot(n, v), n);
  } else {
    const D d;
    if (hn::AllFalse(d, hn::Gt(gap, hn::Zero(d)))) return;
    best.offer(gap, dot(n, v), n, least_pace_along(f, p, a, b, n));
  }
}

/// Box k of `one` against all of `many`. Times longer than `enough` need not be the longest.
template <bool Turning>
void safe_times(const MotionFrame& f, const PairFrame& p, const Side& one, int k, bool one_is_b, const Side& many,
                float enough, SafeTimes& out) {
  const D d;
  const Boxes single = broadcast(one, k);
  for (std::size_t i = 0; i < static_cast<std::size_t>(many.n); i += hn::Lanes(d)) {
    const Boxes eight = load(many, i);
    const Boxes &a = one_is_b ? eight : single, &b = one_is_b ? single : eight;
    const V3 v = closing_velocity<Turning>(f, p, a.c, b.c), nearest = nearest_line(f, a, b);
    const V3 passing = passing_line(v, nearest);
    const V passing_time = time_along<Turning>(f, p, a, b, passing, box_gap(f, p, a, b, passing));
    if (out.suffices(passing_time, passing, i, static_cast<std::size_t>(many.n) - i, enough)) continue;
    BestCandidate best(least_pace<Turning>(f, p, a, b));
    V3 n;
    V gap = slab_gap(f, p, a, false, b, n);
    offer_slab<Turning>(f, p, a, b, v, gap, n, best);
    gap = slab_gap(f, p, b, true, a, n);
    offer_slab<Turning>(f, p, a, b, v, gap, n, best);
    offer_faces(f, p, a, b, v, best);
    n = unit(nearest);
    best.offer(box_gap(f, p, a, b, n), dot(n, v), n);
    out.store_longer(passing_time, passing, time_along<Turning>(f, p, a, b, best.n, best.gap), best.n, i);
  }
}

}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::first_contact
HWY_AFTER_NAMESPACE();

#endif
