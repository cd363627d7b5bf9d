// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/elementary/contact_lanes.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "query/elementary/contact_lanes.hpp"
#include "query/elementary/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {
namespace {

/// What `MovingDifference` says of its query, in the same words.
struct Sizes {
  V size, rounding;
};
Sizes sizes_of(const Differences& d) {
  V size2 = hn::Zero(tag), far2 = size2, gone2 = size2;
  for (int i = 0; i < d.n; ++i) {
    const V3 way = d.at[1][i] - d.at[0][i];
    far2 = hn::Max(far2, dot(d.at[0][i], d.at[0][i]));
    gone2 = hn::Max(gone2, dot(way, way));
    for (int j = 0; j < i; ++j) {
      const V3 edge = d.at[0][i] - d.at[0][j];
      size2 = hn::Max(size2, dot(edge, edge));
    }
  }
  const V largest = hn::Add(hn::Sqrt(far2), hn::Sqrt(gone2));
  return {hn::Sqrt(hn::Max(size2, gone2)),
          hn::Add(hn::Mul(hn::Set(tag, 32 * 0x1p-53), largest), hn::Set(tag, std::numeric_limits<double>::min()))};
}

struct Landing {
  M certain;
  V t, gap, tolerance, weights[4];
};

/// The first zero of f: between its extrema a cubic is monotonic, so it is in the first stretch at whose end the sign
/// has changed. Newton's method within that bracket; only a guess, of which the caller makes sure.
struct FirstRoot {
  M exists;
  V t;
};
FirstRoot first_root(const Coplanar& c) {
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
  for (int i = 0; i < 6; ++i) {
    const V middle = hn::Mul(hn::Set(tag, 0.5), hn::Add(lo, hi));
    x = hn::IfThenElse(hn::And(hn::Gt(x, lo), hn::Lt(x, hi)), x, middle);
    const V value = f.value(x);
    const M later = hn::Xor(falls, hn::Lt(value, zero));
    lo = hn::IfThenElse(later, x, lo);
    hi = hn::IfThenElse(later, hi, x);
    x = hn::Sub(x, hn::Div(value, f.slope(x)));
  }
  r.t = x;
  return r;
}

/// f has one sign on [0, t], or on all quarters of that.
M clear_until(const Coplanar& c, V t) {
  const V half = hn::Set(tag, 0.5);
  const auto reversed = [](const Bernstein& f) { return Bernstein{f.b3, f.b2, f.b1, f.b0}; };
  const auto halves = [&](const Bernstein& f) {
    return hn::And(one_sign(first_part(f, half), c.error), one_sign(first_part(reversed(f), half), c.error));
  };
  const Bernstein whole = first_part(bernstein(c), t);
  const Bernstein first = first_part(whole, half), last = first_part(reversed(whole), half);
  return hn::Or(one_sign(whole, c.error), hn::And(halves(first), halves(last)));
}

/// Where the origin is seen from a face (weights of its corners) or a parallelogram (of u and v); inside and no needle.
M inside_face(const V3* p, Landing& r, V3& point) {
  const V3 u = p[1] - p[0], v = p[2] - p[0], n = cross(u, v);
  const V a = dot(n, cross(p[1], p[2])), b = dot(n, cross(p[2], p[0])), c = dot(n, cross(p[0], p[1]));
  const V one = hn::Set(tag, 1.0), zero = hn::Zero(tag), whole = hn::Div(one, hn::Add(hn::Add(a, b), c));
  const V longest = hn::Max(dot(u, u), dot(v, v));
  r.weights[0] = one;
  r.weights[2] = hn::Mul(b, whole);
  r.weights[3] = hn::Mul(c, whole);
  r.weights[1] = hn::Sub(hn::Sub(one, r.weights[2]), r.weights[3]);
  point = p[0] + (scaled(u, r.weights[2]) + scaled(v, r.weights[3]));
  const M good = hn::Gt(dot(n, n), hn::Mul(hn::Set(tag, 1e-6), hn::Mul(longest, longest)));
  return hn::And(good, hn::And(hn::Gt(a, zero), hn::And(hn::Gt(b, zero), hn::Gt(c, zero))));
}
M inside_parallelogram(const V3* p, Landing& r, V3& point) {
  const V3 u = p[2] - p[0], v = p[1] - p[0], n = cross(u, v);
  const V one = hn::Set(tag, 1.0), zero = hn::Zero(tag), nn = dot(n, n), whole = hn::Div(one, nn);
  const V s = hn::Mul(dot(cross(v, p[0]), n), whole), t = hn::Mul(dot(cross(p[0], u), n), whole);
  r.weights[0] = hn::Sub(one, s);
  r.weights[1] = s;
  r.weights[2] = hn::Sub(one, t);
  r.weights[3] = t;
  point = p[0] + (scaled(u, s) + scaled(v, t));
  const M good = hn::Gt(nn, hn::Mul(hn::Set(tag, 1e-4), hn::Mul(dot(u, u), dot(v, v))));
  const auto within = [&](V x) { return hn::And(hn::Gt(x, zero), hn::Lt(x, one)); };
  return hn::And(good, hn::And(within(s), within(t)));
}

/// The plain contact: starts off the plane of the features by more than the tolerance, is certified to stay off it
/// until shortly before f's first zero, and is within the tolerance there, inside both features.
Landing land(const Differences& d, bool faces, const FilterBounds& asked) {
  const Sizes sizes = sizes_of(d);
  const Coplanar c = coplanar(d);
  const V wanted =
      asked.tolerance > 0 ? hn::Set(tag, asked.tolerance) : hn::Mul(hn::Set(tag, asked.relative), sizes.size);
  Landing r;
  r.tolerance = hn::Max(wanted, hn::Mul(hn::Set(tag, 16.0), sizes.rounding));
  const int iu = faces ? 1 : 2, iv = faces ? 2 : 1;
  const auto normal = [&](const V3* p) {
    const V3 n = cross(p[iu] - p[0], p[iv] - p[0]);
    return hn::Sqrt(dot(n, n));
  };
  const V zero = hn::Zero(tag);
  const V start = hn::Add(hn::Mul(hn::Add(r.tolerance, r.tolerance), normal(d.at[0])), c.error);
  const M off = hn::Gt(hn::Abs(c.f[0]), start);
  const FirstRoot root = first_root(c);
  V3 p[4];
  for (int i = 0; i < d.n; ++i) p[i] = between(d.at[0][i], d.at[1][i], root.t);
  const V before = hn::Max(hn::Add(c.error, c.error), hn::Mul(hn::Mul(hn::Set(tag, 0.25), r.tolerance), normal(p)));
  r.t = hn::Sub(root.t, hn::Div(before, hn::Abs(cubic(c).slope(root.t))));
  const M in_time = hn::And(hn::Gt(r.t, zero), hn::Lt(r.t, hn::Set(tag, 1.0)));
  for (int i = 0; i < d.n; ++i) p[i] = between(d.at[0][i], d.at[1][i], r.t);
  V3 point;
  const M inside = faces ? inside_face(p, r, point) : inside_parallelogram(p, r, point);
  r.gap = hn::Sqrt(dot(point, point));
  const M near = hn::Le(hn::Add(r.gap, sizes.rounding), r.tolerance);
  r.certain = hn::And(hn::And(hn::And(off, root.exists), hn::And(in_time, clear_until(c, r.t))),
                      hn::And(hn::And(inside, near), d.in_range));
  return r;
}

}  // namespace

std::size_t Contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, const FilterBounds& asked,
                     const std::uint16_t* which, std::size_t count, ElementaryResult* results, std::uint16_t* left) {
  constexpr std::size_t lanes = hn::MaxLanes(tag);
  const bool faces = kind == ElementaryKind::vertex_face;
  std::size_t kept = 0;
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t some = HWY_MIN(lanes, count - first);
    const Points q = load(queries, which + first, some);
    const Landing r = land(differences(kind, q, asked), faces, asked);
    alignas(32) double out[7][lanes];
    hn::Store(r.t, tag, out[0]);
    hn::Store(r.gap, tag, out[1]);
    hn::Store(r.tolerance, tag, out[2]);
    for (int k = 0; k < 4; ++k) hn::Store(r.weights[k], tag, out[3 + k]);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::And(all_finite(q), r.certain), bits);
    for (std::size_t k = 0; k < some; ++k) {
      if ((bits[0] >> k & 1) == 0) {
        left[kept++] = static_cast<std::uint16_t>(first + k);
        continue;
      }
      ElementaryResult& result = results[first + k];
      result = ElementaryResult{};
      result.status = Status::contact;
      result.time = {out[0][k], out[0][k]};
      result.gap = out[1][k];
      result.tolerance = out[2][k];
      result.weights = {out[3][k], out[4][k], out[5][k], out[6][k]};
      result.steps = 1;
    }
  }
  return kept;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(Contacts);

std::size_t find_plain_contacts(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                                const FilterBounds& asked, const std::uint16_t* which, std::size_t count,
                                ElementaryResult* results, std::uint16_t* left) {
  if (asked.min_separation > 0 || (kind != ElementaryKind::vertex_face && kind != ElementaryKind::edge_edge)) {
    for (std::size_t i = 0; i < count; ++i) left[i] = static_cast<std::uint16_t>(i);
    return count;
  }
  return HWY_DYNAMIC_DISPATCH(Contacts)(kind, queries, asked, which, count, results, left);
}

}  // namespace graze::query
#endif
