// SPDX-License-Identifier: MIT
// Per-target include guard, as Highway's own -inl headers have it.
#if defined(GRAZE_QUERY_DISTANCE_TRIANGLE_GAPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GRAZE_QUERY_DISTANCE_TRIANGLE_GAPS_INL
#undef GRAZE_QUERY_DISTANCE_TRIANGLE_GAPS_INL
#else
#define GRAZE_QUERY_DISTANCE_TRIANGLE_GAPS_INL
#endif

#include <algorithm>
#include <cmath>

#include "engine/distance/lanes-inl.hpp"
#include "engine/distance/tree_distance.hpp"

HWY_BEFORE_NAMESPACE();
namespace graze::engine::distance {
namespace HWY_NAMESPACE {
namespace gaps {

/// Up to eight triangles relative to the origin of A's node, so that single-precision errors are relative to the nodes
/// and their distance, not to the bodies.
struct alignas(64) Corners {
  float p[9][8];
  float low[3][8], high[3][8];  ///< ranges along the axes of a DirectedFrame
};

/// Two bottom nodes, and the error bound by which a computed gap between their triangles along any direction may be too
/// wide.
///
/// Error, with u = 2^-24: let w be the largest coordinate of a corner relative to its node's origin (of B, times rho)
/// or of the offset. A corner of A has an error of u w; one of B u w for its own rounding, u w for the offset's, and,
/// through a matrix whose rows have a 1-norm below 1.74 and entries with an error of u, less than 2 * 1.74 u w + 4 *
/// 2.74 u w for the products and sums: below 18 u w. Along a unit direction these are at most 1.74 times as much: 34 u
/// w. The three roundings of a product with it are 3 * 1.74 u times coordinates of at most w and 2.74 w: 20 u w; and
/// the difference of two products is rounded: 7 u w. The frame's error in double is added to this. A node's box bounds
/// corners that were rounded in the body's frame; the corners themselves may lie outside by u of the body.
///
/// Range: see TreeFrame. Corners are below 2^62, their squares below 2^126. Normals of B reach 2^84: the square of one
/// overflows in `nearest`, which then returns NaN, and so does its direction; it is only a guess in any case.
struct LeafFrame {
  LeafFrame(const body::TreeFrame& f, const bvh::WideNode& a, const bvh::WideNode& b) {
    double away[3];
    f.offset(a, b, away);
    float w = 0x1p-24f * std::max(1.0f, f.rho);
    for (int k = 0; k < 3; ++k) {
      o[k] = static_cast<float>(away[k]);
      w = std::max({w, std::fabs(o[k]), 255 * a.scale[k], 255 * f.rho * b.scale[k]});
    }
    error = 64 * 0x1p-24f * w + 2 * f.centre_error;
  }
  float o[3];  ///< the origin of B's node
  float error;
};

inline void load_a(const body::WideTree& t, const bvh::WideNode& node, Corners& out) {
  for (int k = 0; k < 9; ++k)
    for (std::size_t i = 0; i < node.count; i += lanes())
      hn::Store(hn::LoadU(D(), t.row(node, k / 3, k % 3) + i), D(), out.p[k] + i);
}
inline void load_b(const body::TreeFrame& f, const LeafFrame& leaf, const body::WideTree& t, const bvh::WideNode& node,
                   Corners& out) {
  float r[9];
  for (int k = 0; k < 9; ++k) r[k] = f.rho * f.r[k];
  for (std::size_t i = 0; i < node.count; i += lanes())
    for (int c = 0; c < 3; ++c) {
      V3 x;
      for (int k = 0; k < 3; ++k) x[k] = hn::LoadU(D(), t.row(node, c, k) + i);
      store3(turned(r, x) + set3(leaf.o), out.p + 3 * c, i);
    }
}

struct Triangles {
  V3 p[3];
  V3 centre() const { return scaled(p[0] + p[1] + p[2], hn::Set(D(), 1.0f / 3)); }
  V3 normal() const { return cross(p[1] - p[0], p[2] - p[0]); }
};
inline Triangles load(const Corners& s, std::size_t i) {
  return {{load3(s.p, i), load3(s.p + 3, i), load3(s.p + 6, i)}};
}
inline V highest(const V3& n, const Triangles& t) {
  return hn::Max(dot(n, t.p[0]), hn::Max(dot(n, t.p[1]), dot(n, t.p[2])));
}
inline V lowest(const V3& n, const Triangles& t) {
  return hn::Min(dot(n, t.p[0]), hn::Min(dot(n, t.p[1]), dot(n, t.p[2])));
}

/// Ranges of n triangles along three axes, widened by each one's slack.
inline void measure(const float (*axes)[3], int n, const float (&slack)[3], Corners& s) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); i += lanes()) {
    const Triangles t = load(s, i);
    for (int k = 0; k < 3; ++k) {
      const V3 axis = set3(axes[k]);
      const V e = hn::Set(D(), slack[k]);
      const V x = dot(axis, t.p[0]), y = dot(axis, t.p[1]), z = dot(axis, t.p[2]);
      hn::Store(hn::Sub(hn::Min(x, hn::Min(y, z)), e), D(), s.low[k] + i);
      hn::Store(hn::Add(hn::Max(x, hn::Max(y, z)), e), D(), s.high[k] + i);
    }
  }
}

/// An approximation of the point of a triangle nearest to x. n: its normal, of any length.
inline V3 nearest(const V3& x, const Triangles& t, const V3& n) {
  const D d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  V3 best = t.p[0];
  V square = hn::Set(d, 1e30f);
  auto inside = hn::Eq(zero, zero);
  for (int c = 0; c < 3; ++c) {
    const V3 edge = t.p[(c + 1) % 3] - t.p[c], from = x - t.p[c];
    const V share = hn::Max(zero, hn::Min(one, hn::Div(dot(from, edge), dot(edge, edge))));
    const V3 foot = scaled(edge, share), line = foot - from;
    const V here = dot(line, line);
    const auto nearer = hn::Lt(here, square);
    best = choose(nearer, t.p[c] + foot, best);
    square = hn::IfThenElse(nearer, here, square);
    inside = hn::And(inside, hn::Ge(dot(cross(n, edge), from), zero));
  }
  return choose(inside, less(x, hn::Div(dot(n, x - t.p[0]), dot(n, n)), n), best);
}

/// Lower bounds of the distances of eight pairs, refined until all exceed their limits. Any direction gives a bound;
/// the directions tried are that of the closest points so far, the line of centres, both normals, and then, since the
/// closest points lie along the best direction, the lines between alternately computed nearest points.
inline V lower_bounds(const Triangles& a, const Triangles& b, const Sweep& sweep, const float* best, float error,
                      V limit) {
  const V e = hn::Set(D(), error + sweep.slack);
  const V3 way = set3(sweep.way);
  Largest out;
  const auto slack = [&](const V3& n) { return hn::Add(e, hn::Abs(dot(n, way))); };
  const auto along = [&](const V3& n) { out.offer(hn::Sub(hn::Sub(lowest(n, b), highest(n, a)), slack(n))); };
  const auto back = [&](const V3& n) { out.offer(hn::Sub(hn::Sub(lowest(n, a), highest(n, b)), slack(n))); };
  along(set3(best));
  if (out.all_beyond(limit)) return out.gap;
  const V3 ca = a.centre(), cb = b.centre();
  along(unit(cb - ca));
  if (out.all_beyond(limit)) return out.gap;
  const V3 na = a.normal(), nb = b.normal(), ua = unit(na), ub = unit(nb);
  along(ua);
  back(ua);
  along(ub);
  back(ub);
  V3 x = ca;
  for (int step = 0; step < 3 && !out.all_beyond(limit); ++step) {
    const V3 y = nearest(x, b, nb);
    along(unit(y - x));
    x = nearest(y, a, na);
    along(unit(y - x));
  }
  return out.gap;
}

}  // namespace gaps
}  // namespace HWY_NAMESPACE
}  // namespace graze::engine::distance
HWY_AFTER_NAMESPACE();

#endif
