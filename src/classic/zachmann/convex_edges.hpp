// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/collide/placed_boxes.hpp"
#include "prim/edge_triangle.hpp"

namespace graze::classic::zachmann {

/// The half space behind a face, given by three of its corners in A's frame, oriented so that outside is positive; and
/// the part of math::orient3d_filter's error bound that does not depend on the point.
struct HalfSpace {
  std::uint32_t polygon;
  Triangle corners;
  Vec3 origin, normal, permanent;
  double sum_u, sum_v;

  struct Value {
    double value, bound;  ///< the exact determinant is within bound; NaN or infinite where doubles overflow
  };
  Value at(const Vec3& x, double error) const {
    const Vec3 w = x - origin;
    const double sw = std::fabs(w.x) + std::fabs(w.y) + std::fabs(w.z);
    const double delta = 2.001 * error;
    const double rounding =
        0x1p-50 * (permanent.x * std::fabs(w.x) + permanent.y * std::fabs(w.y) + permanent.z * std::fabs(w.z)) +
        std::numeric_limits<double>::min() * (1 + sum_u + sum_v + sw);
    const double placing =
        delta * (sum_u * sum_v + (sum_u + sum_v) * sw + delta * (2 * (sum_u + sum_v + sw) + 6 * delta));
    return {dot(normal, w), rounding + (error == 0 ? 0 : 1.001 * placing)};
  }
};

/// An interval that contains an exact line parameter in [0, 1].
struct LineRange {
  double lo = 0, hi = 1;
};

/// a / (a + b) for exact a > 0, b > 0 near the given values. It increases with a and decreases with b.
inline LineRange share(const HalfSpace::Value& a, const HalfSpace::Value& b) {
  const double alo = std::max(0.0, a.value - a.bound), ahi = a.value + a.bound;
  const double blo = std::max(0.0, b.value - b.bound), bhi = b.value + b.bound;
  constexpr double tiny = std::numeric_limits<double>::min();
  LineRange t;
  const double lo = alo / (alo + bhi) * (1 - 0x1p-50) - tiny, hi = ahi / (ahi + blo) * (1 + 0x1p-50) + tiny;
  if (lo > 0) t.lo = std::min(lo, 1.0);               // NaN proves nothing
  if (hi < 1 && std::isfinite(ahi + blo)) t.hi = hi;  // nor does a sum that overflowed
  return t;
}

using HalfSpaces = std::vector<HalfSpace>;

/// Clips edges of one body, one after the other. Each thread has its own: the placed points count their work, and
/// placements compute their exact form when it is first needed.
class EdgeClipper {
 public:
  EdgeClipper(const engine::collide::CollideQuery& query, const engine::collide::PlacedVertices& vertices)
      : q_(query), vertices_(vertices), points_(query.placement, query.counters), error_(vertices.error(true)) {}

  /// Does anything of the edge remain after clipping by the faces [first, last)?
  bool start(bool of_b, const std::array<std::uint32_t, 2>& edge, const HalfSpaces& faces, std::size_t last) {
    begin(of_b, edge);
    return clip_by(faces, 0, last);
  }
  bool clip_by(const HalfSpaces& faces, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (!clip(faces[i])) return false;
    return is_left();
  }

  /// The first crossing of the edge with the surface, otherwise the first touch: only at faces that bound the interval
  /// or that contain an end.
  void add_surface_contacts(std::size_t edge, CollideResult& result) {
    if (entering_.empty() && leaving_.empty() && grazing_.empty()) return;
    std::vector<std::uint32_t>& near = near_;
    near.clear();
    for (const Cut& c : entering_)
      if (c.t.hi >= alpha_.lo) near.push_back(c.by->polygon);
    for (const Cut& c : leaving_)
      if (c.t.lo <= beta_.hi) near.push_back(c.by->polygon);
    for (const HalfSpace* h : grazing_) near.push_back(h->polygon);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const std::uint32_t polygon : near) {
      const auto [first, last] = body(!of_b_).mesh.triangles_of(PolygonId{polygon});
      for (std::uint32_t t = first; t < last && !crosses(result); ++t) {
        ++q_.counters.edge_polygon_tests;
        points_.clear();
        for (const std::uint32_t v : edge_) add_point(of_b_, v);
        for (const std::uint32_t v : body(!of_b_).mesh.triangles()[t]) add_point(!of_b_, v);
        const prim::EdgeContact contact = prim::edge_triangle(points_, {0, 1}, {2, 3, 4}, body(!of_b_).inner_edges(t));
        if (contact != prim::EdgeContact::none) found(edge, t, contact == prim::EdgeContact::crossing, result);
      }
    }
  }

  static bool crosses(const CollideResult& result) { return result.kind == ContactKind::crossing; }

 private:
  struct Cut {
    const HalfSpace* by;
    LineRange t;
  };

  const body::BodyData& body(bool b) const { return b ? q_.b : q_.a; }

  void add_point(bool b, std::uint32_t vertex) {
    const Vec3& x = body(b).mesh.positions()[vertex];
    b ? points_.add_b(x) : points_.add_a(x);
  }

  int sign(const HalfSpace& h, const HalfSpace::Value& value, std::uint32_t vertex) {
    if (value.value > value.bound || value.value < -value.bound) {
      ++q_.counters.filter_decided;
      return value.value > 0 ? 1 : -1;
    }
    points_.clear();
    for (const std::uint32_t v : h.corners) add_point(!of_b_, v);
    add_point(of_b_, vertex);
    return points_.orient3d(0, 1, 2, 3);
  }

  void begin(bool of_b, const std::array<std::uint32_t, 2>& edge) {
    of_b_ = of_b;
    edge_ = edge;
    entering_.clear();
    leaving_.clear();
    grazing_.clear();
    alpha_ = {0, 0};
    beta_ = {1, 1};
    ++q_.counters.clipped_edges;
  }

  /// Clips the edge by one more half space. False if certainly nothing remains.
  bool clip(const HalfSpace& h) {
    ++q_.counters.clip_steps;
    const std::vector<Vec3>& x = vertices_.of(of_b_);
    HalfSpace::Value u = h.at(x[edge_[0]], error_), v = h.at(x[edge_[1]], error_);
    const int su = sign(h, u, edge_[0]), sv = sign(h, v, edge_[1]);
    if (su > 0 && sv > 0) return false;  // also for parallel edges
    if (su == 0 || sv == 0) grazing_.push_back(&h);
    if (su <= 0 && sv <= 0) return true;
    if (su > 0) {
      v.value = -v.value;
      const LineRange t = sv == 0 ? LineRange{1, 1} : share(u, v);
      entering_.push_back({&h, t});
      alpha_ = {std::max(alpha_.lo, t.lo), std::max(alpha_.hi, t.hi)};
    } else {
      u.value = -u.value;
      const LineRange t = su == 0 ? LineRange{0, 0} : share(u, v);
      leaving_.push_back({&h, t});
      beta_ = {std::min(beta_.lo, t.lo), std::min(beta_.hi, t.hi)};
    }
    return !(alpha_.lo > beta_.hi);
  }

  /// Does anything of the edge remain after all clipping? The interval is closed: one point is enough.
  bool is_left() {
    if (alpha_.lo > beta_.hi) return false;
    if (alpha_.hi <= beta_.lo) return true;
    for (const Cut& in : entering_)
      for (const Cut& out : leaving_)
        if (in.t.hi > out.t.lo && !enters_before_it_leaves(*in.by, *out.by)) return false;
    return true;
  }

  math::DyadicVec3 exact(bool b, std::uint32_t vertex) const {
    const Vec3& x = body(b).mesh.positions()[vertex];
    return b ? q_.placement.exact_b(x) : q_.placement.exact_a(x);
  }

  /// The exact signed volumes of the edge's ends against the half space.
  std::array<math::Dyadic, 2> exact_volumes(const HalfSpace& h) const {
    const math::DyadicVec3 o = exact(!of_b_, h.corners[0]);
    const math::DyadicVec3 n = cross(exact(!of_b_, h.corners[1]) - o, exact(!of_b_, h.corners[2]) - o);
    return {dot(n, exact(of_b_, edge_[0]) - o), dot(n, exact(of_b_, edge_[1]) - o)};
  }

  /// t_in = du / (du - dv) with du > 0 >= dv, t_out = -du' / (dv' - du') with du' <= 0 < dv': all denominators
  /// positive.
  bool enters_before_it_leaves(const HalfSpace& in, const HalfSpace& out) const {
    ++q_.counters.rational_decided;
    const auto [u, v] = exact_volumes(in);
    const auto [u2, v2] = exact_volumes(out);
    return (u * (v2 - u2) + u2 * (u - v)).sign() <= 0;
  }

  void found(std::size_t edge, std::uint32_t face, bool is_crossing, CollideResult& result) const {
    if (!result.pairs.empty() && !is_crossing) return;
    const TriangleId of_edge{body(of_b_).edges().triangles_of(edge)[0]}, of_face{face};
    result.status = Status::contact;
    result.kind = is_crossing ? ContactKind::crossing : ContactKind::touching;
    result.pairs.assign(1, of_b_ ? TrianglePair{of_face, of_edge} : TrianglePair{of_edge, of_face});
  }

  const engine::collide::CollideQuery& q_;
  const engine::collide::PlacedVertices& vertices_;
  math::PlacedPoints points_;
  double error_;
  // The edge being clipped: its body, its interval [alpha, beta], and the half spaces that bound it.
  bool of_b_ = false;
  std::array<std::uint32_t, 2> edge_{};
  LineRange alpha_, beta_;
  std::vector<Cut> entering_, leaving_;
  std::vector<const HalfSpace*> grazing_;
  std::vector<std::uint32_t> near_;
};

}  // namespace graze::classic::zachmann
