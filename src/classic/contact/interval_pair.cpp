// SPDX-License-Identifier: MIT
#include "classic/contact/interval_pair.hpp"

#include <algorithm>
#include <cmath>

#include "core/limits.hpp"
#include "prim/closest/closest.hpp"

namespace graze::classic::contact {
namespace {

constexpr double shortest = 0x1p-50;  ///< no interval of time is halved below this

struct Gap {
  prim::ClosestPair closest;
  std::array<Vec3, 3> a, b;
  double size = 0;  ///< of the coordinates, relative to a corner
};

Gap gap_at(const IntervalScene::Placed& placed) {
  Gap g;
  const Vec3 from = placed.a[0];
  for (std::size_t k = 0; k < 3; ++k) {
    g.a[k] = placed.a[k] - from;
    g.b[k] = placed.b[k] - from;
    g.size = std::max({g.size, std::sqrt(dot(g.a[k], g.a[k])), std::sqrt(dot(g.b[k], g.b[k]))});
  }
  g.closest = prim::closest_triangle_triangle(g.a, g.b);
  return g;
}

double distance(const Gap& g) { return std::sqrt(g.closest.squared) * (1 + 0x1p-50); }

/// The least distance between the points where an edge of one triangle crosses the other's plane and that other
/// triangle: almost zero if the triangles cross, which distances between their features do not detect.
double piercing(const std::array<Vec3, 3>& edges, const std::array<Vec3, 3>& face) {
  const Vec3 n = cross(face[1] - face[0], face[2] - face[0]);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &p = edges[k], &q = edges[(k + 1) % 3];
    const double from = dot(n, p - face[0]), to = dot(n, q - face[0]);
    if (!(from * to <= 0) || from == to) continue;
    const Vec3 x = p + (from / (from - to)) * (q - p);
    const Vec3 d = prim::closest_point_triangle(x, face).point - x;
    least = std::min(least, dot(d, d));
  }
  return std::sqrt(least);
}

/// Are the exact triangles certified to be apart: along the closest direction, the normals or products of edges?
bool certainly_apart(const Gap& g, double error) {
  const auto by = [&](const Vec3& n) { return prim::separation(g.a, g.b, n, error) > 0; };
  const auto edge = [](const std::array<Vec3, 3>& t, std::size_t k) { return t[(k + 1) % 3] - t[k]; };
  const Vec3 closest = g.closest.b - g.closest.a;
  if (by(closest)) return true;
  for (std::size_t k = 0; k < 3; ++k)
    if (by(prim::across(closest, edge(g.a, k))) || by(prim::across(closest, edge(g.b, k)))) return true;
  const auto either = [&](const Vec3& n) { return by(n) || by(-n); };
  if (either(cross(edge(g.a, 0), edge(g.a, 1))) || either(cross(edge(g.b, 0), edge(g.b, 1)))) return true;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (either(cross(edge(g.a, i), edge(g.b, j)))) return true;
  return false;
}

}  // namespace

IntervalPair::IntervalPair(IntervalScene& scene, AllCounters& counters, std::uint64_t work,
                           const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b)
    : scene_(scene), counters_(counters), work_(work), a_(a), b_(b), face_a_(a), face_b_(b) {
  for (std::size_t k = 0; k < 3; ++k) {
    speed_a_[k] = scene.speed_a(a[k]);
    speed_b_[k] = scene.speed_b(b[k]);
    const Vec3 edge = b[(k + 1) % 3] - b[k];
    edge_b_[k] = std::sqrt(dot(edge, edge)) * (1 + 0x1p-50) +
                 0x1p-50 * (std::fabs(b[k].x) + std::fabs(b[k].y) + std::fabs(b[k].z));
  }
}

bool IntervalPair::within_tolerance(double t) {
  if (t != last_time_) {
    const Gap g = gap_at(scene_.place(a_, b_, t));
    ++counters_.triangle_distances;
    // The closest points are rounded: 2^-46 of the coordinates is more than enough.
    last_within_ = distance(g) + 0x1p-46 * g.size + scene_.rounding <= scene_.tolerance;
    last_time_ = t;
  }
  return last_within_;
}

IntervalPair::Start IntervalPair::start() {
  if (within_tolerance(0)) return Start::near;
  const Gap g = gap_at(scene_.place(a_, b_, 0));
  const double crossing = std::min(piercing(g.a, g.b), piercing(g.b, g.a));
  if (crossing * (1 + 0x1p-50) + 0x1p-46 * g.size + scene_.rounding <= scene_.tolerance) return Start::near;
  return certainly_apart(g, scene_.rounding + 0x1p-50 * g.size) ? Start::apart : Start::unknown;
}

/// eq. 11, for the sum of both bodies' motions: within a span of this width no two points change their distance by more
/// than half the tolerance. So a contact somewhere in it implies a distance within the tolerance at its start, and a
/// distance above the tolerance at its start implies that halving further will exclude it.
double IntervalPair::threshold(double speed) const {
  return speed > 0 ? 0.5 * scene_.tolerance / speed : std::numeric_limits<double>::infinity();
}

template <class MayMeet>
double IntervalPair::first_root(const Search& search, double threshold, MayMeet&& may_meet) {
  ++counters_.elementary_tests;
  struct Span {
    double lo, hi;
  };
  std::array<Span, 64> stack;
  std::size_t size = 0;
  core::Poll poll;
  stack[size++] = {search.root_lo, search.root_hi};
  while (size > 0) {
    const Span span = stack[--size];
    poll.rarely();
    if (span.hi < std::max(search.lo, ignored_)) continue;
    if (span.lo > search.hi) break;  // the remaining spans on the stack are later still
    const IntervalFrames& frames = scene_.over(span.lo, span.hi);
    double moved = 0;
    if (!may_meet(frames, moved)) continue;
    const double width = span.hi - span.lo;
    const bool narrow = scene_.kinematic() ? width <= threshold : moved <= 0.5 * scene_.tolerance;
    if (narrow && span.lo >= ignored_ && within_tolerance(span.lo)) return span.lo;
    if (width <= shortest || counters_.root_bisections > work_) {
      unresolved_ = std::min(unresolved_, span.lo);
      return never;
    }
    ++counters_.root_bisections;
    const double middle = 0.5 * (span.lo + span.hi);
    stack[size++] = {middle, span.hi};
    stack[size++] = {span.lo, middle};
  }
  return never;
}

double IntervalPair::first(double root_lo, double root_hi, double lo, double hi) {
  Search search{root_lo, root_hi, lo, hi};
  double best = never;
  const auto take = [&](double t) {
    best = std::min(best, t);
    search.hi = std::min({search.hi, t, unresolved_});
  };
  const auto moved = [](const prim::MovingPoint& x) { return 2 * (std::sqrt(dot(x.l, x.l)) + x.r); };
  const auto largest = [](const std::array<double, 3>& x) { return std::max({x[0], x[1], x[2]}); };
  for (std::size_t k = 0; k < 3; ++k) {
    take(first_root(search, threshold(largest(speed_a_) + speed_b_[k]), [&](const IntervalFrames& f, double& m) {
      const prim::MovingPoint x = f.b_in_a.place(b_[k]);
      m = moved(x);
      return face_a_.may_meet(x);
    }));
    take(first_root(search, threshold(speed_a_[k] + largest(speed_b_)), [&](const IntervalFrames& f, double& m) {
      const prim::MovingPoint x = f.a_in_b().place(a_[k]);
      m = moved(x);
      return face_b_.may_meet(x);
    }));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t i1 = (i + 1) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3;
      const double speed = std::max(speed_a_[i], speed_a_[i1]) + std::max(speed_b_[j], speed_b_[j1]);
      take(first_root(search, threshold(speed), [&](const IntervalFrames& f, double& m) {
        const prim::MovingEdge e{f.b_in_a.place(b_[j]), f.b_in_a.place(b_[j1]), f.b_in_a.turn_rest * edge_b_[j]};
        m = std::max(moved(e.p), moved(e.q));
        return prim::edges_may_meet(a_[i], a_[i1], e);
      }));
    }
  }
  return best;
}

}  // namespace graze::classic::contact
