// SPDX-License-Identifier: MIT
#include "prim/moving/edge_edge.hpp"

#include "math/vectors.hpp"
#include "prim/closest/closest.hpp"

namespace graze::prim {
namespace {

using math::norm_above;

/// ac . (ab x cd) as a function of s (eq. 9). With u = b - a fixed, v(s) = v0 + s v1 + .. and w(s) = w0 + s w1 + .., it
/// is q0 + s q1 + s^2 q2 + rest; s^2 q2 lies within q2 / 2 of q2 / 2.
MovingDirection::Course coplanarity(const Vec3& a, const Vec3& u, const MovingEdge& e) {
  const Vec3 v0 = e.q.c - e.p.c, v1 = e.q.l - e.p.l, w0 = e.p.c - a, w1 = e.p.l;
  const Vec3 n0 = cross(u, v0), n1 = cross(u, v1);
  const double q2 = dot(w1, n1);
  const double su = norm_above(u), sw = norm_above(w0) + norm_above(w1), sv = norm_above(v0) + norm_above(v1);
  // The differences are rounded too: by eps of the positions they come from.
  const double places =
      0x1p-51 * (norm_above(e.p.c) + norm_above(e.q.c) + norm_above(e.p.l) + norm_above(e.q.l) + norm_above(a) + su);
  const double rv = e.turn + places, rw = e.p.r + places;
  // The error of w . (u x v) with v off by rv, w by rw, u by `places`; and the rounding of the products, below 2^-47 of
  // the sizes.
  const double off = su * (rv * (sw + rw) + rw * sv) + places * (sv + rv) * (sw + rw) + 0x1p-47 * su * sv * sw;
  return {dot(w0, n0) + 0.5 * q2, dot(w0, n1) + dot(w1, n0), (off + 0.5 * std::fabs(q2)) * (1 + 0x1p-48) + 0x1p-1000};
}

bool apart_along(const Vec3& direction, const Vec3& a, const Vec3& b, const MovingEdge& e, const MovingSpan& s) {
  MovingDirection d(direction);
  d.hold(a);
  d.hold(b);
  return d.apart(d.course(e.p), d.course(e.q), s);
}

}  // namespace

bool edges_may_meet(const Vec3& a, const Vec3& b, const MovingEdge& moving) {
  const Vec3 u = b - a;
  const MovingSpan root = MovingDirection::crossing(coplanarity(a, u, moving), 0, 0, {});
  if (root.empty()) return false;
  const double s = root.middle();
  const Vec3 p = moving.p.at(s), q = moving.q.at(s), n = cross(u, q - p);
  // Perpendicular to one edge, in the common plane, that edge projects to a point and the other to an interval:
  // separation along this direction means that the parameter of the contact point on the other edge is outside [0, 1].
  if (apart_along(cross(u, n), a, b, moving, root) || apart_along(cross(q - p, n), a, b, moving, root)) return false;
  // In both orders, because with nearly parallel edges, or one that degenerates to a point, one of the results may be
  // far from optimal; and also made perpendicular to each of the edges: see `across`.
  const SegmentPair first = closest_segment_segment(a, b, p, q), second = closest_segment_segment(p, q, a, b);
  for (const Vec3& d : {first.b - first.a, second.b - second.a})
    for (const Vec3& direction : {d, across(d, u), across(d, q - p)})
      if (apart_along(direction, a, b, moving, root)) return false;
  return true;
}

}  // namespace graze::prim
