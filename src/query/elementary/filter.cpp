// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/elementary/filter.cpp"
// Only what the tests can run: SSE4 and AVX2 on x86 (DESIGN 5), and the baseline everywhere.
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "query/elementary/filter.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::query {
namespace HWY_NAMESPACE {

namespace {  // other kernels have types of the same names

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 4>;
using V = hn::Vec<D>;

struct V3 {
  V x, y, z;
};
V3 operator-(const V3& a, const V3& b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)}; }
V3 operator+(const V3& a, const V3& b) { return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)}; }
V dot(const V3& a, const V3& b) { return hn::Add(hn::Mul(a.x, b.x), hn::Add(hn::Mul(a.y, b.y), hn::Mul(a.z, b.z))); }
V3 cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

/// Points 0..n-1 of the difference at both ends.
struct Differences {
  V3 at[2][4];
  int n;
};

/// All points beyond the bound along m (any length) on one side, at both ends.
auto beyond(const Differences& d, const V3& m, V bound) {
  const D tag;
  V low = hn::Set(tag, 1e300), high = hn::Set(tag, -1e300);
  for (int end = 0; end < 2; ++end)
    for (int i = 0; i < d.n; ++i) {
      const V s = dot(m, d.at[end][i]);
      low = hn::Min(low, s);
      high = hn::Max(high, s);
    }
  const V scaled = hn::Mul(bound, hn::Sqrt(dot(m, m)));
  return hn::Or(hn::Gt(low, scaled), hn::Lt(high, hn::Neg(scaled)));
}

V length(const V3& a) { return hn::Sqrt(dot(a, a)); }

/// The four points never lie in a plane: the Bernstein coefficients of the cubic f(t) = p . (u x v), p a point of the
/// difference and u, v its edges, are all beyond the error on one side. See Forecast in advancement.cpp.
auto never_coplanar(const Differences& d, bool faces) {
  const D tag;
  const int iu = faces ? 1 : 2, iv = faces ? 2 : 1;
  const V3 &p0 = d.at[0][0], &p1 = d.at[1][0];
  const V3 u0 = d.at[0][iu] - p0, u1 = d.at[1][iu] - p1, v0 = d.at[0][iv] - p0, v1 = d.at[1][iv] - p1;
  const V3 n00 = cross(u0, v0), n11 = cross(u1, v1);
  const V3 n01 = cross(u0, v1) + cross(u1, v0);
  // p, u and v are linear in time, so f's coefficients are means of the determinants of their ends.
  const V third = hn::Set(tag, 1.0 / 3);
  const V f0 = dot(p0, n00), f3 = dot(p1, n11);
  const V f1 = hn::Mul(hn::Add(dot(p1, n00), dot(p0, n01)), third);
  const V f2 = hn::Mul(hn::Add(dot(p0, n11), dot(p1, n01)), third);
  const V low = hn::Min(hn::Min(f0, f1), hn::Min(f2, f3)), high = hn::Max(hn::Max(f0, f1), hn::Max(f2, f3));
  // Differences are rounded twice at most, determinants pass fewer than 10 roundings, the means three more.
  const V size = hn::Mul(hn::Max(length(p0), length(p1)),
                         hn::Mul(hn::Max(length(u0), length(u1)), hn::Max(length(v0), length(v1))));
  const V error = hn::Add(hn::Mul(size, hn::Set(tag, 64 * 0x1p-53)), hn::Set(tag, 1e-300));
  return hn::Or(hn::Gt(low, error), hn::Lt(high, hn::Neg(error)));
}

template <class Load>
unsigned filter_lanes(ElementaryKind kind, Load load, double tolerance, double relative, double min_separation) {
  const D tag;
  V3 p[8];
  for (int i = 0; i < 8; ++i) p[i] = load(i);
  Differences d;
  d.n = 0;
  const auto add = [&](int i, int j) {
    d.at[0][d.n] = p[i] - p[j];
    d.at[1][d.n] = p[4 + i] - p[4 + j];
    ++d.n;
  };
  const bool faces = kind == ElementaryKind::vertex_face, edges = kind == ElementaryKind::edge_edge;
  if (edges) {
    add(0, 2);
    add(0, 3);
    add(1, 2);
    add(1, 3);
  } else {
    add(0, 1);
    if (kind != ElementaryKind::vertex_vertex) add(0, 2);
    if (faces) add(0, 3);
  }
  // As MovingDifference: the longest way or edge, and the largest distance, each bounded from above.
  V size2 = hn::Zero(tag), largest2 = hn::Zero(tag);
  for (int i = 0; i < d.n; ++i) {
    const V3 way = d.at[1][i] - d.at[0][i];
    size2 = hn::Max(size2, dot(way, way));
    largest2 = hn::Max(largest2, hn::Max(dot(d.at[0][i], d.at[0][i]), dot(d.at[1][i], d.at[1][i])));
    for (int j = 0; j < i; ++j) {
      const V3 edge = d.at[0][i] - d.at[0][j];
      size2 = hn::Max(size2, dot(edge, edge));
    }
  }
  // |at| + |way| <= 3 times the larger end; 16 roundings of it is what advancement may raise the tolerance to.
  const V rounding = hn::Add(hn::Mul(hn::Set(tag, 17 * 3 * 32 * 0x1p-53), hn::Sqrt(largest2)), hn::Set(tag, 1e-300));
  const V wanted = tolerance > 0 ? hn::Set(tag, tolerance) : hn::Mul(hn::Set(tag, relative), hn::Sqrt(size2));
  const V bound = hn::Add(hn::Mul(hn::Add(wanted, hn::Set(tag, min_separation)), hn::Set(tag, 1.0000001)), rounding);
  // Middles at half time, twice over: only directions.
  const auto twice = [&](int i) { return p[i] + p[4 + i]; };
  V3 n;
  if (faces) {
    n = cross(twice(2) - twice(1), twice(3) - twice(1));
  } else if (edges) {
    n = cross(twice(1) - twice(0), twice(3) - twice(2));
  } else {
    n = twice(0) - twice(1);
  }
  auto apart = beyond(d, n, bound);
  if (min_separation == 0 && (faces || edges)) apart = hn::Or(apart, never_coplanar(d, faces));
  if (!hn::AllTrue(tag, apart)) {
    V3 line = d.at[0][0] + d.at[1][0];
    for (int i = 1; i < d.n; ++i) line = line + (d.at[0][i] + d.at[1][i]);
    apart = hn::Or(apart, beyond(d, line, bound));
  }
  if (!hn::AllTrue(tag, apart)) {
    for (int axis = 0; axis < 3; ++axis) {
      const V zero = hn::Zero(tag), one = hn::Set(tag, 1.0);
      const V3 m{axis == 0 ? one : zero, axis == 1 ? one : zero, axis == 2 ? one : zero};
      apart = hn::Or(apart, beyond(d, m, bound));
    }
  }
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(tag, apart, bits);
  return bits[0];
}

}  // namespace

void Filter(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries, double tolerance, double relative,
            double min_separation, std::span<bool> free) {
  const D tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t first = 0; first < queries.size(); first += lanes) {
    const std::size_t count = std::min(lanes, queries.size() - first);
    const auto load = [&](int i) {
      alignas(32) double c[3][4];
      for (std::size_t k = 0; k < lanes; ++k) {
        const Vec3& x = queries[first + std::min(k, count - 1)][static_cast<std::size_t>(i)];
        c[0][k] = x.x;
        c[1][k] = x.y;
        c[2][k] = x.z;
      }
      return V3{hn::Load(tag, c[0]), hn::Load(tag, c[1]), hn::Load(tag, c[2])};
    };
    const unsigned apart = filter_lanes(kind, load, tolerance, relative, min_separation);
    for (std::size_t k = 0; k < count; ++k) free[first + k] = apart >> k & 1;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::query {

HWY_EXPORT(Filter);

void filter_elementary(ElementaryKind kind, std::span<const std::array<Vec3, 8>> queries,
                       std::optional<double> tolerance, double relative, double min_separation, std::span<bool> free) {
  HWY_DYNAMIC_DISPATCH(Filter)(kind, queries, tolerance.value_or(0), relative, min_separation, free);
}

}  // namespace graze::query
#endif
