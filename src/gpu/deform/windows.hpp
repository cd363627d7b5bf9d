// SPDX-License-Identifier: MIT
// Pairs that a few directions prove apart, in single precision: a sieve before double precision.
//
// Along a fixed direction the distance of two features is at least linear between its values at two times: the least of
// linear functions is concave. So a direction proves free everything (both ends are beyond the bound), or [0, a), or
// (1 - b, 1]. If the best a and the best b of all directions overlap, the pair is free; otherwise only the window
// between them is left, and further directions are chosen for that.
#pragma once

#include <cmath>

#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

struct FloatVec {
  float x, y, z;
};
GRAZE_DEVICE FloatVec operator+(const FloatVec& a, const FloatVec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
GRAZE_DEVICE FloatVec operator-(const FloatVec& a, const FloatVec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
GRAZE_DEVICE FloatVec operator*(const FloatVec& a, float s) { return {a.x * s, a.y * s, a.z * s}; }
/// a b + c, rounded once.
GRAZE_DEVICE float fused(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}
GRAZE_DEVICE float dot(const FloatVec& a, const FloatVec& b) { return fused(a.z, b.z, fused(a.y, b.y, a.x * b.x)); }
GRAZE_DEVICE FloatVec cross(const FloatVec& a, const FloatVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A square root and a quotient, right to 2^-21 of themselves: on the device the fast ones, which are right to a few
/// units in the last place.
GRAZE_DEVICE float nearly_root(float x) {
#ifdef __CUDA_ARCH__
  float r;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return std::sqrt(x);
#endif
}
GRAZE_DEVICE float nearly_quotient(float x, float y) {
#ifdef __CUDA_ARCH__
  return __fdividef(x, y);
#else
  return x / y;
#endif
}

/// The high half of a number's bits without its sign: larger for larger numbers.
GRAZE_DEVICE std::int32_t size_bits(double x) {
#ifdef __CUDA_ARCH__
  return __double2hiint(x) & 0x7FFFFFFF;
#else
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x) >> 32) & 0x7FFFFFFF;
#endif
}

/// The points of a pair at both ends of the step, relative to the first one, scaled by a power of two so that no
/// coordinate is above 1 (and the largest above 1/4). The differences are rounded once in double precision and once to
/// floats: an error of at most 2^-24 (1 + 2^-28) for each coordinate.
struct LocalPoints {
  FloatVec p[2][4];
  float tolerance;  ///< given tolerance and minimum separation in this scale
  bool in_range;    ///< the scale is a double, and the tolerance a float
  static constexpr bool dropped = false;
};

GRAZE_DEVICE LocalPoints local_points(const Vec3 (&at)[8], double margin) {
  Vec3 d[8];
  std::int32_t largest = 0;
  const auto larger = [](std::int32_t x, std::int32_t y) { return x > y ? x : y; };
  for (int i = 1; i < 8; ++i) {
    d[i] = at[i] - at[0];
    largest = larger(largest, larger(size_bits(d[i].x), larger(size_bits(d[i].y), size_bits(d[i].z))));
  }
  LocalPoints q;
  // All are below 2^(exponent + 1).
  const int exponent = (largest >> 20) - 1023;
#ifdef __CUDA_ARCH__
  const double scale = __hiloint2double((1023 - exponent - 1) << 20, 0);
#else
  const double scale = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - exponent - 1) << 52);
#endif
  // Outside, powers of two are no normal doubles, or a difference has overflowed.
  q.in_range = exponent > -1000 && exponent < 1000 && margin * scale < 4;
  q.p[0][0] = {0, 0, 0};
  for (int i = 1; i < 8; ++i)
    q.p[i / 4][i % 4] = {static_cast<float>(d[i].x * scale), static_cast<float>(d[i].y * scale),
                         static_cast<float>(d[i].z * scale)};
  q.tolerance = static_cast<float>(margin * scale);
  return q;
}

/// The points of the difference of the features at two times.
template <int n>
struct TwoTimes {
  FloatVec at[2][n];
};

/// Differences of points of the pair: vertex minus corners, or ends minus ends (a0 - b0, a0 - b1, a1 - b0, a1 - b1).
template <bool edges>
GRAZE_DEVICE TwoTimes<edges ? 4 : 3> differences_at(const FloatVec (&p)[2][4]) {
  TwoTimes<edges ? 4 : 3> d;
  for (int end = 0; end < 2; ++end) {
    if constexpr (edges) {
      d.at[end][0] = p[end][0] - p[end][2];
      d.at[end][1] = p[end][0] - p[end][3];
      d.at[end][2] = p[end][1] - p[end][2];
      d.at[end][3] = p[end][1] - p[end][3];
    } else {
      for (int k = 0; k < 3; ++k) d.at[end][k] = p[end][0] - p[end][k + 1];
    }
  }
  return d;
}

/// What directions have proved of the time between the two times: the share before `a` and the share from 1 - `b` on.
///
/// Bound of a projection, e = 2^-24. Local coordinates are at most 1, with errors of e; differences d at most 2, with
/// errors of 2 e + 2 e in each coordinate (both points', and a rounding). Between both ends, d + (d' - d) t: d' - d is
/// at most 4 and rounded by 4 e, the product by 4 e, the sum by 2 e, and the errors of the ends are averaged: 14 e in
/// all, a vector of 14 sqrt(3) e < 24.3 e. Projected on m: |m| 24.3 e, and three products and two sums, 3 e (1 + 4 e)
/// |m| |d| with |d| <= 2 sqrt(3): 10.4 e. Together less than 35 e |m|; 2^-18 |m| is 64 e |m|, which leaves room for |m|
/// and for this product as they are computed. Products that underflow lose 2^-149 each, far less than that times |m| >
/// 2^-40. The default tolerance of elementary queries, 1e-12 of lengths of at most 8, is below 2^-36 and in that room,
/// too.
constexpr float projection_bound = 0x1p-18f;

struct Proved {
  float a = 0, b = 0;
  bool free = false;

  /// Adds what a direction proves. `reach`: how far the features must be apart, as computed, along a unit vector.
  template <int n>
  GRAZE_DEVICE void add(const TwoTimes<n>& d, const FloatVec& m, float reach) {
    float low[2], high[2];
    for (int end = 0; end < 2; ++end) {
      low[end] = high[end] = dot(m, d.at[end][0]);
      for (int i = 1; i < n; ++i) {
        const float x = dot(m, d.at[end][i]);
        low[end] = fminf(x, low[end]);
        high[end] = fmaxf(x, high[end]);
      }
    }
    const float square = dot(m, m);
    const float bound = nearly_root(square) * reach;
    // On which side, at the end that is further out.
    const bool above = low[0] + low[1] > -(high[0] + high[1]);
    const float first = (above ? low[0] : -high[0]) - bound, last = (above ? low[1] : -high[1]) - bound;
    const bool valid = square > 0x1p-80f;
    free |= valid & (first > 0) & (last > 0);
    // Beyond the bound until first / (first - last), and from there on. The division is right to 8 e, these
    // differences to 2 e of themselves, and the difference from the bound to e of larger numbers, which is in the room
    // that the bound has. So a share that is smaller by 2^-18 is proved.
    const bool begins = valid & (first > 0) & !(last > 0), ends = valid & (last > 0) & !(first > 0);
    if (begins | ends) {
      const float share = nearly_quotient(begins ? first : last, begins ? first - last : last - first) * (1 - 0x1p-18f);
      if (begins)
        a = share > a ? share : a;
      else
        b = share > b ? share : b;
    }
    free |= a + b > 1 + 0x1p-20f;
  }
};

/// The determinant p . (u x v) of a point of the difference and the features' edges is a cubic in time, zero where the
/// four points are coplanar. Its Bernstein coefficients are means of determinants of the ends. Lengths are below P, U
/// and V; differences have errors of at most 4 e in each coordinate, so vectors of 7 e. A determinant of three such is
/// off by at most 7 e (PU + PV + UV) + (7 e)^2 (P + U + V) + (7 e)^3, and by less than 12 e PUV for its own
/// multiplications and additions, at most 5 on each path. The middle coefficients are sums of three of them, which adds
/// 3 * 2 e PUV, and are compared as such, so all have the bound 3 (7 e (PU + PV + UV) + 16 e PUV) + 3 * 49 e^2 * 11.
/// The last term is below 2^-37; of the others the code takes twice as much.
template <bool edges>
GRAZE_DEVICE bool never_coplanar(const FloatVec (&p)[2][4], const TwoTimes<edges ? 4 : 3>& d) {
  const auto u_at = [&](int end) { return edges ? p[end][1] - p[end][0] : p[end][1] - p[end][2]; };
  const auto v_at = [&](int end) { return edges ? p[end][2] - p[end][3] : p[end][1] - p[end][3]; };
  const FloatVec &p0 = d.at[0][0], &p1 = d.at[1][0];
  const FloatVec u0 = u_at(0), u1 = u_at(1), v0 = v_at(0), v1 = v_at(1);
  const FloatVec n00 = cross(u0, v0), n11 = cross(u1, v1), n01 = cross(u0, v1) + cross(u1, v0);
  const float f0 = dot(p0, n00), f1 = dot(p1, n00) + dot(p0, n01), f2 = dot(p0, n11) + dot(p1, n01), f3 = dot(p1, n11);
  const auto longer = [](const FloatVec& x, const FloatVec& y) {
    const float a = dot(x, x), b = dot(y, y);
    return nearly_root(a > b ? a : b);
  };
  const float far = longer(p0, p1), u = longer(u0, u1), v = longer(v0, v1);
  const float bound = 0x1p-24f * (42 * (far * (u + v) + u * v) + 96 * far * u * v) + 0x1p-36f;
  const float low = fminf(fminf(f0, f1), fminf(f2, f3)), high = fmaxf(fmaxf(f0, f1), fmaxf(f2, f3));
  return low > bound || high < -bound;
}

template <bool edges>
struct Sieve {
  static constexpr int n = edges ? 4 : 3;
  using Points = FloatVec[2][4];

  GRAZE_DEVICE static float reach_of(const LocalPoints& q) { return projection_bound + q.tolerance * (1 + 0x1p-20f); }

  GRAZE_DEVICE static LocalPoints points(const StepView& s, const Candidate& c) {
    std::uint32_t v[4];
    if constexpr (edges) {
      const Edge e = s.edges[c.a], f = s.edges[c.b];
      v[0] = e.a;
      v[1] = e.b;
      v[2] = f.a;
      v[3] = f.b;
    } else {
      const Face f = s.faces[c.b];
      v[0] = s.vertices[c.a];
      v[1] = f.a;
      v[2] = f.b;
      v[3] = f.c;
    }
    Vec3 at[8];
    for (int i = 0; i < 4; ++i) {
      at[i] = s.start[v[i]];
      at[4 + i] = s.end[v[i]];
    }
    return local_points(at, s.margin);
  }

  /// The normal of the face, or of both edges, at the middle of the points' times, and the line of centres.
  GRAZE_DEVICE static FloatVec normal(const FloatVec (&p)[4]) {
    return edges ? cross(p[1] - p[0], p[3] - p[2]) : cross(p[2] - p[1], p[3] - p[1]);
  }

  /// The window that is left.
  GRAZE_DEVICE static Window window_of(const Proved& proved) {
    const float high = 1 - proved.b + 0x1p-22f;  // more than the rounding
    return {proved.a, high < 1 ? high : 1};
  }

  /// First round: the normal at half time, and the line of centres.
  GRAZE_DEVICE static bool first_round(const LocalPoints& q, Window& window) {
    const TwoTimes<n> d = differences_at<edges>(q.p);
    FloatVec middle[4];
    for (int i = 0; i < 4; ++i) middle[i] = q.p[0][i] + q.p[1][i];
    Proved proved;
    proved.add(d, normal(middle), reach_of(q));
    FloatVec centres = d.at[0][0] + d.at[1][0];
    for (int i = 1; i < n; ++i) centres = centres + (d.at[0][i] + d.at[1][i]);
    proved.add(d, centres, reach_of(q));
    window = window_of(proved);
    return proved.free;
  }

  /// Second round: the normals at both ends, and the cubic's signs. The window is that of the first round before.
  GRAZE_DEVICE static bool second_round(const LocalPoints& q, Window& window) {
    const TwoTimes<n> d = differences_at<edges>(q.p);
    // It says nothing about distances: of use where only touching matters.
    if (!(q.tolerance > 0) && never_coplanar<edges>(q.p, d)) return true;
    Proved proved;
    proved.a = window.low;
    // A little less than it was: the window's end had been moved outwards.
    proved.b = 1 - window.high;
    proved.add(d, normal(q.p[0]), reach_of(q));
    proved.add(d, normal(q.p[1]), reach_of(q));
    window = window_of(proved);
    return proved.free;
  }

  /// A further round within the window: the normal at its middle, the line of the centres, and directions in the
  /// features' plane that are perpendicular to an edge: beside each other while they are coplanar.
  GRAZE_DEVICE static bool next_round(const LocalPoints& q, Window& window) {
    Points p;
    for (int i = 0; i < 4; ++i) {
      const FloatVec gone = q.p[1][i] - q.p[0][i];
      p[0][i] = q.p[0][i] + gone * window.low;
      p[1][i] = q.p[0][i] + gone * window.high;
    }
    const TwoTimes<n> d = differences_at<edges>(p);
    FloatVec middle[4];
    for (int i = 0; i < 4; ++i) middle[i] = p[0][i] + p[1][i];
    const FloatVec m = normal(middle);
    Proved proved;
    proved.add(d, m, reach_of(q));
    if (!proved.free) {
      const FloatVec u = edges ? middle[1] - middle[0] : middle[2] - middle[1],
                     v = edges ? middle[3] - middle[2] : middle[3] - middle[1];
      proved.add(d, cross(u, m), reach_of(q));
      proved.add(d, cross(v, m), reach_of(q));
      if constexpr (!edges) proved.add(d, cross(v - u, m), reach_of(q));
    }
    if (!proved.free) {
      FloatVec centres = d.at[0][0] + d.at[1][0];
      for (int i = 1; i < n; ++i) centres = centres + (d.at[0][i] + d.at[1][i]);
      proved.add(d, centres, reach_of(q));
    }
    // The ends of the next window are rounded: by a little more than that inwards of what is proved.
    const float size = window.high - window.low;
    const float low = window.low + proved.a * size * (1 - 0x1p-20f) - 0x1p-22f,
                high = window.high - proved.b * size * (1 - 0x1p-20f) + 0x1p-22f;
    window.low = low > window.low ? low : window.low;
    window.high = high < window.high ? high : window.high;
    return proved.free || window.low > window.high;
  }
};

/// Runs the sieve over candidates of one kind. A lane takes a candidate; those that a round leaves wait until there are
/// enough for all lanes.
template <bool edges, class Rounds>
class SieveWarp {
 public:
  static constexpr int further = 3;           ///< rounds within the window
  static constexpr int queues = 1 + further;  ///< what waits for the second round, and for each of these
  struct Scratch {
    NearPair waiting[queues][2 * lanes];
    NearPair found[2 * lanes];
  };

  GRAZE_DEVICE SieveWarp(const StepView& s, Warp& warp, Scratch& scratch) : s_(s), warp_(warp), scratch_(scratch) {}

  GRAZE_DEVICE void run(std::uint32_t number, std::uint32_t count) {
    const List<Candidate>& in = s_.candidates[edges ? 1 : 0];
    const std::uint64_t total = in.size();
    // Where there is little to do, fewer warps do it: queues that are not full in the end cost as much as full ones.
    const std::uint64_t a_warp = std::uint64_t{s_.batches} * lanes, needed = (total + a_warp - 1) / a_warp;
    if (number >= needed) return;
    if (count > needed) count = static_cast<std::uint32_t>(needed);
    // Each round's code stands once: together they nearly fill the caches of instructions.
    for (std::uint64_t from = std::uint64_t{number} * lanes;; from += std::uint64_t{count} * lanes) {
      const bool more = from < total;
      if (more) first(in, from, total);
      do {
        bool before = more;  // does anything still come to this queue?
        if (waiting(0) >= (before ? lanes : 1)) second();
        GRAZE_ROLLED
        for (int queue = 1; queue < queues; ++queue) {
          before |= waiting(queue - 1) > 0;
          if (waiting(queue) >= (before ? lanes : 1)) next(queue);
        }
      } while (!more && waiting_ > 0);
      if (!more) break;
    }
    if (found_ > 0) flush();
  }

 private:
  GRAZE_DEVICE static std::uint32_t below(int lane) { return (1u << lane) - 1; }

  GRAZE_DEVICE std::uint32_t waiting(int queue) const { return waiting_ >> (8 * queue) & 0xFF; }
  /// Takes the last ones of a queue.
  GRAZE_DEVICE std::uint32_t take(int queue) {
    const std::uint32_t all = waiting(queue), some = all < lanes ? all : lanes;
    waiting_ -= some << (8 * queue);
    return some;
  }
  GRAZE_DEVICE void wait_for(int queue, std::uint32_t left, const PerLane<NearPair>& mine) {
    const std::uint32_t at = waiting(queue);
    warp_.each([&](int lane) {
      if (left >> lane & 1)
        scratch_.waiting[queue][at + static_cast<std::uint32_t>(count_bits(left & below(lane)))] = mine[lane];
    });
    waiting_ += static_cast<std::uint32_t>(count_bits(left)) << (8 * queue);
  }

  GRAZE_DEVICE void first(const List<Candidate>& in, std::uint64_t from, std::uint64_t total) {
    PerLane<NearPair> mine;
    const std::uint32_t left = warp_.ballot([&](int lane) {
      const std::uint64_t k = from + static_cast<std::uint64_t>(lane);
      if (k >= total) return false;
      mine[lane].pair = in.items[k];
      mine[lane].window = {0, 1};
      const auto q = Rounds::points(s_, mine[lane].pair);
      return !q.dropped && !(q.in_range && Rounds::first_round(q, mine[lane].window));
    });
    wait_for(0, left, mine);
  }

  GRAZE_DEVICE void second() {
    const std::uint32_t some = take(0), at = waiting(0);
    PerLane<NearPair> mine;
    const std::uint32_t left = warp_.ballot([&](int lane) {
      if (static_cast<std::uint32_t>(lane) >= some) return false;
      mine[lane] = scratch_.waiting[0][at + static_cast<std::uint32_t>(lane)];
      const auto q = Rounds::points(s_, mine[lane].pair);
      return !(q.in_range && Rounds::second_round(q, mine[lane].window));
    });
    wait_for(1, left, mine);
  }

  GRAZE_DEVICE void next(int queue) {
    const std::uint32_t some = take(queue), at = waiting(queue);
    PerLane<NearPair> mine;
    const std::uint32_t left = warp_.ballot([&](int lane) {
      if (static_cast<std::uint32_t>(lane) >= some) return false;
      mine[lane] = scratch_.waiting[queue][at + static_cast<std::uint32_t>(lane)];
      const auto q = Rounds::points(s_, mine[lane].pair);
      return !(q.in_range && Rounds::next_round(q, mine[lane].window));
    });
    if (queue + 1 < queues) {
      wait_for(queue + 1, left, mine);
      return;
    }
    warp_.each([&](int lane) {
      if (left >> lane & 1)
        scratch_.found[found_ + static_cast<std::uint32_t>(count_bits(left & below(lane)))] = mine[lane];
    });
    found_ += static_cast<std::uint32_t>(count_bits(left));
    if (found_ >= lanes) flush();
  }

  GRAZE_DEVICE void flush() {
    const List<NearPair>& out = s_.near[edges ? 1 : 0];
    const std::uint32_t n = found_;
    const std::uint64_t first = warp_.once([&] { return fetch_add(out.count, std::uint64_t{n}); });
    warp_.each([&](int lane) {
      for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < n; k += lanes)
        if (first + k < out.room) out.items[first + k] = scratch_.found[k];
    });
    found_ = 0;
  }

  const StepView& s_;
  Warp& warp_;
  Scratch& scratch_;
  std::uint32_t waiting_ = 0;  ///< how many wait in each queue, in 8 bits each
  std::uint32_t found_ = 0;
};

template <bool edges>
struct SieveCandidates {
  using Run = SieveWarp<edges, Sieve<edges>>;
  using Scratch = typename Run::Scratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    Run(s, warp, scratch).run(number, count);
  }
};

}  // namespace graze::gpu
