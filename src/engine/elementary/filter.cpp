// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/elementary/filter.cpp"
#include "core/instruction_sets_double.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/elementary/filter.hpp"
#include "engine/elementary/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::elementary {
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

/// Along a coordinate axis one feature is beyond the other at both ends of the step, and so in between. Uses only
/// comparisons: nothing is rounded, and the features may be arbitrarily near.
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

/// All points are beyond the bound along m on one side, at both ends. A direction whose square underflows proves
/// nothing.
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

/// How long a direction, or several, prove the features apart: until the share `a` of the step, and after 1 - `b`.
///
/// Along a fixed direction the distance is the least of linear functions of time, so it is concave: what it is at least
/// at both ends (`low` less the bound of `beyond`, which may be negative) bounds it in between, by the line from one to
/// the other. That line is positive until first / (first - last). The shares are made smaller by 2^-40 of themselves,
/// more than the four roundings of this quotient.
struct Proved {
  V a, b;
  M free;

  void add(const Differences& d, const V3& m) {
    V low[2], high[2];
    for (int end = 0; end < 2; ++end) {
      low[end] = high[end] = dot(m, d.at[end][0]);
      for (int i = 1; i < d.n; ++i) {
        const V s = dot(m, d.at[end][i]);
        low[end] = hn::Min(low[end], s);
        high[end] = hn::Max(high[end], s);
      }
    }
    const V zero = hn::Zero(tag), square = dot(m, m), bound = hn::Mul(d.bound, hn::Sqrt(square));
    const M known = hn::Gt(square, hn::Set(tag, 0x1p-960));
    const M above = hn::Gt(hn::Add(low[0], low[1]), hn::Neg(hn::Add(high[0], high[1])));
    const auto beyond_bound = [&](int end) {
      return hn::Sub(hn::IfThenElse(above, low[end], hn::Neg(high[end])), bound);
    };
    const V first = beyond_bound(0), last = beyond_bound(1);
    const M at_start = hn::And(known, hn::Gt(first, zero)), at_end = hn::And(known, hn::Gt(last, zero));
    free = hn::Or(free, hn::And(at_start, at_end));
    const V whole = hn::Div(hn::Set(tag, 1 - 0x1p-40), hn::Sub(hn::Max(first, last), hn::Min(first, last)));
    a = hn::Max(a, hn::IfThenElseZero(hn::AndNot(at_end, at_start), hn::Mul(first, whole)));
    b = hn::Max(b, hn::IfThenElseZero(hn::AndNot(at_start, at_end), hn::Mul(last, whole)));
  }
  M all() const { return hn::Or(free, hn::Gt(hn::Add(a, b), hn::Set(tag, 1 + 0x1p-40))); }
};

/// Of a face, or of both edges, at one end of the step.
V3 normal_of(ElementaryKind kind, const V3* p) {
  return kind == ElementaryKind::vertex_face ? cross(p[2] - p[1], p[3] - p[1]) : cross(p[1] - p[0], p[3] - p[2]);
}

/// A short interval around a time: the points of the difference before and after it.
struct Moment {
  V t0, t1;
  V3 then[2][4];
};
Moment around(const Differences& d, V t) {
  const V little = hn::Set(tag, 0x1p-10);
  Moment w{hn::Max(hn::Zero(tag), hn::Sub(t, little)), hn::Min(hn::Set(tag, 1.0), hn::Add(t, little)), {}};
  for (int i = 0; i < d.n; ++i) {
    w.then[0][i] = between(d.at[0][i], d.at[1][i], w.t0);
    w.then[1][i] = between(d.at[0][i], d.at[1][i], w.t1);
  }
  return w;
}

/// Free from the start until after a moment; free from before it until the end.
struct Parts {
  M until, from;
};

/// The features are coplanar for a moment, but beside each other: then a direction perpendicular to an edge and within
/// the plane separates them. It must separate from before that moment until after it, and during the rest of the time
/// too, unless the features are certified not to be coplanar then.
Parts pass_beside(const Differences& d, bool faces, const Coplanar& c, const Moment& w) {
  const Bernstein f = bernstein(c);
  // (1 - t1 may be rounded: take a slightly longer interval.)
  const V rest = hn::Min(hn::Set(tag, 1.0), hn::Add(hn::Sub(hn::Set(tag, 1.0), w.t1), hn::Set(tag, 0x1p-40)));
  const M no_plane_before = one_sign(first_part(f, w.t0), c.error),
          no_plane_after = one_sign(first_part(reversed(f), rest), c.error);
  const auto edge = [&](int i, int j) { return w.then[0][j] - w.then[0][i]; };
  const V3 n = faces ? cross(edge(0, 1), edge(0, 2)) : cross(edge(0, 2), edge(0, 1));
  const V zero = hn::Zero(tag);
  Parts parts{hn::Lt(zero, zero), hn::Lt(zero, zero)};
  const auto along = [&](const V3& m) {
    V low[4], high[4];
    const V3* places[4] = {d.at[0], w.then[0], w.then[1], d.at[1]};
    for (int k = 0; k < 4; ++k) {
      low[k] = high[k] = dot(m, places[k][0]);
      for (int i = 1; i < d.n; ++i) {
        const V s = dot(m, places[k][i]);
        low[k] = hn::Min(low[k], s);
        high[k] = hn::Max(high[k], s);
      }
    }
    const V square = dot(m, m), bound = hn::Mul(d.bound, hn::Sqrt(square)), minus = hn::Neg(bound);
    const M known = hn::Gt(square, hn::Set(tag, 0x1p-960));
    const auto add = [&](M start, M before, M after, M end) {
      const M now = hn::And(known, hn::And(before, after));
      parts.until = hn::Or(parts.until, hn::And(now, hn::Or(start, no_plane_before)));
      parts.from = hn::Or(parts.from, hn::And(now, hn::Or(end, no_plane_after)));
    };
    add(hn::Gt(low[0], bound), hn::Gt(low[1], bound), hn::Gt(low[2], bound), hn::Gt(low[3], bound));
    add(hn::Lt(high[0], minus), hn::Lt(high[1], minus), hn::Lt(high[2], minus), hn::Lt(high[3], minus));
  };
  along(cross(edge(0, 1), n));
  along(cross(edge(0, 2), n));
  if (faces) along(cross(edge(1, 2), n));
  return parts;
}

/// A root as a time; NaN or a missing root becomes an arbitrary time.
V as_time(const FirstRoot& r) {
  const V zero = hn::Zero(tag), one = hn::Set(tag, 1.0);
  const M good = hn::And(hn::Ge(r.t, zero), hn::Le(r.t, one));
  return hn::IfThenElse(good, r.t, hn::IfThenElse(r.exists, hn::Set(tag, 0.5), zero));
}

constexpr double near_enough = 0x1p-12;  ///< a quarter of the half width of `around`'s interval

/// Coplanar at one moment, or never.
M pass_beside_once(const Differences& d, bool faces, const Coplanar& c) {
  const Parts parts = pass_beside(d, faces, c, around(d, as_time(first_root(c, near_enough))));
  return hn::Or(clear_until(c, hn::Set(tag, 1.0)), hn::And(parts.until, parts.from));
}

/// Coplanar twice: beside each other at the first and at the last moment, and not coplanar in between.
M pass_beside_twice(const Differences& d, bool faces) {
  const Coplanar c = coplanar(d);
  const Coplanar back{{c.f[3], c.f[2], c.f[1], c.f[0]}, c.error};
  const V one = hn::Set(tag, 1.0);
  const Moment first = around(d, as_time(first_root(c, near_enough))),
               last = around(d, hn::Sub(one, as_time(first_root(back, near_enough))));
  // From t1 of the first until t0 of the last; from slightly earlier, as the division is rounded.
  const V share =
      hn::Add(hn::Div(hn::Sub(last.t0, first.t1), hn::Max(last.t0, hn::Set(tag, 0x1p-10))), hn::Set(tag, 0x1p-40));
  const Bernstein middle = first_part(reversed(first_part(bernstein(c), last.t0)), hn::Min(one, share));
  const M between_them = hn::Or(hn::Le(last.t0, first.t1), one_sign(middle, c.error));
  return hn::And(between_them, hn::And(pass_beside(d, faces, c, first).until, pass_beside(d, faces, c, last).from));
}

/// The normal of the face, or of both edges, at half time; for a vertex and an edge, or two vertices, the line between
/// them.
V3 normal_at_half(ElementaryKind kind, const Points& q) {
  const auto twice = [&](int i) { return q.p[i] + q.p[4 + i]; };
  if (kind == ElementaryKind::vertex_face) return cross(twice(2) - twice(1), twice(3) - twice(1));
  if (kind == ElementaryKind::edge_edge) return cross(twice(1) - twice(0), twice(3) - twice(2));
  return twice(0) - twice(1);
}

/// From the centre of one feature to that of the other, over both ends.
V3 between_middles(const Differences& d) {
  V3 line = d.at[0][0] + d.at[1][0];
  for (int i = 1; i < d.n; ++i) line = line + (d.at[0][i] + d.at[1][i]);
  return line;
}

/// Indices of queries.
struct Numbers {
  std::uint16_t* list;
  std::size_t count;
};
/// The verdict of a stage: the queries that are free, and those that no later stage can prove free.
struct Sorted {
  M free, last;
};

/// Runs a stage on the remaining queries, as many at once as there are lanes, and keeps those it does not prove free.
template <class Stage>
void run_stage(std::span<const std::array<Vec3, 8>> queries, Numbers& left, Stage&& stage) {
  constexpr std::size_t lanes = hn::MaxLanes(tag);
  std::size_t kept = 0;
  for (std::size_t first = 0; first < left.count; first += lanes) {
    const std::size_t some = HWY_MIN(lanes, left.count - first);
    const Points q = load(queries, left.list + first, some);
    std::uint8_t free[8] = {};
    hn::StoreMaskBits(tag, hn::And(all_finite(q), stage(q)), free);
    for (std::size_t k = 0; k < some; ++k) {
      left.list[kept] = left.list[first + k];
      kept += (free[0] >> k & 1) == 0;
    }
  }
  left.count = kept;
}

/// The same; those that no later stage can prove free go to `last`.
template <class Stage>
void run_sorting_stage(std::span<const std::array<Vec3, 8>> queries, Numbers& left, Numbers& last, Stage&& stage) {
  constexpr std::size_t lanes = hn::MaxLanes(tag);
  std::size_t kept = 0;
  for (std::size_t first = 0; first < left.count; first += lanes) {
    const std::size_t some = HWY_MIN(lanes, left.count - first);
    const Points q = load(queries, left.list + first, some);
    const Sorted sorted = stage(q);
    std::uint8_t free[8] = {}, done[8] = {};
    hn::StoreMaskBits(tag, hn::And(all_finite(q), sorted.free), free);
    hn::StoreMaskBits(tag, sorted.last, done);
    for (std::size_t k = 0; k < some; ++k) {
      const std::uint16_t number = left.list[first + k];
      const bool stays = (free[0] >> k & 1) == 0, here = (done[0] >> k & 1) == 0;
      left.list[kept] = last.list[last.count] = number;  // written to both lists; at most one of them advances
      kept += stays && here;
      last.count += stays && !here;
    }
  }
  left.count = kept;
}

}  // namespace

void Filter(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, const FilterBounds& bounds,
            BatchOrder order, FilterLeft& out) {
  Numbers left{out.numbers.data(), queries.size()}, flat{out.flat.data(), 0};
  const Shape shape = shape_of(kind);
  const bool faces = kind == ElementaryKind::vertex_face, planes = faces || kind == ElementaryKind::edge_edge;
  const V zero = hn::Zero(tag);
  // Cheap stages first, each on the queries that the previous one kept.
  const auto along_axes = [&] {
    if (bounds.min_separation == 0)
      run_stage(queries, left, [&](const Points& q) { return apart_along_axes(q, shape); });
  };
  if (order == BatchOrder::axes_first) along_axes();
  run_stage(queries, left, [&](const Points& q) {
    const Differences d = differences(kind, q, bounds);
    M apart = beyond(d, normal_at_half(kind, q));
    if (bounds.min_separation == 0 && planes) apart = hn::Or(apart, never_coplanar(coplanar(d)));
    return hn::And(d.in_range, apart);
  });
  // With a given tolerance, what comes near without touching is a contact or not by the other stages.
  if (bounds.tolerance == 0 && planes)
    run_stage(queries, left, [&](const Points& q) {
      const Differences d = differences(kind, q, bounds);
      Proved proved{zero, zero, hn::Lt(zero, zero)};
      proved.add(d, normal_at_half(kind, q));
      proved.add(d, between_middles(d));
      proved.add(d, normal_of(kind, q.p));
      proved.add(d, normal_of(kind, q.p + 4));
      return hn::And(d.in_range, proved.all());
    });
  // Features certified to be coplanar at all times have no first and last moment of coplanarity: only the axes remain
  // to be tried.
  run_sorting_stage(queries, left, flat, [&](const Points& q) {
    const Differences d = differences(kind, q, bounds);
    M apart = beyond(d, between_middles(d)), always = hn::Lt(zero, zero);
    if (bounds.min_separation == 0 && planes) {
      const Coplanar c = coplanar(d);
      apart = hn::Or(apart, pass_beside_once(d, faces, c));
      const V most = hn::Max(hn::Max(hn::Abs(c.f[0]), hn::Abs(c.f[1])), hn::Max(hn::Abs(c.f[2]), hn::Abs(c.f[3])));
      if (order == BatchOrder::axes_first) always = hn::And(d.in_range, hn::Eq(most, zero));
    }
    return Sorted{hn::And(d.in_range, apart), always};
  });
  if (bounds.min_separation == 0 && planes)
    run_stage(queries, left, [&](const Points& q) {
      const Differences d = differences(kind, q, bounds);
      return hn::And(d.in_range, pass_beside_twice(d, faces));
    });
  if (order == BatchOrder::axes_last) along_axes();
  out.count = left.count;
  out.flat_count = flat.count;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::elementary
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::elementary {

HWY_EXPORT(Filter);

void filter_elementary(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, const FilterBounds& bounds,
                       BatchOrder order, FilterLeft& left) {
  for (std::size_t i = 0; i < queries.size(); ++i) left.numbers[i] = static_cast<std::uint16_t>(i);
  HWY_DYNAMIC_DISPATCH(Filter)(kind, queries, bounds, order, left);
}

}  // namespace graze::engine::elementary
#endif
