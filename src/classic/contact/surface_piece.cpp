// SPDX-License-Identifier: MIT
#include "classic/contact/surface_piece.hpp"

#include <algorithm>

#include "math/vectors.hpp"
#include "prim/closest/closest.hpp"
#include "prim/moving/vertex_face.hpp"

namespace graze::classic::contact {
namespace {

using math::norm_above;

using prim::MovingDirection;
using prim::MovingPoint;

Vec3 normal_of(const std::array<Vec3, 3>& f) { return cross(f[1] - f[0], f[2] - f[0]); }

MovingDirection holding(const Vec3& direction, const std::array<Vec3, 3>& points) {
  MovingDirection d(direction);
  for (const Vec3& p : points) d.hold(p);
  return d;
}

/// The moving points of a hull; its radius is included in their remainders.
struct MovingHull {
  std::array<MovingPoint, 8> points;
  std::array<Vec3, 8> start;  ///< their positions at the start of the span, rounded
  std::size_t count = 0;
  double wider = 0, separation = 0;
  // At the start of the span, along the direction with the largest gap: the distance from the triangle and the width of
  // the hull. The uncertainty due to the span is excluded, because halving time reduces it. Rounded; they only decide
  // what is halved.
  double start_gap = -std::numeric_limits<double>::infinity(), start_width = 0;

  bool apart(const MovingDirection& d) {
    bool above = true, below = true;
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (std::size_t i = 0; i < count; ++i) {
      const MovingDirection::Course x = d.course(points[i]);
      above &= d.above(x, {});
      below &= d.below(x, {});
      lo = std::min(lo, d.along(start[i]));
      hi = std::max(hi, d.along(start[i]));
    }
    const double gap = std::max(lo - d.hi(), d.lo() - hi) / d.size() - wider - separation;
    if (gap > start_gap) {
      start_gap = gap;
      start_width = (hi - lo) / d.size() + 2 * wider;
    }
    return above || below;
  }
};

}  // namespace

SurfacePiece::SurfacePiece(IntervalScene& scene, AllCounters& counters, const SurfaceSource& source,
                           const std::array<Vec3, 3>& face, double separation)
    : scene_(scene),
      counters_(counters),
      source_(source),
      face_(face),
      separation_(separation),
      fixed_{holding(normal_of(face), face), holding(cross(normal_of(face), face[1] - face[0]), face),
             holding(cross(normal_of(face), face[2] - face[1]), face),
             holding(cross(normal_of(face), face[0] - face[2]), face)} {}

/// The piece's own normal, and the products of its two directions with the triangle's edges: the directions that
/// separate a corner above a smooth surface, and two edges.
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
  MovingHull hull;
  hull.count = static_cast<std::size_t>(e.hull.count);
  const prim::MovingFrame& at_start = scene_.over(e.lo, e.lo).a_in_b();
  Vec3 start;
  for (std::size_t i = 0; i < hull.count; ++i) {
    hull.start[i] = at_start.place(scene_.local_a(e.hull.points[i])).c;
    start = start + hull.start[i] * (1.0 / static_cast<double>(hull.count));
  }
  const prim::MovingFrame& frame = scene_.over(e.lo, e.hi).a_in_b();
  hull.wider = e.hull.radius * scene_.scale() * (1 + 0x1p-50);
  hull.separation = separation_;
  Vec3 centre;
  for (std::size_t i = 0; i < hull.count; ++i) {
    MovingPoint& x = hull.points[i] = frame.place(scene_.local_a(e.hull.points[i]));
    x.r = (x.r + hull.wider + separation_) * (1 + 0x1p-50);
    centre = centre + x.c * (1.0 / static_cast<double>(hull.count));
  }
  for (const MovingDirection& d : fixed_)
    if (hull.apart(d)) return {Verdict::apart, false};
  const auto along = [&](const Vec3& d) { return hull.apart(holding(d, face_)); };
  for (const Vec3& x : {centre, start})
    for (const Vec3& d : prim::directions_to_face(x, face_))
      if (along(d)) return {Verdict::apart, false};
  if (apart_across(e.hull, frame, along)) return {Verdict::apart, false};
  // Is the gap between the piece and the triangle at the start large relative to the piece's width? Then time must be
  // halved. (Not at the middle of the span: there the triangle may be inside the piece, where no direction separates
  // them.) If the gap is below the tolerance, smaller pieces will either be within it or turn out to be beside the
  // triangle.
  const bool clear = hull.start_gap > 0.5 * std::max(hull.start_width, scene_.tolerance);
  // Searching for a point of the piece is worthwhile where the piece is about as thin as the tolerance.
  const bool near = hull.start_gap <= scene_.tolerance && hull.start_width <= 4 * scene_.tolerance;
  return {clear ? Verdict::halve_time : Verdict::halve_piece, near};
}

/// Is a certified point of the piece within the tolerance of the triangle at the start of the span?
bool SurfacePiece::touches(const Entry& e, SurfaceTouch& touch) {
  const std::optional<SurfacePoint> point = source_.point(e.cell);
  if (!point) return false;
  ++counters_.triangle_distances;
  const MovingPoint x = scene_.over(e.lo, e.lo).a_in_b().place(scene_.local_a(point->point));
  const Vec3 on = prim::closest_point_triangle(x.c, face_).point, d = on - x.c;
  const double rounding =
      0x1p-46 * (norm_above(x.c) + norm_above(face_[0]) + norm_above(face_[1]) + norm_above(face_[2]));
  const double gap = norm_above(d);
  const double doubt = x.r + point->radius * scene_.scale() * (1 + 0x1p-50) + rounding;
  if (!(gap + doubt <= scene_.tolerance + separation_)) return false;
  touch = {e.lo, gap / scene_.scale(), *point, {}, 0, scene_.unscaled_b(on), d, doubt};
  return true;
}

/// Earliest first, so that nothing is processed that happens after the first contact; of entries with the same start
/// time, the last one created.
bool SurfacePiece::later(const Entry& x, const Entry& y) { return x.lo != y.lo ? x.lo > y.lo : x.number < y.number; }

void SurfacePiece::push(Entry e) {
  e.number = ++entries_;
  queue_.push_back(e);
  std::push_heap(queue_.begin(), queue_.end(), later);
}

SurfaceTouch SurfacePiece::first(const SurfaceData::Leaf& leaf, double lo, double hi, std::uint64_t& work_left) {
  SurfaceTouch touch;
  queue_.clear();
  push({leaf.cell, leaf.hull, lo, hi});
  const double finest = 0x1p-8 * scene_.tolerance / scene_.scale();
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Entry e = queue_.back();
    queue_.pop_back();
    if (work_left > 0 && !time_.take()) work_left = 0;
    if (work_left == 0) {
      unresolved_ = e.lo;
      return touch;
    }
    --work_left;
    ++counters_.elementary_tests;
    const Judged judged = judge(e);
    if (judged.verdict == Verdict::apart) continue;
    const bool fine = !source_.divisible(e.cell) || e.hull.size() <= finest;
    if ((judged.near || fine) && touches(e, touch)) return touch;
    ++counters_.root_bisections;
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
      return touch;
    }
  }
  return touch;
}

}  // namespace graze::classic::contact
