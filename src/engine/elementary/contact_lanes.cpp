// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/elementary/contact_lanes.cpp"
#include "core/instruction_sets_double.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "engine/elementary/contact_lanes.hpp"
#include "engine/elementary/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::elementary {
namespace HWY_NAMESPACE {
namespace {

/// The sizes that `MovingDifference` computes of its query, by the same formulas.
struct Sizes {
  V size, rounding;
};
Sizes sizes_of(const Differences& d) {
  V size2 = hn::Zero(tag), far2 = size2, gone2 = size2;
  for (int i = 0; i < d.n; ++i) {
    const V3 displacement = d.at[1][i] - d.at[0][i];
    far2 = hn::Max(far2, dot(d.at[0][i], d.at[0][i]));
    gone2 = hn::Max(gone2, dot(displacement, displacement));
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

/// The projection of the origin on a face (weights of its corners) or a parallelogram (of u and v). True if it is
/// inside and the face is not a needle.
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

/// The plain contact: it starts off the plane of the features by more than the tolerance, is certified to stay off it
/// until shortly before f's first zero, and there it is within the tolerance, inside both features.
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
  const FirstRoot root = first_root(c, 0x1p-50);
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
}  // namespace graze::engine::elementary
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::elementary {

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

}  // namespace graze::engine::elementary
#endif
