// SPDX-License-Identifier: MIT
#include "query/first_contact/surface_piece.hpp"

#include <algorithm>
#include <cmath>

#include "prim/closest.hpp"

namespace graze::query {
namespace {

using prim::MovingDirection;
using prim::MovingPoint;

Vec3 normal_of(const std::array<Vec3, 3>& f) { return cross(f[1] - f[0], f[2] - f[0]); }
double size_of(const Vec3& v) { return std::sqrt(dot(v, v)) * (1 + 0x1p-50); }

MovingDirection holding(const Vec3& direction, const std::array<Vec3, 3>& points) {
  MovingDirection d(direction);
  for (const Vec3& p : points) d.hold(p);
  return d;
}

/// The points of a hull while they move; its radius is in their rests.
struct MovingHull {
  std::array<MovingPoint, 8> points;
  std::size_t count = 0;
  double moved = 0;

  bool apart(const MovingDirection& d) const {
    bool above = true, below = true;
    for (std::size_t i = 0; i < count && (above || below); ++i) {
      const MovingDirection::Course x = d.course(points[i]);
      above &= d.above(x, {});
      below &= d.below(x, {});
    }
    return above || below;
  }
};

}  // namespace

SurfacePiece::SurfacePiece(IntervalScene& scene, Counters& counters, const SurfaceSource& source,
                           const std::array<Vec3, 3>& face)
    : scene_(scene),
      counters_(counters),
      source_(source),
      face_(face),
      fixed_{holding(normal_of(face), face), holding(cross(normal_of(face), face[1] - face[0]), face),
             holding(cross(normal_of(face), face[2] - face[1]), face),
             holding(cross(normal_of(face), face[0] - face[2]), face)},
      normal_(normal_of(face)) {}

/// The piece's own normal, and the products of its two directions with the triangle's edges: those that settle a corner
/// above a smooth surface, and two edges.
template <class Apart>
bool SurfacePiece::apart_across(const SurfaceHull& hull, const prim::MovingFrame& frame, Apart&& apart) const {
  if (!hull.flat) return false;
  const Vec3 u = frame.turn0(hull.along[0]), v = frame.turn0(hull.along[1]);
  if (apart(cross(u, v))) return true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 edge = face_[(k + 1) % 3] - face_[k];
    if (apart(cross(u, edge)) || apart(cross(v, edge))) return true;
  }
  return false;
}

SurfacePiece::Judged SurfacePiece::judge(const Entry& e) {
  const prim::MovingFrame& frame = scene_.over(e.lo, e.hi).a_in_b();
  MovingHull hull;
  hull.count = static_cast<std::size_t>(e.hull.count);
  const double wider = e.hull.radius * scene_.scale() * (1 + 0x1p-50);
  Vec3 centre;
  for (std::size_t i = 0; i < hull.count; ++i) {
    MovingPoint& x = hull.points[i] = frame.place(scene_.local_a(e.hull.points[i]));
    hull.moved = std::max(hull.moved, 2 * (size_of(x.l) + x.r));
    x.r = (x.r + wider) * (1 + 0x1p-50);
    centre = centre + x.c * (1.0 / static_cast<double>(hull.count));
  }
  const bool narrow = hull.moved <= 0.5 * scene_.tolerance;
  for (const MovingDirection& d : fixed_)
    if (hull.apart(d)) return {Verdict::apart, narrow};
  Vec3 n = prim::closest_point_triangle(centre, face_).point - centre;
  if (hull.apart(holding(n, face_)) ||
      apart_across(e.hull, frame, [&](const Vec3& d) { return hull.apart(holding(d, face_)); }))
    return {Verdict::apart, narrow};
  // What spreads further along the direction that matters: the piece, or its path?
  if (!(dot(n, n) > 0)) n = normal_;
  double lo = std::numeric_limits<double>::infinity(), hi = -lo, path = 0, rest = 0;
  for (std::size_t i = 0; i < hull.count; ++i) {
    const double h = dot(n, hull.points[i].c);
    lo = std::min(lo, h);
    hi = std::max(hi, h);
    path = std::max(path, std::fabs(dot(n, hull.points[i].l)));
    rest = std::max(rest, hull.points[i].r - wider);
  }
  const double length = size_of(n), in_time = 2 * (path + length * rest), in_space = hi - lo + 2 * length * wider;
  // A path longer than the piece is halved in any case: where the triangle goes through the piece, no direction
  // matters.
  const bool time_first = !narrow && (in_time > in_space || hull.moved > e.hull.size() * scene_.scale());
  return {time_first ? Verdict::halve_time : Verdict::halve_piece, narrow};
}

/// Is a certified point of the piece within the tolerance of the triangle at the start of the span?
bool SurfacePiece::touches(const Entry& e, Contact& contact) {
  const std::optional<SurfacePoint> point = source_.point(e.cell);
  if (!point) return false;
  ++counters_.triangle_distances;
  const MovingPoint x = scene_.over(e.lo, e.lo).a_in_b().place(scene_.local_a(point->point));
  const Vec3 on = prim::closest_point_triangle(x.c, face_).point, d = on - x.c;
  const double rounding = 0x1p-46 * (size_of(x.c) + size_of(face_[0]) + size_of(face_[1]) + size_of(face_[2]));
  const double gap = size_of(d);
  if (!(gap + x.r + point->radius * scene_.scale() * (1 + 0x1p-50) + rounding <= scene_.tolerance)) return false;
  contact = {e.lo, gap / scene_.scale(), e.cell, *point, on};
  return true;
}

/// Earliest first, so that nothing is looked into that happens after the first contact; of entries that start at the
/// same time the last one made.
bool SurfacePiece::later(const Entry& x, const Entry& y) { return x.lo != y.lo ? x.lo > y.lo : x.number < y.number; }

void SurfacePiece::push(Entry e) {
  e.number = ++entries_;
  queue_.push_back(e);
  std::push_heap(queue_.begin(), queue_.end(), later);
}

SurfacePiece::Contact SurfacePiece::first(const SurfaceData::Leaf& leaf, double lo, double hi,
                                          std::uint64_t& work_left) {
  Contact contact;
  queue_.clear();
  push({leaf.cell, leaf.hull, lo, hi});
  const double finest = 0x1p-8 * scene_.tolerance / scene_.scale();
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Entry e = queue_.back();
    queue_.pop_back();
    if (work_left == 0) {
      unresolved_ = e.lo;
      return contact;
    }
    --work_left;
    ++counters_.elementary_tests;
    const Judged judged = judge(e);
    if (judged.verdict == Verdict::apart) continue;
    if (judged.narrow && touches(e, contact)) return contact;
    ++counters_.root_bisections;
    const bool fine = !source_.divisible(e.cell) || e.hull.size() <= finest;
    if (judged.verdict == Verdict::halve_piece && !fine) {
      for (const SurfaceCell& half : source_.halves(e.cell)) {
        Entry part{half, {}, e.lo, e.hi};
        if (source_.enclose(half, part.hull)) push(part);
      }
    } else if (e.hi - e.lo > 0x1p-50) {
      const double middle = 0.5 * (e.lo + e.hi);
      push({e.cell, e.hull, middle, e.hi});
      push({e.cell, e.hull, e.lo, middle});
    } else {
      unresolved_ = e.lo;
      return contact;
    }
  }
  return contact;
}

}  // namespace graze::query
