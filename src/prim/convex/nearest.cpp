// SPDX-License-Identifier: MIT
#include "prim/convex/nearest.hpp"

#include <algorithm>
#include <cmath>

#include "prim/closest/closest.hpp"

namespace graze::prim {

namespace {

/// Two edges: the simplex may hold any three of the four differences of their ends, so the edges themselves are used.
ConvexNearest of_edges(const ConvexPoints& a, const ConvexPoints& b, const ConvexFrame& frame, const CornerSet& ea,
                       const CornerSet& eb) {
  const Vec3 p0 = a[ea.id[0]], p1 = a[ea.id[1]], q0 = frame.place(b[eb.id[0]]), q1 = frame.place(b[eb.id[1]]);
  const SegmentPair pair = closest_segment_segment(p0, p1, q0, q1);
  ConvexNearest n{pair.a, pair.b, 0, pair.b - pair.a, {}, {}};
  n.distance = std::sqrt(dot(n.direction, n.direction));
  if (pair.s < 1) n.of_a.add(ea.id[0]);
  if (pair.s > 0) n.of_a.add(ea.id[1]);
  if (pair.t < 1) n.of_b.add(eb.id[0]);
  if (pair.t > 0) n.of_b.add(eb.id[1]);
  // Perpendicular to both edges, if they are not parallel: more accurate than a short difference of points.
  const Vec3 n_edges = cross(p1 - p0, q1 - q0);
  if (n.of_a.size == 2 && n.of_b.size == 2 && dot(n_edges, n_edges) > 0)
    n.direction = dot(n_edges, n.direction) < 0 ? -n_edges : n_edges;
  return n;
}

void sort_by_id(ConvexSimplex& s) {
  for (std::size_t i = 1; i < static_cast<std::size_t>(s.size); ++i)
    for (std::size_t j = i; j > 0 && std::pair(s.a[j], s.b[j]) < std::pair(s.a[j - 1], s.b[j - 1]); --j) {
      std::swap(s.a[j], s.a[j - 1]);
      std::swap(s.b[j], s.b[j - 1]);
      std::swap(s.w[j], s.w[j - 1]);
    }
}

}  // namespace

void CornerSet::add(std::uint32_t v) {
  int at = 0;
  for (; at < size && id[static_cast<std::size_t>(at)] <= v; ++at)
    if (id[static_cast<std::size_t>(at)] == v) return;
  for (int i = size++; i > at; --i) id[static_cast<std::size_t>(i)] = id[static_cast<std::size_t>(i - 1)];
  id[static_cast<std::size_t>(at)] = v;
}

ConvexNearest nearest_points(const ConvexPoints& a, const ConvexPoints& b, const ConvexFrame& frame,
                             const ConvexSimplex& simplex) {
  CornerSet set_a, set_b;
  for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.size); ++i) {
    set_a.add(simplex.a[i]);
    set_b.add(simplex.b[i]);
  }
  if (set_a.size == 2 && set_b.size == 2) return of_edges(a, b, frame, set_a, set_b);
  ConvexSimplex s = simplex;
  sort_by_id(s);
  const NearestPoint p = nearest_to_origin(s);
  ConvexNearest n;
  Vec3 difference;
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.size); ++i) {
    n.a = n.a + a[s.a[i]] * s.weight[i];
    n.b = n.b + frame.place(b[s.b[i]]) * s.weight[i];
    difference = difference + s.w[i] * s.weight[i];
    n.of_a.add(s.a[i]);
    n.of_b.add(s.b[i]);
  }
  if (n.of_a.size == 1) n.a = a[n.of_a.id[0]];
  if (n.of_b.size == 1) n.b = frame.place(b[n.of_b.id[0]]);
  n.distance = std::sqrt(dot(difference, difference));
  n.direction = p.v;
  return n;
}

}  // namespace graze::prim
