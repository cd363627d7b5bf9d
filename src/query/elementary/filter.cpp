// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/elementary/filter.cpp"
#include "core/instruction_sets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "query/elementary/filter.hpp"
#include "query/elementary/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {

namespace {

/// How many points the first feature has, and both together.
struct Shape {
  int first, all;
};
Shape shape_of(ElementaryKind kind) {
  switch (kind) {
    case ElementaryKind::vertex_face: return {1, 4};
    case ElementaryKind::edge_edge: return {2, 4};
    case ElementaryKind::vertex_edge: return {1, 3};
    case ElementaryKind::vertex_vertex: break;
  }
  return {1, 2};
}

/// Along a coordinate axis one feature is beyond the other at both ends, and so in between. Only comparisons: nothing
/// is rounded, and they may be as near as they like.
template <V V3::*axis>
M apart_along(const Points& q, const Shape& shape) {
  M over[2], under[2];
  for (int end = 0; end < 8; end += 4) {
    V low = q.p[end].*axis, high = low;
    for (int i = 1; i < shape.first; ++i) {
      low = hn::Min(low, q.p[end + i].*axis);
      high = hn::Max(high, q.p[end + i].*axis);
    }
    V other_low = q.p[end + shape.first].*axis, other_high = other_low;
    for (int i = shape.first + 1; i < shape.all; ++i) {
      other_low = hn::Min(other_low, q.p[end + i].*axis);
      other_high = hn::Max(other_high, q.p[end + i].*axis);
    }
    over[end / 4] = hn::Gt(low, other_high);
    under[end / 4] = hn::Lt(high, other_low);
  }
  return hn::Or(hn::And(over[0], over[1]), hn::And(under[0], under[1]));
}

M apart_along_axes(const Points& q, const Shape& shape) {
  return hn::Or(apart_along<&V3::x>(q, shape), hn::Or(apart_along<&V3::y>(q, shape), apart_along<&V3::z>(q, shape)));
}

/// All points beyond the bound along m on one side, at both ends. A direction whose square is lost says nothing.
M beyond(const Differences& d, const V3& m) {
  V low = dot(m, d.at[0][0]), high = low;
  for (int end = 0; end < 2; ++end)
    for (int i = end == 0 ? 1 : 0; i < d.n; ++i) {
      const V s = dot(m, d.at[end][i]);
      low = hn::Min(low, s);
      high = hn::Max(high, s);
    }
  const V square = dot(m, m), scaled = hn::Mul(d.bound, hn::Sqrt(square));
  const M apart = hn::Or(hn::Gt(low, scaled), hn::Lt(high, hn::Neg(scaled)));
  return hn::And(hn::Gt(square, hn::Set(tag, 0x1p-960)), apart);
}

/// No zero from the start until t0; none from t1 until the end.
struct Sides {
  M before, after;
};
Sides one_sign_beside(const Coplanar& c, V t0, V t1) {
  const Bernstein f = bernstein(c);
  const Bernstein back{f.b3, f.b2, f.b1, f.b0};
  return {one_sign(first_part(f, t0), c.error), one_sign(first_part(back, hn::Sub(hn::Set(tag, 1.0), t1)), c.error)};
}

/// About when f is zero, by the secant and two of Newton's steps: only a guess, within [0, 1].
V root_guess(const Coplanar& c) {
  const V zero = hn::Zero(tag), one = hn::Set(tag, 1.0), half = hn::Set(tag, 0.5);
  const Cubic f = cubic(c);
  const auto clamped = [&](V x) {
    x = hn::IfThenElse(hn::Eq(x, x), x, half);  // what minima make of a NaN differs between processors
    return hn::Max(zero, hn::Min(x, one));
  };
  V t = clamped(hn::Div(c.f[0], hn::Sub(c.f[0], c.f[3])));
  for (int i = 0; i < 2; ++i) t = clamped(hn::Sub(t, hn::Div(f.value(t), f.slope(t))));
  return t;
}

/// The features are in one plane for a moment, but beside each other: then, across an edge and within the plane, a
/// direction separates them. It has to do so at both ends; or only from shortly before that moment until the end, where
/// until shortly before it they are in no plane; or the other way round.
M pass_beside(const Differences& d, bool faces) {
  const Coplanar c = coplanar(d);
  const V t = root_guess(c), little = hn::Set(tag, 0x1p-10);
  const V t0 = hn::Max(hn::Zero(tag), hn::Sub(t, little)), t1 = hn::Min(hn::Set(tag, 1.0), hn::Add(t, little));
  const Sides sides = one_sign_beside(c, t0, t1);
  V3 then[2][4];
  for (int i = 0; i < d.n; ++i) {
    then[0][i] = between(d.at[0][i], d.at[1][i], t0);
    then[1][i] = between(d.at[0][i], d.at[1][i], t1);
  }
  const auto edge = [&](int i, int j) { return then[0][j] - then[0][i]; };
  const V3 n = faces ? cross(edge(0, 1), edge(0, 2)) : cross(edge(0, 2), edge(0, 1));
  const auto separates = [&](const V3& m) {
    V low[4], high[4];
    const V3* places[4] = {d.at[0], then[0], then[1], d.at[1]};
    for (int k = 0; k < 4; ++k) {
      low[k] = high[k] = dot(m, places[k][0]);
      for (int i = 1; i < d.n; ++i) {
        const V s = dot(m, places[k][i]);
        low[k] = hn::Min(low[k], s);
        high[k] = hn::Max(high[k], s);
      }
    }
    const V square = dot(m, m), bound = hn::Mul(d.bound, hn::Sqrt(square)), minus = hn::Neg(bound);
    const auto covers = [&](M start, M before, M after, M end) {
      return hn::Or(hn::And(start, end),
                    hn::Or(hn::And(sides.before, hn::And(before, end)), hn::And(sides.after, hn::And(start, after))));
    };
    const M above = covers(hn::Gt(low[0], bound), hn::Gt(low[1], bound), hn::Gt(low[2], bound), hn::Gt(low[3], bound));
    const M below =
        covers(hn::Lt(high[0], minus), hn::Lt(high[1], minus), hn::Lt(high[2], minus), hn::Lt(high[3], minus));
    return hn::And(hn::Gt(square, hn::Set(tag, 0x1p-960)), hn::Or(above, below));
  };
  const M two = faces ? hn::Or(separates(cross(edge(0, 1), n)), separates(cross(edge(1, 2), n)))
                      : separates(cross(edge(0, 1), n));
  return hn::Or(two, separates(cross(edge(0, 2), n)));
}

/// The normal of the face, or of both edges, at half time; of a vertex and an edge or two, the line between them.
V3 normal_at_half(ElementaryKind kind, const Points& q) {
  const auto twice = [&](int i) { return q.p[i] + q.p[4 + i]; };
  if (kind == ElementaryKind::vertex_face) return cross(twice(2) - twice(1), twice(3) - twice(1));
  if (kind == ElementaryKind::edge_edge) return cross(twice(1) - twice(0), twice(3) - twice(2));
  return twice(0) - twice(1);
}

/// From the middle of one feature to that of the other, over both ends.
V3 between_middles(const Differences& d) {
  V3 line = d.at[0][0] + d.at[1][0];
  for (int i = 1; i < d.n; ++i) line = line + (d.at[0][i] + d.at[1][i]);
  return line;
}

/// Asks a stage about the queries that are left, as many at once as there are lanes, and keeps those it does not free.
template <class Stage>
std::size_t run_stage(std::span<const std::array<Vec3, 8>> queries, std::uint16_t* left, std::size_t count,
                      Stage&& stage) {
  constexpr std::size_t lanes = hn::MaxLanes(tag);
  std::size_t kept = 0;
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t some = HWY_MIN(lanes, count - first);
    const Points q = load(queries, left + first, some);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::And(all_finite(q), stage(q)), bits);
    for (std::size_t k = 0; k < some; ++k) {
      left[kept] = left[first + k];
      kept += (bits[0] >> k & 1) == 0;
    }
  }
  return kept;
}

}  // namespace

std::size_t Filter(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, const FilterBounds& bounds,
                   BatchOrder order, std::uint16_t* left, std::size_t count) {
  const Shape shape = shape_of(kind);
  const bool faces = kind == ElementaryKind::vertex_face, planes = faces || kind == ElementaryKind::edge_edge;
  // Cheap stages first, each on what the one before it has left.
  const auto along_axes = [&] {
    if (bounds.min_separation == 0)
      count = run_stage(queries, left, count, [&](const Points& q) { return apart_along_axes(q, shape); });
  };
  if (order == BatchOrder::axes_first) along_axes();
  count = run_stage(queries, left, count, [&](const Points& q) {
    const Differences d = differences(kind, q, bounds);
    M apart = beyond(d, normal_at_half(kind, q));
    if (bounds.min_separation == 0 && planes) apart = hn::Or(apart, never_coplanar(coplanar(d)));
    return hn::And(d.in_range, apart);
  });
  count = run_stage(queries, left, count, [&](const Points& q) {
    const Differences d = differences(kind, q, bounds);
    M apart = beyond(d, between_middles(d));
    if (bounds.min_separation == 0 && planes) apart = hn::Or(apart, pass_beside(d, faces));
    return hn::And(d.in_range, apart);
  });
  if (order == BatchOrder::axes_last) along_axes();
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(Filter);

std::size_t filter_elementary(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                              const FilterBounds& bounds, BatchOrder order, std::uint16_t* left) {
  for (std::size_t i = 0; i < queries.size(); ++i) left[i] = static_cast<std::uint16_t>(i);
  return HWY_DYNAMIC_DISPATCH(Filter)(kind, queries, bounds, order, left, queries.size());
}

}  // namespace graze::query
#endif
