// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/deform/near/closest_lanes.cpp"
#include "core/instruction_sets_double.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/deform/near/closest_lanes.hpp"
#include "simd/doubles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::deform {
namespace HWY_NAMESPACE {
namespace {  // other kernels have functions of the same names

using namespace simd::doubles::HWY_NAMESPACE;
constexpr D tag;

// `closest_parts` in lanes. The signs of all products are compared with error bounds that follow from M, the largest
// coordinate of the differences of points, with eps = 2^-53:
//   products of two differences    off by 5.01 eps of the sum of three terms, each at most M^2: below 2^-49 M^2
//   products of two cross products off by 11.1 eps of three terms, each at most 4 M^4, and the difference of two such
//                                  numbers by twice that and one rounding: below 2^-43 M^4
// A distance from a point is off by 6 eps, from an edge by 6 eps |x| + 8 eps of itself, where |x| <= sqrt 3 M: below
// 2^-47 M. A height over a normal n by |x| (12 |u| |v| / |n| + 10) eps, where |u| |v| <= 3 M^2: below 2^-47 M (1 + 3
// M^2 / |n|). An edge that a point is certainly over is longer than 2^-51 M, and a normal of which a certain weight is
// known than 2^-22 M^2, so no division is by a number that has lost its digits. M is required to be between 2^-120 and
// 2^120: then nothing overflows, and what underflows, at most 2^-1022, is far below the bounds. NaN fails every
// comparison, and so is uncertain.
constexpr double of_products = 0x1p-49, of_crosses = 0x1p-43, of_distances = 0x1p-47;

inline V3 load(const PairBatch& b, std::size_t point, std::size_t i) {
  return {hn::Load(tag, b.at[3 * point] + i), hn::Load(tag, b.at[3 * point + 1] + i),
          hn::Load(tag, b.at[3 * point + 2] + i)};
}
inline V largest(const V3& a) { return hn::Max(hn::Abs(a.x), hn::Max(hn::Abs(a.y), hn::Abs(a.z))); }
inline V set(double x) { return hn::Set(tag, x); }

struct Bounds {
  V most, product, crossed;
  M in_range;
};
inline Bounds bounds_of(V most) {
  const V square = hn::Mul(most, most);
  return {most, hn::Mul(set(of_products), square), hn::Mul(set(of_crosses), hn::Mul(square, square)),
          hn::And(hn::Ge(most, set(0x1p-120)), hn::Le(most, set(0x1p120)))};
}

/// Which parts are the closest, as far as is known, and their squared distance.
struct Found {
  V mask, squared;

  void offer(M here, unsigned parts, V square) {
    mask = hn::IfThenElse(here, set(parts), mask);
    squared = hn::IfThenElse(here, square, squared);
  }
};

inline V point_square(const V3& x) { return dot(x, x); }
inline V edge_square(const V3& edge, V whole, const V3& x) {
  const V3 c = cross(edge, x);
  return hn::Div(dot(c, c), whole);
}

/// r points from the second feature to the first: are they certainly apart by more than d, as all products of it with
/// their differences show? Each product is off by less than 2^-49 M |r|_1.
inline M apart_along(const V3& r, const V* products, int n, const Bounds& b, double d) {
  V least = products[0];
  for (int k = 1; k < n; ++k) least = hn::Min(least, products[k]);
  const V taxi = hn::Add(hn::Abs(r.x), hn::Add(hn::Abs(r.y), hn::Abs(r.z)));
  const V needed = hn::Add(hn::Mul(hn::Sqrt(dot(r, r)), set(d * (1 + 0x1p-48))),
                           hn::Add(hn::Mul(set(0x1p-48), hn::Mul(b.most, taxi)), set(0x1p-1000)));
  // The squares of a shorter direction underflow, and it would seem to have no length.
  const M long_enough = hn::Gt(taxi, set(0x1p-400));
  return hn::And(hn::And(b.in_range, long_enough), hn::Gt(least, needed));
}

inline V clamped(V x) { return hn::Min(hn::Max(x, hn::Zero(tag)), set(1)); }

inline void write(const Found& f, M known, M apart, V error, double d, std::uint8_t* answers) {
  const V distance = hn::Sqrt(f.squared);
  const M within = hn::And(known, hn::Lt(hn::Add(distance, error), set(d)));
  const M beyond = hn::Or(apart, hn::And(known, hn::Gt(hn::Sub(distance, error), set(d))));
  V code = hn::IfThenElse(within, f.mask, set(uncertain));
  code = hn::IfThenElse(beyond, hn::Zero(tag), code);
  alignas(32) double lane[4];
  hn::Store(code, tag, lane);
  for (std::size_t k = 0; k < hn::Lanes(tag); ++k) answers[k] = static_cast<std::uint8_t>(lane[k]);
}

/// Along the line between nearly the closest points.
void reject_edges(const PairBatch& batch, std::size_t at, double d, std::uint8_t* answers) {
  const V3 a0 = load(batch, 0, at), a1 = load(batch, 1, at), b0 = load(batch, 2, at), b1 = load(batch, 3, at);
  const V3 u = a1 - a0, v = b1 - b0;
  const V3 x[4] = {a0 - b0, a0 - b1, a1 - b0, a1 - b1};
  const Bounds b = bounds_of(
      hn::Max(hn::Max(largest(x[0]), largest(x[1])), hn::Max(largest(x[2]), hn::Max(largest(x[3]), largest(u)))));
  const V uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), by_u = dot(u, x[0]), by_v = dot(v, x[0]);
  const V nn = hn::Sub(hn::Mul(uu, vv), hn::Mul(uv, uv));
  const V first = clamped(hn::Div(hn::Sub(hn::Mul(uv, by_v), hn::Mul(vv, by_u)), nn));
  const V second = clamped(hn::Div(hn::Add(by_v, hn::Mul(first, uv)), vv));
  const V again = clamped(hn::Div(hn::Sub(hn::Mul(second, uv), by_u), uu));
  const V3 r = x[0] + scaled(u, again) - scaled(v, second);
  const V products[4] = {dot(r, x[0]), dot(r, x[1]), dot(r, x[2]), dot(r, x[3])};
  const V code = hn::IfThenElse(apart_along(r, products, 4, b, d), hn::Zero(tag), set(1));
  alignas(32) double lane[4];
  hn::Store(code, tag, lane);
  for (std::size_t k = 0; k < hn::Lanes(tag); ++k) answers[k] = lane[k] > 0;
}

void edges(const PairBatch& batch, std::size_t at, double d, std::uint8_t* answers) {
  const V3 a0 = load(batch, 0, at), a1 = load(batch, 1, at), b0 = load(batch, 2, at), b1 = load(batch, 3, at);
  const V3 u = a1 - a0, v = b1 - b0;
  const V3 x[2][2] = {{a0 - b0, a0 - b1}, {a1 - b0, a1 - b1}};
  const Bounds b =
      bounds_of(hn::Max(hn::Max(largest(u), largest(v)), hn::Max(hn::Max(largest(x[0][0]), largest(x[0][1])),
                                                                 hn::Max(largest(x[1][0]), largest(x[1][1])))));
  V by_u[2][2], by_v[2][2];
  M known = b.in_range;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      by_u[i][j] = dot(u, x[i][j]);
      by_v[i][j] = dot(v, x[i][j]);
      known = hn::And(known, hn::And(hn::Gt(hn::Abs(by_u[i][j]), b.product), hn::Gt(hn::Abs(by_v[i][j]), b.product)));
    }
  const V zero = hn::Zero(tag), uu = dot(u, u), vv = dot(v, v);
  const V3 n = cross(u, v);
  // The share of u at which the lines are closest is s / nn, that of v is t / nn.
  const V nn = dot(n, n), s = dot(cross(v, x[0][0]), n), t = dot(cross(u, x[0][0]), n);
  const V to_s = hn::Sub(nn, s), to_t = hn::Sub(nn, t);
  const auto certain = [&](V value) { return hn::Gt(hn::Abs(value), b.crossed); };
  const V height = dot(n, x[0][0]);
  Found f{set(15), hn::Div(hn::Mul(height, height), nn)};
  const M weights = hn::And(hn::And(certain(s), certain(to_s)), hn::And(certain(t), certain(to_t)));
  M decided = weights;  // by signs that are certain; corners need none of the weights
  // With certain signs there is one closest pair of parts, in whatever order they are looked at.
  const M over_b[2] = {hn::And(hn::And(hn::Gt(by_v[0][0], zero), hn::Lt(by_v[0][1], zero)), hn::Lt(s, zero)),
                       hn::And(hn::And(hn::Gt(by_v[1][0], zero), hn::Lt(by_v[1][1], zero)), hn::Lt(to_s, zero))};
  const M over_a[2] = {hn::And(hn::And(hn::Lt(by_u[0][0], zero), hn::Gt(by_u[1][0], zero)), hn::Lt(t, zero)),
                       hn::And(hn::And(hn::Lt(by_u[0][1], zero), hn::Gt(by_u[1][1], zero)), hn::Lt(to_t, zero))};
  const V slopes_b[2] = {s, to_s}, slopes_a[2] = {t, to_t};
  for (int i = 0; i < 2; ++i) {
    const M at_b = hn::And(over_b[i], certain(slopes_b[i])), at_a = hn::And(over_a[i], certain(slopes_a[i]));
    f.offer(at_b, 12u | 1u << i, edge_square(v, vv, x[i][0]));
    f.offer(at_a, 3u | 4u << i, edge_square(u, uu, x[0][i]));
    decided = hn::Or(decided, hn::Or(at_a, at_b));
  }
  M inside = hn::Eq(f.mask, set(15));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const M here = hn::And(i == 0 ? hn::Gt(by_u[i][j], zero) : hn::Lt(by_u[i][j], zero),
                             j == 0 ? hn::Lt(by_v[i][j], zero) : hn::Gt(by_v[i][j], zero));
      f.offer(here, 1u << i | 4u << j, point_square(x[i][j]));
      decided = hn::Or(decided, here);
      inside = hn::AndNot(here, inside);
    }
  known = hn::And(known, decided);
  V error = hn::Mul(set(of_distances), b.most);
  if (!hn::AllFalse(tag, inside)) {
    const V more = hn::Div(hn::Mul(set(3), hn::Mul(b.most, b.most)), hn::Sqrt(nn));
    error = hn::IfThenElse(inside, hn::Mul(error, hn::Add(set(1), more)), error);
  }
  M apart = hn::Lt(set(1), set(0));
  if (!hn::AllTrue(tag, known)) {
    // Nearly the closest points.
    const V first = clamped(hn::Div(s, nn));
    const V second = clamped(hn::Div(hn::Add(by_v[0][0], hn::Mul(first, dot(u, v))), vv));
    const V again = clamped(hn::Div(hn::Sub(hn::Mul(second, dot(u, v)), by_u[0][0]), uu));
    const V3 r = x[0][0] + scaled(u, again) - scaled(v, second);
    const V products[4] = {dot(r, x[0][0]), dot(r, x[0][1]), dot(r, x[1][0]), dot(r, x[1][1])};
    apart = apart_along(r, products, 4, b, d);
  }
  write(f, known, apart, error, d, answers);
}

void vertex_faces(const PairBatch& batch, std::size_t at, double d, std::uint8_t* answers) {
  const V3 p = load(batch, 0, at), t0 = load(batch, 1, at), t1 = load(batch, 2, at), t2 = load(batch, 3, at);
  const V3 w[3] = {p - t0, p - t1, p - t2};
  const V3 u = t1 - t0, v = t2 - t0, e = t2 - t1;
  const Bounds b = bounds_of(hn::Max(hn::Max(largest(u), hn::Max(largest(v), largest(e))),
                                     hn::Max(largest(w[0]), hn::Max(largest(w[1]), largest(w[2])))));
  const V zero = hn::Zero(tag);
  // along[i][j]: (p - t_i) . (t_j - t_i)
  const V along01 = dot(w[0], u), along02 = dot(w[0], v), along10 = hn::Neg(dot(w[1], u)), along12 = dot(w[1], e),
          along20 = hn::Neg(dot(w[2], v)), along21 = hn::Neg(dot(w[2], e));
  M known = b.in_range;
  for (const V& x : {along01, along02, along10, along12, along20, along21})
    known = hn::And(known, hn::Gt(hn::Abs(x), b.product));
  const V3 n = cross(u, v);
  const V nn = dot(n, n), of1 = dot(cross(w[0], v), n), of2 = dot(cross(u, w[0]), n);
  const V of0 = hn::Sub(hn::Sub(nn, of1), of2);
  const auto certain = [&](V value) { return hn::Gt(hn::Abs(value), hn::Mul(set(2), b.crossed)); };
  const V height = dot(n, w[0]);
  Found f{set(15), hn::Div(hn::Mul(height, height), nn)};
  M decided = hn::And(certain(of0), hn::And(certain(of1), certain(of2)));
  const auto edge = [&](V from, V to, V third, unsigned parts, const V3& direction, const V3& x) {
    const M here = hn::And(hn::And(hn::Gt(from, zero), hn::Gt(to, zero)), hn::And(hn::Lt(third, zero), certain(third)));
    f.offer(here, parts, edge_square(direction, dot(direction, direction), x));
    decided = hn::Or(decided, here);
  };
  edge(along01, along10, of2, 1 | 2 | 4, u, w[0]);
  edge(along02, along20, of1, 1 | 2 | 8, v, w[0]);
  edge(along12, along21, of0, 1 | 4 | 8, e, w[1]);
  M inside = hn::Eq(f.mask, set(15));
  const auto corner = [&](V one, V other, unsigned parts, const V3& x) {
    const M here = hn::And(hn::Lt(one, zero), hn::Lt(other, zero));
    f.offer(here, parts, point_square(x));
    decided = hn::Or(decided, here);
    inside = hn::AndNot(here, inside);
  };
  corner(along01, along02, 1 | 2, w[0]);
  corner(along10, along12, 1 | 4, w[1]);
  corner(along20, along21, 1 | 8, w[2]);
  known = hn::And(known, decided);
  V error = hn::Mul(set(of_distances), b.most);
  if (!hn::AllFalse(tag, inside)) {
    const V more = hn::Div(hn::Mul(set(3), hn::Mul(b.most, b.most)), hn::Sqrt(nn));
    error = hn::IfThenElse(inside, hn::Mul(error, hn::Add(set(1), more)), error);
  }
  M apart = hn::Lt(set(1), set(0));
  if (!hn::AllTrue(tag, known)) {
    // Along the normal, and away from the nearly closest point of each edge.
    const V3 up{hn::CopySign(n.x, hn::Xor(n.x, height)), hn::CopySign(n.y, hn::Xor(n.y, height)),
                hn::CopySign(n.z, hn::Xor(n.z, height))};
    const auto along = [&](const V3& r) {
      const V products[3] = {dot(r, w[0]), dot(r, w[1]), dot(r, w[2])};
      apart = hn::Or(apart, apart_along(r, products, 3, b, d));
    };
    along(up);
    along(w[0] - scaled(u, clamped(hn::Div(along01, dot(u, u)))));
    along(w[0] - scaled(v, clamped(hn::Div(along02, dot(v, v)))));
    along(w[1] - scaled(e, clamped(hn::Div(along12, dot(e, e)))));
  }
  write(f, known, apart, error, d, answers);
}

}  // namespace

void RejectInLanes(const PairBatch& batch, double d, std::uint8_t* answers) {
  for (std::size_t i = 0; i < batch.count; i += hn::Lanes(tag)) reject_edges(batch, i, d, answers + i);
}

void ClassifyInLanes(ElementaryKind kind, const PairBatch& batch, double d, std::uint8_t* answers) {
  for (std::size_t i = 0; i < batch.count; i += hn::Lanes(tag)) {
    if (kind == ElementaryKind::edge_edge)
      edges(batch, i, d, answers + i);
    else
      vertex_faces(batch, i, d, answers + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::deform
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::engine::deform {

HWY_EXPORT(RejectInLanes);
HWY_EXPORT(ClassifyInLanes);

void reject_in_lanes(const PairBatch& batch, double d, std::uint8_t* answers) {
  HWY_DYNAMIC_DISPATCH(RejectInLanes)(batch, d, answers);
}

void classify_in_lanes(ElementaryKind kind, const PairBatch& batch, double d, std::uint8_t* answers) {
  HWY_DYNAMIC_DISPATCH(ClassifyInLanes)(kind, batch, d, answers);
}

}  // namespace graze::engine::deform
#endif
