// SPDX-License-Identifier: MIT
// The sieve of windows.hpp with coordinates in the frame of the whole scene: they are there already, and need no double
// precision. Pairs that are small in the frame are not resolved so well; the sieve leaves more of these, and loses
// none.
#pragma once

#include "gpu/deform/windows.hpp"

namespace graze::gpu {

/// The differences of the points of a pair at both ends of the step (of the part of it that is asked about), in the
/// frame.
///
/// Bound of a projection, e = 2^-24. Coordinates have errors of e / 2 (frame.hpp), so differences of e, and of a
/// rounding: vectors of sqrt(3) e (1 + 2^-20) + e D, with D the longest of them. Between both ends, d + (d' - d) t: the
/// difference is at most 2 D, rounded by 2 e D; the product is rounded by 2 e D, the sum by e D; the errors of the ends
/// are averaged. Projected on m with two fused operations, three roundings of at most |m| D: 3 e |m| D. Together at
/// most |m| (1.74 e + 9.1 e D). `reach` is 4 e + 16 e D: what is more leaves room for |m|, the reach and their product
/// as they are computed (2^-20 of them), for products that underflow (2^-149 each, where |m| > 2^-40), and for the
/// default tolerance of elementary queries, below 2^-36.
template <bool edges>
struct FramedPair {
  static constexpr int n = edges ? 4 : 3;
  static constexpr bool in_range = true;
  TwoTimes<n> d;
  float reach;
  bool touching;  ///< only touching matters
  bool dropped;   ///< the features share a vertex
};

template <bool edges>
struct FramedSieve {
  static constexpr int n = edges ? 4 : 3;
  using Pair = FramedPair<edges>;

  GRAZE_DEVICE static FloatVec point(const FramedVertex& v, int end) {
    return {v.at[end][0], v.at[end][1], v.at[end][2]};
  }

  GRAZE_DEVICE static Pair points(const StepView& s, const Candidate& c) {
    std::uint32_t v[4];
    Pair q;
    if constexpr (edges) {
      const Edge e = s.placed_edges[c.a], f = s.placed_edges[c.b];
      v[0] = e.a;
      v[1] = e.b;
      v[2] = f.a;
      v[3] = f.b;
      q.dropped = false;  // that was looked at exactly
    } else {
      const Face f = s.placed_faces[c.b];
      v[0] = c.a;
      v[1] = f.a;
      v[2] = f.b;
      v[3] = f.c;
      q.dropped = (v[0] == v[1]) | (v[0] == v[2]) | (v[0] == v[3]);
    }
    const FramedVertex p[4] = {s.framed[v[0]], s.framed[v[1]], s.framed[v[2]], s.framed[v[3]]};
    float longest = 0;  // of a coordinate
    for (int end = 0; end < 2; ++end)
      for (int i = 0; i < n; ++i) {
        const FloatVec x =
            edges ? point(p[i / 2], end) - point(p[2 + i % 2], end) : point(p[0], end) - point(p[i + 1], end);
        q.d.at[end][i] = x;
        longest = fmaxf(longest, fmaxf(fabsf(x.x), fmaxf(fabsf(x.y), fabsf(x.z))));
      }
    // sqrt(3) < 1.75
    q.reach = 0x1p-22f + 0x1.cp-20f * longest + s.framed_margin * (1 + 0x1p-20f);
    q.touching = !(s.margin > 0);
    return q;
  }

  /// Edges of the face, or both edges, at one time.
  struct Plane {
    FloatVec u, v;
  };
  GRAZE_DEVICE static Plane plane(const FloatVec (&d)[n]) {
    if constexpr (edges) return {d[2] - d[0], d[0] - d[1]};
    return {d[0] - d[1], d[0] - d[2]};
  }
  GRAZE_DEVICE static FloatVec normal(const FloatVec (&d)[n]) {
    const Plane p = plane(d);
    return cross(p.u, p.v);
  }
  GRAZE_DEVICE static void sums(const TwoTimes<n>& d, FloatVec (&sum)[n]) {
    for (int i = 0; i < n; ++i) sum[i] = d.at[0][i] + d.at[1][i];
  }
  /// The line of the centres.
  GRAZE_DEVICE static FloatVec centres(const FloatVec (&sum)[n]) {
    return edges ? sum[0] + sum[n - 1] : sum[0] + sum[1] + sum[2];
  }
  GRAZE_DEVICE static Window window_of(const Proved& proved) {
    const float high = 1 - proved.b + 0x1p-22f;  // more than the rounding
    return {proved.a, high < 1 ? high : 1};
  }

  GRAZE_DEVICE static bool first_round(const Pair& q, Window& window) {
    FloatVec sum[n];
    sums(q.d, sum);
    Proved proved;
    proved.add(q.d, normal(sum), q.reach);
    proved.add(q.d, centres(sum), q.reach);
    window = window_of(proved);
    return proved.free;
  }

  GRAZE_DEVICE static bool second_round(const Pair& q, Window& window) {
    if (q.touching && never_coplanar(q)) return true;
    Proved proved;
    proved.a = window.low;
    proved.b = 1 - window.high;
    proved.add(q.d, normal(q.d.at[0]), q.reach);
    proved.add(q.d, normal(q.d.at[1]), q.reach);
    window = window_of(proved);
    return proved.free;
  }

  GRAZE_DEVICE static bool next_round(const Pair& q, Window& window) {
    TwoTimes<n> d;
    for (int i = 0; i < n; ++i) {
      const FloatVec gone = q.d.at[1][i] - q.d.at[0][i];
      d.at[0][i] = q.d.at[0][i] + gone * window.low;
      d.at[1][i] = q.d.at[0][i] + gone * window.high;
    }
    FloatVec sum[n];
    sums(d, sum);
    const Plane middle = plane(sum);
    const FloatVec m = cross(middle.u, middle.v);
    Proved proved;
    proved.add(d, m, q.reach);
    if (!proved.free) {
      proved.add(d, cross(middle.u, m), q.reach);
      proved.add(d, cross(middle.v, m), q.reach);
      if constexpr (!edges) proved.add(d, cross(middle.v - middle.u, m), q.reach);
    }
    if (!proved.free) proved.add(d, centres(sum), q.reach);
    // The ends of the next window are rounded: by a little more than that inwards of what is proved.
    const float size = window.high - window.low;
    const float low = window.low + proved.a * size * (1 - 0x1p-20f) - 0x1p-22f,
                high = window.high - proved.b * size * (1 - 0x1p-20f) + 0x1p-22f;
    window.low = low > window.low ? low : window.low;
    window.high = high < window.high ? high : window.high;
    return proved.free || window.low > window.high;
  }

  /// The cubic of windows.hpp, from these differences p, u and v. Lengths P, U, V and D are those of the vectors as
  /// they are computed, and U and V are at most 2 D. A difference is off by at most 1.75 e + e D, so an edge, the
  /// difference of two, by 3.5 e + 2 e D and a rounding of e U: by h = 3.5 e + 4 e D, which p is not off by, either. So
  /// a determinant is off by h (PU + PV + UV) + h^2 (P + U + V) + h^3 <= h (PU + PV + UV) + h^2 (5 D + h), and by its
  /// own operations: five roundings at most on each path of six products of which the sizes sum up to at most 1.16 PUV,
  /// less than 6 e PUV. Sums of three of them are compared, with 5 e PUV for their roundings: 3 h (PU + PV + UV) + 3
  /// h^2 (5 D + h) + 23 e PUV. Here 3 h <= 10.5 e + 12 e D is below 8 e + `reach`. With D <= 1.75 * 2 the second term
  /// is below 3 h * 17.4 e
  /// * 5 D + 3 * 17.4 e * 17.4 e h, and as 16 e D and h are below `reach`, below reach (17 reach + 2^-37). The code
  /// takes more of each, which leaves room for these lengths as they are computed.
  GRAZE_DEVICE static bool never_coplanar(const Pair& q) {
    const FloatVec &p0 = q.d.at[0][0], &p1 = q.d.at[1][0];
    const Plane w0 = plane(q.d.at[0]), w1 = plane(q.d.at[1]);
    const FloatVec n00 = cross(w0.u, w0.v), n11 = cross(w1.u, w1.v), n01 = cross(w0.u, w1.v) + cross(w1.u, w0.v);
    const float f0 = dot(p0, n00), f1 = dot(p1, n00) + dot(p0, n01), f2 = dot(p0, n11) + dot(p1, n01),
                f3 = dot(p1, n11);
    const auto longer = [](const FloatVec& x, const FloatVec& y) { return nearly_root(fmaxf(dot(x, x), dot(y, y))); };
    const float far = longer(p0, p1), u = longer(w0.u, w1.u), v = longer(w0.v, w1.v);
    const float of_edges = far * (u + v) + u * v;
    const float bound =
        (9 * 0x1p-24f + q.reach) * of_edges + 32 * 0x1p-24f * far * u * v + q.reach * (18 * q.reach + 0x1p-36f);
    const float low = fminf(fminf(f0, f1), fminf(f2, f3)), high = fmaxf(fmaxf(f0, f1), fmaxf(f2, f3));
    return low > bound || high < -bound;
  }
};

template <bool edges>
struct SieveFramed {
  using Run = SieveWarp<edges, FramedSieve<edges>>;
  using Scratch = typename Run::Scratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 3;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    Run(s, warp, scratch).run(number, count);
  }
};

}  // namespace graze::gpu
