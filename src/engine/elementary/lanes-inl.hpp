// SPDX-License-Identifier: MIT
// Queries in the lanes of SIMD registers, shared by the kernels of this folder; compiled once per instruction set.
#include <hwy/highway.h>

#include "engine/elementary/filter.hpp"
#include "simd/doubles-inl.hpp"

#if defined(GRAZE_ELEMENTARY_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_ELEMENTARY_LANES_INL
#undef GRAZE_ELEMENTARY_LANES_INL
#else
#define GRAZE_ELEMENTARY_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace graze::engine::elementary {
namespace HWY_NAMESPACE {
namespace {  // other kernels have types of the same names

using namespace simd::doubles::HWY_NAMESPACE;
constexpr D tag;

/// One query in each lane: its points at the start, then at the end.
struct Points {
  V3 p[8];
};

/// Loads `count` queries; the last one is repeated to fill the lanes.
HWY_INLINE Points load(std::span<const std::array<Vec3, 8>> queries, const std::uint16_t* which, std::size_t count) {
  constexpr std::size_t lanes = hn::MaxLanes(tag);
  const double* from[lanes];
  for (std::size_t k = 0; k < lanes; ++k) from[k] = &queries[which[k < count ? k : count - 1]][0].x;
  V c[24];
#if HWY_TARGET == HWY_AVX2
  for (std::size_t i = 0; i < 24; i += 4) {
    const V r0 = hn::LoadU(tag, from[0] + i), r1 = hn::LoadU(tag, from[1] + i), r2 = hn::LoadU(tag, from[2] + i),
            r3 = hn::LoadU(tag, from[3] + i);
    const V a = hn::InterleaveLower(tag, r0, r1), b = hn::InterleaveUpper(tag, r0, r1);
    const V e = hn::InterleaveLower(tag, r2, r3), f = hn::InterleaveUpper(tag, r2, r3);
    c[i] = hn::ConcatLowerLower(tag, e, a);
    c[i + 1] = hn::ConcatLowerLower(tag, f, b);
    c[i + 2] = hn::ConcatUpperUpper(tag, e, a);
    c[i + 3] = hn::ConcatUpperUpper(tag, f, b);
  }
#else
  for (std::size_t i = 0; i < 24; ++i) {
    alignas(32) double lane[lanes];
    for (std::size_t k = 0; k < lanes; ++k) lane[k] = from[k][i];
    c[i] = hn::Load(tag, lane);
  }
#endif
  Points q;
  for (std::size_t i = 0; i < 8; ++i) q.p[i] = {c[3 * i], c[3 * i + 1], c[3 * i + 2]};
  return q;
}

/// No coordinate is infinite or NaN: sums propagate these (a sum that overflows is left to the other methods).
inline M all_finite(const Points& q) {
  V sum = hn::Zero(tag);
  for (const V3& p : q.p) sum = hn::Add(sum, hn::Add(p.x, hn::Add(p.y, p.z)));
  return hn::Lt(hn::Abs(sum), hn::Set(tag, 1e300));
}

/// Points 0..n-1 of the difference at both ends, its edges from point 0, and the bound beyond which features are apart.
struct Differences {
  V3 at[2][4];
  V3 u[2], v[2];  ///< of a face and of two edges; rounded once, however far apart the features are
  int n = 0;
  V bound;
  M in_range;

  void add(const Points& q, int i, int j) {
    at[0][n] = q.p[i] - q.p[j];
    at[1][n] = q.p[4 + i] - q.p[4 + j];
    ++n;
  }
};

inline Differences differences(ElementaryKind kind, const Points& q, const FilterBounds& asked) {
  Differences d;
  if (kind == ElementaryKind::edge_edge) {
    d.add(q, 0, 2);
    d.add(q, 0, 3);
    d.add(q, 1, 2);
    d.add(q, 1, 3);
  } else {
    d.add(q, 0, 1);
    if (kind != ElementaryKind::vertex_vertex) d.add(q, 0, 2);
    if (kind == ElementaryKind::vertex_face) d.add(q, 0, 3);
  }
  for (int end = 0; end < 2; ++end) {
    const V3* p = q.p + 4 * end;
    const bool edges = kind == ElementaryKind::edge_edge;
    d.u[end] = edges ? p[1] - p[0] : p[1] - p[2];
    d.v[end] = edges ? p[2] - p[3] : p[1] - p[3];
  }
  V largest2 = hn::Zero(tag);
  for (int i = 0; i < d.n; ++i)
    largest2 = hn::Max(largest2, hn::Max(dot(d.at[0][i], d.at[0][i]), dot(d.at[1][i], d.at[1][i])));
  // Differences are rounded once, products with a direction and their sums have fewer than 10 more roundings: 32 eps of
  // the largest distance is more than all of it. The tolerance is irrelevant: features that never touch are free
  // however near they come, and only a minimum separation requires more.
  const V rounding = hn::Mul(hn::Set(tag, 32 * 0x1p-53), hn::Sqrt(largest2));
  d.bound = hn::Add(rounding, hn::Set(tag, asked.min_separation * (1 + 0x1p-40)));
  // Sixth powers must neither overflow nor underflow.
  d.in_range = hn::And(hn::Gt(largest2, hn::Set(tag, 0x1p-240)), hn::Lt(largest2, hn::Set(tag, 0x1p240)));
  return d;
}

/// The Bernstein coefficients of the cubic f(t) = p . (u x v), p a point of the difference and u, v its edges, which is
/// zero when the four points are coplanar; the two middle ones are multiplied by three.
struct Coplanar {
  V f[4];
  V error;  ///< of each
};

inline Coplanar coplanar(const Differences& d) {
  const V3 &p0 = d.at[0][0], &p1 = d.at[1][0], &u0 = d.u[0], &u1 = d.u[1], &v0 = d.v[0], &v1 = d.v[1];
  const V3 n00 = cross(u0, v0), n11 = cross(u1, v1), n01 = cross(u0, v1) + cross(u1, v0);
  // p, u and v are linear in time, so f's coefficients are means of the determinants of their ends.
  Coplanar c;
  c.f[0] = dot(p0, n00);
  c.f[1] = hn::Add(dot(p1, n00), dot(p0, n01));
  c.f[2] = hn::Add(dot(p0, n11), dot(p1, n01));
  c.f[3] = dot(p1, n11);
  // p, u and v are rounded once. So a determinant of them has an error of less than 12 eps of the product of their
  // lengths (eps = 2^-53), the sums of three less than 42; and a third of that, after three de Casteljau subdivisions,
  // of less than 12 eps each, less than 51.
  //
  // Range: lengths are below 2^122 (`in_range`), so no product of them overflows. If the square of the size, or a
  // factor of it, is not above 2^-960, it has lost digits, and the error bound with it: then nothing is proved,
  // whatever the sign. Elsewhere products that underflow lose less than 2^-1074 times such a length each, far below
  // 2^-900.
  const V edges = hn::Mul(hn::Max(dot(u0, u0), dot(u1, u1)), hn::Max(dot(v0, v0), dot(v1, v1)));
  const V square = hn::Mul(hn::Max(dot(p0, p0), dot(p1, p1)), edges), least = hn::Set(tag, 0x1p-960);
  const V error = hn::Add(hn::Mul(hn::Sqrt(square), hn::Set(tag, 64 * 0x1p-53)), hn::Set(tag, 0x1p-900));
  c.error = hn::IfThenElse(hn::And(hn::Gt(edges, least), hn::Gt(square, least)), error, hn::Inf(tag));
  return c;
}

struct Bernstein {
  V b0, b1, b2, b3;
};
inline Bernstein bernstein(const Coplanar& c) {
  const V third = hn::Set(tag, 1.0 / 3);
  return {c.f[0], hn::Mul(c.f[1], third), hn::Mul(c.f[2], third), c.f[3]};
}

inline V between(V a, V b, V t) { return hn::Add(a, hn::Mul(hn::Sub(b, a), t)); }
inline V3 between(const V3& a, const V3& b, V t) {
  return {between(a.x, b.x, t), between(a.y, b.y, t), between(a.z, b.z, t)};
}

/// The part on [0, t]: de Casteljau. Three levels of means, each of which adds less than 4 eps of the largest
/// coefficient.
inline Bernstein first_part(const Bernstein& f, V t) {
  const V ab = between(f.b0, f.b1, t), bc = between(f.b1, f.b2, t), cd = between(f.b2, f.b3, t);
  const V abc = between(ab, bc, t), bcd = between(bc, cd, t);
  return {f.b0, ab, abc, between(abc, bcd, t)};
}

inline Bernstein reversed(const Bernstein& f) { return {f.b3, f.b2, f.b1, f.b0}; }

/// All coefficients exceed the error with one sign: f lies between them, so it has no zero.
inline M one_sign(const Bernstein& f, V error) {
  const V low = hn::Min(hn::Min(f.b0, f.b1), hn::Min(f.b2, f.b3)),
          high = hn::Max(hn::Max(f.b0, f.b1), hn::Max(f.b2, f.b3));
  return hn::Or(hn::Gt(low, error), hn::Lt(high, hn::Neg(error)));
}
inline M never_coplanar(const Coplanar& c) { return one_sign({c.f[0], c.f[1], c.f[2], c.f[3]}, c.error); }

/// f as a polynomial, for root finding.
struct Cubic {
  V c0, c1, c2, c3;
  V value(V t) const { return hn::Add(c0, hn::Mul(t, hn::Add(c1, hn::Mul(t, hn::Add(c2, hn::Mul(t, c3)))))); }
  V slope(V t) const {
    const V three = hn::Set(tag, 3.0);
    return hn::Add(c1, hn::Mul(t, hn::Add(hn::Add(c2, c2), hn::Mul(t, hn::Mul(three, c3)))));
  }
};
inline Cubic cubic(const Coplanar& c) {
  const V three = hn::Mul(hn::Set(tag, 3.0), c.f[0]);
  return {c.f[0], hn::Sub(c.f[1], three), hn::Add(hn::Sub(three, hn::Add(c.f[1], c.f[1])), c.f[2]),
          hn::Add(hn::Sub(c.f[3], c.f[2]), hn::Sub(c.f[1], c.f[0]))};
}

/// The first zero of f. A cubic is monotonic between its extrema, so the zero is in the first interval with a sign
/// change at its end. Newton's method within that bracket, until a step is as short as requested; the result is only a
/// guess, which the caller verifies. A lane that has converged keeps its answer, whatever the others still need.
struct FirstRoot {
  M exists;
  V t;
};
inline FirstRoot first_root(const Coplanar& c, double accuracy) {
  const Cubic f = cubic(c);
  const V zero = hn::Zero(tag), one = hn::Set(tag, 1.0);
  const M falls = hn::Gt(c.f[0], zero);
  const auto passed = [&](V x) { return hn::Xor(falls, hn::Ge(f.value(x), zero)); };
  // Extrema: c1 + 2 c2 t + 3 c3 t^2 = 0; those outside [0, 1], or none, become its ends.
  const V a = hn::Mul(hn::Set(tag, 3.0), f.c3), disc = hn::Sub(hn::Mul(f.c2, f.c2), hn::Mul(a, f.c1));
  const V q = hn::Neg(hn::Add(f.c2, hn::CopySign(hn::Sqrt(hn::Max(disc, zero)), f.c2)));
  const auto within = [&](V x) { return hn::IfThenElse(hn::And(hn::Gt(x, zero), hn::Lt(x, one)), x, one); };
  const V e = within(hn::Div(q, a)), g = within(hn::Div(f.c1, q));
  const V first = hn::Min(e, g), second = hn::Max(e, g);
  const M in_first = passed(first), in_second = passed(second);
  V lo = hn::IfThenElse(in_first, zero, hn::IfThenElse(in_second, first, second));
  V hi = hn::IfThenElse(in_first, first, hn::IfThenElse(in_second, second, one));
  FirstRoot r{hn::Or(in_first, hn::Or(in_second, passed(one))), {}};
  const V f_lo = f.value(lo), f_hi = f.value(hi);
  V x = hn::Add(lo, hn::Mul(hn::Div(f_lo, hn::Sub(f_lo, f_hi)), hn::Sub(hi, lo)));
  M done = hn::Not(r.exists);
  for (int i = 0; i < 12; ++i) {
    const V middle = hn::Mul(hn::Set(tag, 0.5), hn::Add(lo, hi));
    const M good = hn::And(hn::Gt(x, lo), hn::Lt(x, hi));
    x = hn::IfThenElse(hn::Or(good, done), x, middle);
    const V value = f.value(x);
    const M later = hn::Xor(falls, hn::Lt(value, zero));
    lo = hn::IfThenElse(later, x, lo);
    hi = hn::IfThenElse(later, hi, x);
    const V next = hn::Sub(x, hn::Div(value, f.slope(x))), change = hn::Abs(hn::Sub(next, x));
    x = hn::IfThenElse(done, x, next);
    done = hn::Or(done, hn::Le(change, hn::Set(tag, accuracy)));
    if (hn::AllTrue(tag, done)) break;
  }
  r.t = x;
  return r;
}

/// f has one sign on [0, t], or on all quarters of that.
inline M clear_until(const Coplanar& c, V t) {
  const V half = hn::Set(tag, 0.5);
  const auto halves = [&](const Bernstein& f) {
    return hn::And(one_sign(first_part(f, half), c.error), one_sign(first_part(reversed(f), half), c.error));
  };
  const Bernstein whole = first_part(bernstein(c), t);
  const Bernstein first = first_part(whole, half), last = first_part(reversed(whole), half);
  return hn::Or(one_sign(whole, c.error), hn::And(halves(first), halves(last)));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::elementary
HWY_AFTER_NAMESPACE();

#endif
