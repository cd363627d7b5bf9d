// SPDX-License-Identifier: MIT
// What engine/elementary decides of a pair at once, for one pair of a lane: the filter (filter.cpp) and the plain
// contacts (contact_lanes.cpp), whose reasons and bounds hold here too. Each operation is the same, in the same order,
// so the answers are the same bits.
#pragma once

#include <cmath>

#include <graze/math/vec3.hpp>

#include "gpu/warp.hpp"

namespace graze::gpu {

GRAZE_DEVICE double least(double a, double b) { return a < b ? a : b; }
GRAZE_DEVICE double most(double a, double b) { return a > b ? a : b; }
GRAZE_DEVICE double size_of(double a) { return a < 0 ? -a : a; }
GRAZE_DEVICE double root_of(double a) { return std::sqrt(a); }
/// Added up in the order of the lanes' kernels.
GRAZE_DEVICE double inner(const Vec3& a, const Vec3& b) { return a.x * b.x + (a.y * b.y + a.z * b.z); }

/// The points at the start, then at the end: v f0 f1 f2, or a0 a1 b0 b1.
struct PairPoints {
  Vec3 p[8];

  GRAZE_DEVICE bool all_finite() const {
    double sum = 0;
    for (const Vec3& x : p) sum = sum + (x.x + (x.y + x.z));
    return size_of(sum) < 1e300;
  }
};

struct PairBounds {
  double min_separation, tolerance;  ///< of the question; tolerance 0: `relative` of the pair's size
  static constexpr double relative = 1e-12;
};

template <bool edges>
struct PairDifference {
  static constexpr int n = edges ? 4 : 3;
  Vec3 at[2][n];
  Vec3 u[2], v[2];
  double bound;
  bool in_range;

  GRAZE_DEVICE PairDifference(const PairPoints& q, const PairBounds& asked) {
    for (int end = 0; end < 2; ++end) {
      const Vec3* p = q.p + 4 * end;
      if constexpr (edges) {
        at[end][0] = p[0] - p[2];
        at[end][1] = p[0] - p[3];
        at[end][2] = p[1] - p[2];
        at[end][3] = p[1] - p[3];
      } else {
        for (int i = 0; i < 3; ++i) at[end][i] = p[0] - p[i + 1];
      }
      u[end] = edges ? p[1] - p[0] : p[1] - p[2];
      v[end] = edges ? p[2] - p[3] : p[1] - p[3];
    }
    double largest2 = 0;
    for (int i = 0; i < n; ++i) largest2 = most(largest2, most(inner(at[0][i], at[0][i]), inner(at[1][i], at[1][i])));
    bound = 32 * 0x1p-53 * root_of(largest2) + asked.min_separation * (1 + 0x1p-40);
    in_range = largest2 > 0x1p-240 && largest2 < 0x1p240;
  }
};

/// The cubic that is zero when the four points are coplanar.
struct PairCubic {
  double f[4], error;

  PairCubic() = default;
  template <bool edges>
  GRAZE_DEVICE explicit PairCubic(const PairDifference<edges>& d) {
    const Vec3 &p0 = d.at[0][0], &p1 = d.at[1][0], &u0 = d.u[0], &u1 = d.u[1], &v0 = d.v[0], &v1 = d.v[1];
    const Vec3 n00 = cross(u0, v0), n11 = cross(u1, v1), n01 = cross(u0, v1) + cross(u1, v0);
    f[0] = inner(p0, n00);
    f[1] = inner(p1, n00) + inner(p0, n01);
    f[2] = inner(p0, n11) + inner(p1, n01);
    f[3] = inner(p1, n11);
    const double of_edges = most(inner(u0, u0), inner(u1, u1)) * most(inner(v0, v0), inner(v1, v1));
    const double square = most(inner(p0, p0), inner(p1, p1)) * of_edges;
    error = of_edges > 0x1p-960 && square > 0x1p-960 ? root_of(square) * (64 * 0x1p-53) + 0x1p-900 : HUGE_VAL;
  }
  GRAZE_DEVICE PairCubic reversed() const {
    PairCubic r;
    for (int i = 0; i < 4; ++i) r.f[i] = f[3 - i];
    r.error = error;
    return r;
  }
  /// The coefficients of powers of t.
  GRAZE_DEVICE void powers(double (&c)[4]) const {
    const double three = 3.0 * f[0];
    c[0] = f[0];
    c[1] = f[1] - three;
    c[2] = (three - (f[1] + f[1])) + f[2];
    c[3] = (f[3] - f[2]) + (f[1] - f[0]);
  }
};

struct Bernstein {
  double b[4];

  GRAZE_DEVICE static Bernstein of(const PairCubic& c) {
    constexpr double third = 1.0 / 3;
    return {{c.f[0], c.f[1] * third, c.f[2] * third, c.f[3]}};
  }
  GRAZE_DEVICE Bernstein reversed() const { return {{b[3], b[2], b[1], b[0]}}; }
  /// The part on [0, t].
  GRAZE_DEVICE Bernstein first_part(double t) const {
    const auto between = [t](double x, double y) { return x + (y - x) * t; };
    const double ab = between(b[0], b[1]), bc = between(b[1], b[2]), cd = between(b[2], b[3]);
    const double abc = between(ab, bc), bcd = between(bc, cd);
    return {{b[0], ab, abc, between(abc, bcd)}};
  }
  GRAZE_DEVICE bool one_sign(double error) const {
    const double low = least(least(b[0], b[1]), least(b[2], b[3])), high = most(most(b[0], b[1]), most(b[2], b[3]));
    return low > error || high < -error;
  }
};

GRAZE_DEVICE bool never_coplanar(const PairCubic& c) {
  return Bernstein{{c.f[0], c.f[1], c.f[2], c.f[3]}}.one_sign(c.error);
}

/// One sign on [0, t], or on all quarters of that.
GRAZE_DEVICE bool clear_until(const PairCubic& c, double t) {
  const Bernstein whole = Bernstein::of(c).first_part(t);
  if (whole.one_sign(c.error)) return true;
  const auto halves = [&](const Bernstein& f) {
    return f.first_part(0.5).one_sign(c.error) && f.reversed().first_part(0.5).one_sign(c.error);
  };
  return halves(whole.first_part(0.5)) && halves(whole.reversed().first_part(0.5));
}

struct PairRoot {
  bool exists;
  double t;
};
/// The first zero, by Newton's method within a bracket.
GRAZE_DEVICE PairRoot first_root(const PairCubic& cubic, double accuracy) {
  double c[4];
  cubic.powers(c);
  const auto value = [&](double t) { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); };
  const auto slope = [&](double t) { return c[1] + t * ((c[2] + c[2]) + t * (3.0 * c[3])); };
  const bool falls = cubic.f[0] > 0;
  const auto passed = [&](double x) { return falls != (value(x) >= 0); };
  const double a = 3.0 * c[3], disc = c[2] * c[2] - a * c[1];
  const double q = -(c[2] + std::copysign(root_of(most(disc, 0.0)), c[2]));
  const auto within = [](double x) { return x > 0 && x < 1 ? x : 1.0; };
  const double e = within(q / a), g = within(c[1] / q);
  const double first = least(e, g), second = most(e, g);
  const bool in_first = passed(first), in_second = passed(second);
  double lo = in_first ? 0 : in_second ? first : second, hi = in_first ? first : in_second ? second : 1.0;
  PairRoot r{in_first || in_second || passed(1.0), 0};
  const double f_lo = value(lo), f_hi = value(hi);
  double x = lo + f_lo / (f_lo - f_hi) * (hi - lo);
  for (int i = 0; r.exists && i < 12; ++i) {
    if (!(x > lo && x < hi)) x = 0.5 * (lo + hi);
    const double v = value(x);
    if (falls != (v < 0))
      lo = x;
    else
      hi = x;
    const double next = x - v / slope(x), change = size_of(next - x);
    x = next;
    if (change <= accuracy) break;
  }
  r.t = x;
  return r;
}

template <bool edges>
struct PairFilter {
  using Difference = PairDifference<edges>;
  static constexpr int n = Difference::n;

  template <int axis>
  GRAZE_DEVICE static bool apart_along(const PairPoints& q) {
    constexpr int split = edges ? 2 : 1;
    bool over = true, under = true;
    for (int end = 0; end < 8; end += 4) {
      double low = q.p[end][axis], high = low;
      for (int i = 1; i < split; ++i) {
        low = least(low, q.p[end + i][axis]);
        high = most(high, q.p[end + i][axis]);
      }
      double other_low = q.p[end + split][axis], other_high = other_low;
      for (int i = split + 1; i < 4; ++i) {
        other_low = least(other_low, q.p[end + i][axis]);
        other_high = most(other_high, q.p[end + i][axis]);
      }
      over = over && low > other_high;
      under = under && high < other_low;
    }
    return over || under;
  }

  GRAZE_DEVICE static bool apart_along_axes(const PairPoints& q) {
    return apart_along<0>(q) || apart_along<1>(q) || apart_along<2>(q);
  }

  GRAZE_DEVICE static bool beyond(const Difference& d, const Vec3& m) {
    double low = inner(m, d.at[0][0]), high = low;
    for (int end = 0; end < 2; ++end)
      for (int i = end == 0 ? 1 : 0; i < n; ++i) {
        const double s = inner(m, d.at[end][i]);
        low = least(low, s);
        high = most(high, s);
      }
    const double square = inner(m, m), scaled = d.bound * root_of(square);
    return square > 0x1p-960 && (low > scaled || high < -scaled);
  }

  struct Moment {
    double t0, t1;
    Vec3 then[2][n];
  };
  GRAZE_DEVICE static Vec3 between(const Vec3& a, const Vec3& b, double t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
  }
  GRAZE_DEVICE static Moment around(const Difference& d, double t) {
    Moment w;
    w.t0 = most(0.0, t - 0x1p-10);
    w.t1 = least(1.0, t + 0x1p-10);
    for (int i = 0; i < n; ++i) {
      w.then[0][i] = between(d.at[0][i], d.at[1][i], w.t0);
      w.then[1][i] = between(d.at[0][i], d.at[1][i], w.t1);
    }
    return w;
  }

  struct Parts {
    bool until = false, from = false;
  };
  GRAZE_DEVICE static Parts pass_beside(const Difference& d, const PairCubic& c, const Moment& w) {
    const Bernstein f = Bernstein::of(c);
    const double rest = least(1.0, (1.0 - w.t1) + 0x1p-40);
    const bool no_plane_before = f.first_part(w.t0).one_sign(c.error),
               no_plane_after = f.reversed().first_part(rest).one_sign(c.error);
    const auto edge = [&](int i, int j) { return w.then[0][j] - w.then[0][i]; };
    const Vec3 normal = edges ? cross(edge(0, 2), edge(0, 1)) : cross(edge(0, 1), edge(0, 2));
    Parts parts;
    const auto along = [&](const Vec3& m) {
      double low[4], high[4];
      const Vec3* places[4] = {d.at[0], w.then[0], w.then[1], d.at[1]};
      for (int k = 0; k < 4; ++k) {
        low[k] = high[k] = inner(m, places[k][0]);
        for (int i = 1; i < n; ++i) {
          const double s = inner(m, places[k][i]);
          low[k] = least(low[k], s);
          high[k] = most(high[k], s);
        }
      }
      const double square = inner(m, m), bound = d.bound * root_of(square);
      const bool known = square > 0x1p-960;
      const auto add = [&](bool start, bool before, bool after, bool end) {
        const bool now = known && before && after;
        parts.until = parts.until || (now && (start || no_plane_before));
        parts.from = parts.from || (now && (end || no_plane_after));
      };
      add(low[0] > bound, low[1] > bound, low[2] > bound, low[3] > bound);
      add(high[0] < -bound, high[1] < -bound, high[2] < -bound, high[3] < -bound);
    };
    along(cross(edge(0, 1), normal));
    along(cross(edge(0, 2), normal));
    if constexpr (!edges) along(cross(edge(1, 2), normal));
    return parts;
  }
  GRAZE_DEVICE static double as_time(const PairRoot& r) { return r.t >= 0 && r.t <= 1 ? r.t : r.exists ? 0.5 : 0.0; }

  GRAZE_DEVICE static bool pass_beside_once(const Difference& d, const PairCubic& c) {
    const Parts parts = pass_beside(d, c, around(d, as_time(first_root(c, 0x1p-12))));
    return clear_until(c, 1.0) || (parts.until && parts.from);
  }
  GRAZE_DEVICE static bool pass_beside_twice(const Difference& d, const PairCubic& c) {
    const Moment first = around(d, as_time(first_root(c, 0x1p-12))),
                 last = around(d, 1.0 - as_time(first_root(c.reversed(), 0x1p-12)));
    const double share = (last.t0 - first.t1) / most(last.t0, 0x1p-10) + 0x1p-40;
    const Bernstein middle = Bernstein::of(c).first_part(last.t0).reversed().first_part(least(1.0, share));
    return (last.t0 <= first.t1 || middle.one_sign(c.error)) && pass_beside(d, c, first).until &&
           pass_beside(d, c, last).from;
  }

  GRAZE_DEVICE static Vec3 normal_at_half(const PairPoints& q) {
    const auto twice = [&](int i) { return q.p[i] + q.p[4 + i]; };
    return edges ? cross(twice(1) - twice(0), twice(3) - twice(2)) : cross(twice(2) - twice(1), twice(3) - twice(1));
  }
  GRAZE_DEVICE static Vec3 between_middles(const Difference& d) {
    Vec3 line = d.at[0][0] + d.at[1][0];
    for (int i = 1; i < n; ++i) line = line + (d.at[0][i] + d.at[1][i]);
    return line;
  }

  /// Is the pair free at once?
  GRAZE_DEVICE static bool free(const PairPoints& q, const Difference& d, const PairCubic& c, const PairBounds& asked) {
    if (!q.all_finite()) return false;
    const bool touching = asked.min_separation == 0;
    if (touching && apart_along_axes(q)) return true;
    if (!d.in_range) return false;
    if (beyond(d, normal_at_half(q)) || (touching && never_coplanar(c)) || beyond(d, between_middles(d))) return true;
    return touching && (pass_beside_once(d, c) || pass_beside_twice(d, c));
  }
};

/// Is the cubic of one sign between two times? By parts that double where they are of one sign, and become a quarter
/// where they are not.
GRAZE_DEVICE bool clear_in_steps(const PairCubic& c, double from, double to) {
  double h = 0.5 * (to - from);
  for (int i = 0; i < 24; ++i) {
    const double end = least(from + h, to);
    if (!(end > from)) return false;
    const double share = from <= 0 ? 1.0 : least(1.0, (end - from) / end + 0x1p-40);
    if (Bernstein::of(c).first_part(end).reversed().first_part(share).one_sign(c.error)) {
      if (end >= to) return true;
      from = end;
      h *= 2;
    } else {
      h *= 0.25;
    }
  }
  return false;
}

/// Is the cubic of one sign between two times, or are its halves?
GRAZE_DEVICE bool clear_between(const PairCubic& c, double from, double to) {
  if (!(to > from)) return true;
  const double share = from <= 0 ? 1.0 : least(1.0, (to - from) / to + 0x1p-40);
  const Bernstein whole = Bernstein::of(c).first_part(to).reversed().first_part(share);
  return whole.one_sign(c.error) ||
         (whole.first_part(0.5).one_sign(c.error) && whole.reversed().first_part(0.5).one_sign(c.error));
}

/// The first sign change after a time.
GRAZE_DEVICE PairRoot root_after(const PairCubic& cubic, double from) {
  double c[4];
  cubic.powers(c);
  const auto value = [&](double t) { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); };
  const auto slope = [&](double t) { return c[1] + t * ((c[2] + c[2]) + t * (3.0 * c[3])); };
  const bool falls = value(from) > 0;
  const auto passed = [&](double x) { return falls != (value(x) >= 0); };
  const double a = 3.0 * c[3], disc = c[2] * c[2] - a * c[1];
  const double q = -(c[2] + std::copysign(root_of(most(disc, 0.0)), c[2]));
  const auto within = [from](double x) { return x > from && x < 1 ? x : 1.0; };
  const double e = within(q / a), g = within(c[1] / q), first = least(e, g), second = most(e, g);
  const bool in_first = passed(first), in_second = passed(second);
  double lo = in_first ? from : in_second ? first : second, hi = in_first ? first : in_second ? second : 1.0;
  if (!in_first && !in_second && !passed(1.0)) return {false, 1};
  double x = 0.5 * (lo + hi);
  for (int i = 0; i < 40; ++i) {
    const double v = value(x);
    if (falls != (v < 0))
      lo = x;
    else
      hi = x;
    const double next = x - v / slope(x);
    const bool done = size_of(next - x) <= 0x1p-50;
    x = done || (next > lo && next < hi) ? next : 0.5 * (lo + hi);
    if (done) break;
  }
  return {true, x};
}

/// The first sign change after a time: looked for in single precision, and then made exact to a few roundings. Where
/// that fails, nothing is certified at the time that it gives.
GRAZE_DEVICE PairRoot quick_root(const PairCubic& cubic, double after) {
  double c[4];
  cubic.powers(c);
  const double largest = most(most(size_of(c[0]), size_of(c[1])), most(size_of(c[2]), size_of(c[3])));
  if (!(largest > 0x1p-900)) return {false, 1};
  const double scale = 1.0 / largest;
  float k[4];
  for (int i = 0; i < 4; ++i) k[i] = static_cast<float>(c[i] * scale);
  const auto value = [&](float t) { return k[0] + t * (k[1] + t * (k[2] + t * k[3])); };
  const auto slope = [&](float t) { return k[1] + t * ((k[2] + k[2]) + t * (3.0f * k[3])); };
  const auto from = static_cast<float>(after);
  const bool falls = value(from) > 0;
  const auto passed = [&](float x) { return falls != (value(x) >= 0); };
  const float a = 3.0f * k[3], disc = k[2] * k[2] - a * k[1];
  const float q = -(k[2] + std::copysign(std::sqrt(disc > 0 ? disc : 0.0f), k[2]));
  const auto within = [from](float x) { return x > from && x < 1 ? x : 1.0f; };
  const float e = within(q / a), g = within(k[1] / q), first = e < g ? e : g, second = e < g ? g : e;
  const bool in_first = passed(first), in_second = passed(second);
  if (!in_first && !in_second && !passed(1.0f)) return {false, 1};
  float lo = in_first ? from : in_second ? first : second, hi = in_first ? first : in_second ? second : 1.0f;
  const float f_lo = value(lo), f_hi = value(hi);
  float x = lo + f_lo / (f_lo - f_hi) * (hi - lo);
  for (int i = 0; i < 12; ++i) {
    if (!(x > lo && x < hi)) x = 0.5f * (lo + hi);
    const float v = value(x);
    if (falls != (v < 0))
      lo = x;
    else
      hi = x;
    const float next = x - v / slope(x), change = next - x;
    x = next;
    if (change < 0x1p-16f && change > -0x1p-16f) break;
  }
  // Each correction leaves a share of the error that is about the error of x and of the slope: 2^-20 of it.
  const double turn = static_cast<double>(1.0f / slope(x)) * scale;
  double t = x;
  for (int i = 0; i < 3; ++i) t = t - (c[0] + t * (c[1] + t * (c[2] + t * c[3]))) * turn;
  return {t > after && t < 1, t};
}

/// How a pair lands: the plain contact of a pair that starts off the plane of its features, and the like after it has
/// passed that plane once or twice beside the other feature.
template <bool edges>
struct PairLanding {
  using Difference = PairDifference<edges>;
  using Filter = PairFilter<edges>;
  static constexpr int n = Difference::n;
  bool certain = false;  ///< a contact, as `land` has found it
  double t = 0, gap = 0;

  GRAZE_DEVICE PairLanding(const PairPoints& q, const Difference& d, const PairBounds& asked) {
    double size2 = 0, far2 = 0, gone2 = 0;
    for (int i = 0; i < n; ++i) {
      const Vec3 displacement = d.at[1][i] - d.at[0][i];
      far2 = most(far2, inner(d.at[0][i], d.at[0][i]));
      gone2 = most(gone2, inner(displacement, displacement));
      for (int j = 0; j < i; ++j) {
        const Vec3 edge = d.at[0][i] - d.at[0][j];
        size2 = most(size2, inner(edge, edge));
      }
    }
    rounding_ = 32 * 0x1p-53 * (root_of(far2) + root_of(gone2)) + 0x1p-1022;
    const double wanted = asked.tolerance > 0 ? asked.tolerance : PairBounds::relative * root_of(most(size2, gone2));
    tolerance_ = most(wanted, 16.0 * rounding_);
    speed_ = root_of(gone2);
    possible_ = d.in_range && !(asked.min_separation > 0) && q.all_finite();
  }

  /// Tries the contact at a root of the cubic; the features are certified apart until `from`. `plain`: as on the CPU.
  /// Otherwise more is tried: the cubic's sign is looked at in smaller parts, and the distance of nearly parallel
  /// edges, which is less exact as the length of a vector than as that to the plane, may be the latter where the point
  /// is well inside both.
  GRAZE_DEVICE void land(const Difference& d, const PairCubic& c, const PairRoot& root, double from, bool plain) {
    if (!possible_ || !root.exists) return;
    const auto normal = [&](const Vec3* p) {
      const Vec3 m = cross(p[edges ? 2 : 1] - p[0], p[edges ? 1 : 2] - p[0]);
      return root_of(inner(m, m));
    };
    const bool off = from > 0 || size_of(c.f[0]) > (tolerance_ + tolerance_) * normal(d.at[0]) + c.error;
    if (!off) return;
    Vec3 p[n];
    const auto place = [&](double time) {
      for (int i = 0; i < n; ++i) p[i] = Filter::between(d.at[0][i], d.at[1][i], time);
    };
    place(root.t);
    const double before = most(c.error + c.error, 0.25 * tolerance_ * normal(p));
    double k[4];
    c.powers(k);
    const double slope = k[1] + root.t * ((k[2] + k[2]) + root.t * (3.0 * k[3]));
    t = root.t - before / size_of(slope);
    if (!(t > from && t < 1)) return;
    place(t);
    Vec3 point;
    if (!(edges ? inside_parallelogram(p, point) : inside_face(p, point))) return;
    gap = root_of(inner(point, point));
    if (!plain && inside_by_ > 0x1p-16) {
      const Vec3 m = cross(p[edges ? 2 : 1] - p[0], p[edges ? 1 : 2] - p[0]);
      gap = least(gap, size_of(inner(p[0], m)) / root_of(inner(m, m)));
    }
    certain = gap + rounding_ <= tolerance_ && (!plain     ? clear_in_steps(c, from, t)
                                                : from > 0 ? clear_between(c, from, t)
                                                           : clear_until(c, t));
    after_ = least(1.0, root.t + 2.0 * (root.t - t));
    moved_ = (after_ - t) * speed_ * (1 + 0x1p-40) + rounding_;
    for (int i = 0; i < n; ++i) at_[i] = p[i];
  }

  /// Is it proved, too, that the features share a point? The cubic has one sign shortly before `t`; if it has the other
  /// one a little later, the four points are coplanar in between. If the weights of the point where the features meet
  /// are then positive, they do. In between a point of the difference moves by at most D (`moved_`, and its rounding is
  /// in there); no point nor edge is longer than L then. Edges move by 2 D, products of two by at most 2 * 2 D L + 4
  /// D^2 <= 6 D L (as 2 D <= L) or less, the normal n = u x v too. A weight is n . (x x y), or |n|^2 less that:
  /// products of two such of at most L^2 each, off by 2 * 6 D L^3 + 36 D^2 L^2 <= 30 D L^3; a difference of two by 60 D
  /// L^3. Roundings: fewer than 40 of 2^-53 L^4 each.
  GRAZE_DEVICE bool meets(const PairCubic& c) const {
    const Bernstein f = Bernstein::of(c);
    const double now = f.first_part(t).b[3], later = f.first_part(after_).b[3];
    if (!(now > 0 ? later < -c.error : later > c.error)) return false;
    double longest2 = 0;
    for (int i = 0; i < n; ++i) longest2 = most(longest2, inner(at_[i], at_[i]));
    const double longest = 2 * (root_of(longest2) * (1 + 0x1p-40) + moved_);
    const double bound = longest * longest * longest * (64 * moved_ + 0x1p-46 * longest);
    const Vec3 u = at_[edges ? 2 : 1] - at_[0], v = at_[edges ? 1 : 2] - at_[0], m = cross(u, v);
    if constexpr (edges) {
      const double whole = inner(m, m), s = inner(cross(v, at_[0]), m), r = inner(cross(at_[0], u), m);
      return s > bound && r > bound && whole - s > bound && whole - r > bound;
    } else {
      return inner(m, cross(at_[1], at_[2])) > bound && inner(m, cross(at_[2], at_[0])) > bound &&
             inner(m, cross(at_[0], at_[1])) > bound;
    }
  }

 private:
  Vec3 at_[n];            ///< the difference at `t`
  double inside_by_ = 0;  ///< the least weight of the point where they meet
  double after_ = 0, moved_ = 0, speed_ = 0, tolerance_ = 0, rounding_ = 0;
  bool possible_ = false;

  GRAZE_DEVICE static Vec3 scaled(const Vec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }

  GRAZE_DEVICE bool inside_face(const Vec3* p, Vec3& point) {
    const Vec3 u = p[1] - p[0], v = p[2] - p[0], m = cross(u, v);
    const double a = inner(m, cross(p[1], p[2])), b = inner(m, cross(p[2], p[0])), c = inner(m, cross(p[0], p[1]));
    const double whole = 1.0 / ((a + b) + c), longest = most(inner(u, u), inner(v, v));
    point = p[0] + (scaled(u, b * whole) + scaled(v, c * whole));
    inside_by_ = least(a, least(b, c)) * whole;
    return inner(m, m) > 1e-6 * (longest * longest) && a > 0 && b > 0 && c > 0;
  }
  GRAZE_DEVICE bool inside_parallelogram(const Vec3* p, Vec3& point) {
    const Vec3 u = p[edges ? 2 : 1] - p[0], v = p[1] - p[0], m = cross(u, v);
    const double square = inner(m, m), whole = 1.0 / square;
    const double s = inner(cross(v, p[0]), m) * whole, r = inner(cross(p[0], u), m) * whole;
    point = p[0] + (scaled(u, s) + scaled(v, r));
    inside_by_ = least(least(s, 1 - s), least(r, 1 - r));
    return square > 1e-4 * (inner(u, u) * inner(v, v)) && s > 0 && s < 1 && r > 0 && r < 1;
  }
};

enum class PairVerdict { free, contact, left };

/// `follow_roots`, below, for most pairs: they do not land at the first root, which has been tried, and pass each other
/// beside an edge. They are certified apart before `from` and after `to`.
template <bool edges>
GRAZE_DEVICE PairVerdict follow_roots_quickly(const PairDifference<edges>& d, const PairCubic& c, double from,
                                              double to, PairLanding<edges>& landing) {
  constexpr int n = PairDifference<edges>::n;
  constexpr double width = 0x1p-10;
  GRAZE_ROLLED
  for (int k = 0; k < 3; ++k) {
    const PairRoot root = quick_root(c, from);
    if (!root.exists || root.t > to) return clear_between(c, from, to) ? PairVerdict::free : PairVerdict::left;
    if (k > 0) {
      landing.land(d, c, root, from, false);
      if (landing.certain) return PairVerdict::contact;
    }
    const double t0 = most(from, root.t - width), t1 = least(to, root.t + width);
    if (!clear_between(c, from, t0)) return PairVerdict::left;
    Vec3 p[2][n], middle[n];
    for (int i = 0; i < n; ++i) {
      p[0][i] = PairFilter<edges>::between(d.at[0][i], d.at[1][i], t0);
      p[1][i] = PairFilter<edges>::between(d.at[0][i], d.at[1][i], t1);
      middle[i] = p[0][i] + p[1][i];
    }
    const Vec3 u = middle[edges ? 2 : 1] - middle[0], v = middle[edges ? 1 : 2] - middle[0], normal = cross(u, v);
    bool beside = false;
    GRAZE_ROLLED
    for (int side = 0; side < (edges ? 2 : 3) && !beside; ++side) {
      const Vec3 m = cross(side == 0 ? u : side == 1 ? v : v - u, normal);
      double low = inner(m, p[0][0]), high = low;
      for (int end = 0; end < 2; ++end)
        for (int i = 0; i < n; ++i) {
          const double x = inner(m, p[end][i]);
          low = least(low, x);
          high = most(high, x);
        }
      const double square = inner(m, m), bound = d.bound * root_of(square);
      beside = square > 0x1p-960 && (low > bound || high < -bound);
    }
    if (!beside) return PairVerdict::left;
    if (t1 >= to) return PairVerdict::free;
    from = t1;
  }
  return PairVerdict::left;
}

/// Does one of these directions separate the features at two times, and so in between: those that point to the origin
/// from a corner of the difference or perpendicularly from an edge of it, at a time between?
template <bool edges>
GRAZE_DEVICE bool apart_between(const PairDifference<edges>& d, double t0, double t1) {
  constexpr int n = PairDifference<edges>::n;
  Vec3 p[2][n], middle[n];
  for (int i = 0; i < n; ++i) {
    p[0][i] = PairFilter<edges>::between(d.at[0][i], d.at[1][i], t0);
    p[1][i] = PairFilter<edges>::between(d.at[0][i], d.at[1][i], t1);
    middle[i] = p[0][i] + p[1][i];
  }
  const auto along = [&](const Vec3& m) {
    double low = inner(m, p[0][0]), high = low;
    for (int end = 0; end < 2; ++end)
      for (int i = 0; i < n; ++i) {
        const double s = inner(m, p[end][i]);
        low = least(low, s);
        high = most(high, s);
      }
    const double square = inner(m, m), bound = d.bound * root_of(square);
    return square > 0x1p-960 && (low > bound || high < -bound);
  };
  // In the plane of both features, perpendicular to an edge: where they pass each other in that plane.
  const Vec3 u = middle[edges ? 2 : 1] - middle[0], v = middle[edges ? 1 : 2] - middle[0], normal = cross(u, v);
  if (along(cross(u, normal)) || along(cross(v, normal)) || (!edges && along(cross(v - u, normal)))) return true;
  GRAZE_ROLLED
  for (int from = 0; from < 3; ++from) {
    const Vec3* q = from == 0 ? middle : p[from - 1];
    GRAZE_ROLLED
    for (int i = 0; i < n; ++i) {
      if (along(q[i])) return true;
      // Of a parallelogram (points 0, 1, 3, 2 around) or a triangle.
      const int j = edges ? (i == 0 ? 1 : i == 1 ? 3 : i == 3 ? 2 : 0) : (i + 1) % 3;
      const Vec3 edge = q[j] - q[i];
      if (along(cross(edge, cross(q[i], edge)))) return true;
    }
  }
  return false;
}

/// What follows after the filter and the plain contact, from root to root of the cubic: at each the features land, or
/// are beside each other from shortly before until shortly after it; in between they are not coplanar. Not with a
/// minimum separation.
template <bool edges>
GRAZE_DEVICE PairVerdict follow_roots(const PairDifference<edges>& d, const PairCubic& c, double from, double to,
                                      PairLanding<edges>& landing) {
  if (apart_between(d, from, to)) return PairVerdict::free;
  for (int k = 0; k < 4; ++k) {
    const PairRoot root = root_after(c, from);
    if (!root.exists || root.t > to) return clear_in_steps(c, from, to) ? PairVerdict::free : PairVerdict::left;
    landing.land(d, c, root, from, false);
    if (landing.certain) return PairVerdict::contact;
    bool beside = false;
    double until = 0;
    for (double width = 0x1p-5; !beside && width > 0x1p-19; width *= 0x1p-4) {
      const double t0 = most(from, root.t - width);
      until = least(to, root.t + width);
      beside = (t0 <= from || clear_in_steps(c, from, t0)) && apart_between(d, t0, until);
    }
    if (!beside) return PairVerdict::left;
    if (until >= to) return PairVerdict::free;
    from = until;
  }
  return PairVerdict::left;
}

}  // namespace graze::gpu
