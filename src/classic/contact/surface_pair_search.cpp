// SPDX-License-Identifier: MIT
#include "classic/contact/surface_pair_search.hpp"

#include <algorithm>

#include <graze/core/portability.hpp>

#include "classic/contact/interval_boxes.hpp"
#include "core/limits.hpp"
#include "math/vectors.hpp"
#include "prim/moving/direction.hpp"

namespace graze::classic::contact {
namespace {

bool same_cell(const SurfaceCell& x, const SurfaceCell& y) { return x.patch == y.patch && x.box == y.box; }

std::size_t slot_of(const SurfaceCell& cell, std::size_t slots) {
  std::uint64_t mixed = cell.patch;
  for (const Interval& x : cell.box)
    for (const double end : {x.lo, x.hi}) {
      mixed = (mixed ^ core::bit_cast<std::uint64_t>(end)) * 0x9E3779B97F4A7C15u;
      mixed ^= mixed >> 29;
    }
  return (mixed >> 20) % slots;
}

/// The two hulls during a span, in B's frame.
class HullPair {
 public:
  HullPair(IntervalScene& scene, const SurfaceHull& a, const SurfaceHull& b, double separation, double lo, double hi)
      : count_a_(static_cast<std::size_t>(a.count)),
        count_b_(static_cast<std::size_t>(b.count)),
        wider_(((a.radius + b.radius) * scene.scale() + separation) * (1 + 0x1p-49)) {
    // Points relative to the reference points are rounded, by 2^-53 of each coordinate. The scene covers that for
    // points in the bodies' boxes, but hulls may reach beyond.
    double farthest = 0;
    for (std::size_t i = 0; i < count_b_; ++i) {
      b_[i] = scene.local_b(b.points[i]);
      usual_ = usual_ && is_finite(b_[i]) && math::largest(b_[i]) < largest_usual;
      farthest = std::max(farthest, math::norm_above(b_[i]));
    }
    std::array<Vec3, 8> local_a;
    double farthest_a = 0;
    for (std::size_t i = 0; i < count_a_; ++i) {
      local_a[i] = scene.local_a(a.points[i]);
      farthest_a = std::max(farthest_a, math::norm_above(local_a[i]));
    }
    wider_ = (wider_ + 0x1p-51 * (farthest + farthest_a)) * (1 + 0x1p-50);
    const prim::MovingFrame& at_start = scene.over(lo, lo).a_in_b();
    for (std::size_t i = 0; i < count_a_; ++i) start_[i] = at_start.place(local_a[i]).c;
    const prim::MovingFrame& frame = scene.over(lo, hi).a_in_b();
    for (std::size_t i = 0; i < count_a_; ++i) {
      prim::MovingPoint& x = a_[i] = frame.place(local_a[i]);
      x.r = (x.r + wider_) * (1 + 0x1p-50);  // both radii: B's hull then needs none
    }
    turn(frame, a, axes_a_);
    axes_b_ = b.flat ? std::array{b.along[0], b.along[1], Vec3{}} : box_axes;
  }

  /// Is there a direction that separates them during the whole span?
  bool apart(bool a_is_flat, bool b_is_flat) {
    if (!usual_) return false;
    Vec3 centre_a, centre_start, centre_b;
    for (std::size_t i = 0; i < count_a_; ++i) {
      centre_a = centre_a + a_[i].c * (1.0 / static_cast<double>(count_a_));
      centre_start = centre_start + start_[i] * (1.0 / static_cast<double>(count_a_));
    }
    for (std::size_t i = 0; i < count_b_; ++i) centre_b = centre_b + b_[i] * (1.0 / static_cast<double>(count_b_));
    return across(axes_a_, a_is_flat) || across(axes_b_, b_is_flat) || along(centre_b - centre_a) ||
           along(centre_b - centre_start) || along_products(a_is_flat, b_is_flat);
  }

  // At the start of the span, along the direction with the largest gap: the gap of the hulls and the width of each. The
  // uncertainty due to the span is excluded, because halving time reduces it. Rounded; they only decide what is halved.
  double gap = -std::numeric_limits<double>::infinity(), width_a = 0, width_b = 0;

 private:
  using Axes = std::array<Vec3, 3>;
  /// A held point beyond this (or a NaN) could overflow along a direction, and then would not be held at all. The scene
  /// is scaled, so only hulls that prove nothing are this large.
  static constexpr double largest_usual = 0x1p400;
  static constexpr Axes box_axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

  static void turn(const prim::MovingFrame& frame, const SurfaceHull& hull, Axes& out) {
    if (hull.flat)
      out = {frame.turn0(hull.along[0]), frame.turn0(hull.along[1]), {}};
    else
      for (std::size_t k = 0; k < 3; ++k) out[k] = frame.turn0(box_axes[k]);
  }

  /// The directions of a hull's faces: of a flat one its normal and, in its plane, those across its two directions.
  bool across(const Axes& axes, bool is_flat) {
    if (!is_flat) return along(axes[0]) || along(axes[1]) || along(axes[2]);
    const Vec3 normal = cross(axes[0], axes[1]);
    return along(normal) || along(cross(normal, axes[0])) || along(cross(normal, axes[1]));
  }

  bool along_products(bool a_is_flat, bool b_is_flat) {
    for (std::size_t i = 0; i < (a_is_flat ? 2u : 3u); ++i)
      for (std::size_t j = 0; j < (b_is_flat ? 2u : 3u); ++j)
        if (along(cross(axes_a_[i], axes_b_[j]))) return true;
    return false;
  }

  bool along(const Vec3& direction) {
    prim::MovingDirection d(direction);
    if (!(d.size() > 0x1p-400 && d.size() < 0x1p400)) return false;
    double lo_b = std::numeric_limits<double>::infinity(), hi_b = -lo_b;
    for (std::size_t i = 0; i < count_b_; ++i) {
      d.hold(b_[i]);
      lo_b = std::min(lo_b, d.along(b_[i]));
      hi_b = std::max(hi_b, d.along(b_[i]));
    }
    bool above = true, below = true;
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (std::size_t i = 0; i < count_a_; ++i) {
      const prim::MovingDirection::Course x = d.course(a_[i]);
      above &= d.above(x, {});
      below &= d.below(x, {});
      lo = std::min(lo, d.along(start_[i]));
      hi = std::max(hi, d.along(start_[i]));
    }
    const double between = std::max(lo - hi_b, lo_b - hi) / d.size() - wider_;
    if (between > gap) {
      gap = between;
      width_a = (hi - lo) / d.size();
      width_b = (hi_b - lo_b) / d.size();
    }
    return above || below;
  }

  std::size_t count_a_, count_b_;
  double wider_;
  bool usual_ = true;
  std::array<prim::MovingPoint, 8> a_;
  std::array<Vec3, 8> start_, b_;
  Axes axes_a_, axes_b_;
};

}  // namespace

const SurfaceHull* SurfaceHulls::operator()(const SurfaceCell& cell) {
  Known& k = table_[slot_of(cell, table_.size())];
  if (!k.is_known || !same_cell(k.cell, cell)) {
    k.cell = cell;
    k.is_known = true;
    k.holds = source_.enclose(cell, k.hull);
  }
  return k.holds ? &k.hull : nullptr;
}

SurfacePairSearch::SurfacePairSearch(IntervalScene& scene, const SurfaceData& a, const SurfaceData& b,
                                     const IntervalOptions& interval, double separation, std::uint64_t work,
                                     AllCounters& counters)
    : scene_(scene),
      data_a_(a),
      data_b_(b),
      a_(*a.source),
      b_(*b.source),
      interval_(interval),
      separation_(separation),
      work_(work),
      counters_(counters) {}

SurfacePairSearch::Judged SurfacePairSearch::judge(const Entry& e, const SurfaceHull& a, const SurfaceHull& b) {
  HullPair hulls(scene_, a, b, separation_, e.lo, e.hi);
  if (hulls.apart(a.flat, b.flat)) return {};
  const double width_a = hulls.width_a + 2 * a.radius * scene_.scale();
  const double width_b = hulls.width_b + 2 * b.radius * scene_.scale(), width = width_a + width_b;
  // A gap at the start that is large relative to the widths can only be lost in the span: then time is halved, as in
  // SurfacePiece. Otherwise the piece that contributes more to the width, or of equals the larger one.
  Judged judged;
  judged.near = hulls.gap + 0.5 * width <= scene_.tolerance;
  if (hulls.gap > 0.5 * std::max(width, scene_.tolerance)) {
    judged.verdict = Verdict::halve_time;
    return judged;
  }
  bool of_a = a.size() >= b.size();
  if (width_a > 4 * width_b) of_a = true;
  if (width_b > 4 * width_a) of_a = false;
  judged.verdict = of_a ? Verdict::halve_a : Verdict::halve_b;
  return judged;
}

/// Are certified points of the two pieces within the tolerance of each other at the start of the span? From a point of
/// A to the closest one of B, and back, as long as that brings them closer.
bool SurfacePairSearch::touches(const Entry& e) {
  std::optional<SurfacePoint> on_a = a_.source().point(e.a);
  const IntervalFrames& frames = scene_.over(e.lo, e.lo);
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 6 && on_a; ++round) {
    const prim::MovingPoint x = frames.a_in_b().place(scene_.local_a(on_a->point));
    const std::optional<SurfacePoint> on_b = b_.source().near(e.b, scene_.unscaled_b(x.c));
    if (!on_b) return false;
    ++counters_.triangle_distances;
    const Vec3 y = scene_.local_b(on_b->point), d = y - x.c;
    const double rounding = 0x1p-46 * (math::norm_above(x.c) + math::norm_above(y));
    const double doubt = (x.r + (on_a->radius + on_b->radius) * scene_.scale() + rounding) * (1 + 0x1p-50);
    const double gap = math::norm_above(d);
    if (!(gap + doubt < least)) break;
    // Points are only improved by a part of a percent, if at all, once the steps are short.
    const bool settled = gap + doubt > 0.99 * least;
    least = gap + doubt;
    if (least * (1 + 0x1p-50) <= scene_.tolerance + separation_)
      touch_ = {e.lo, gap / scene_.scale(), *on_a, *on_b, 0, on_b->point, d, doubt};
    if (settled) break;
    on_a = a_.source().near(e.a, scene_.unscaled_a(frames.b_in_a.place(y).c));
  }
  return touch_.time == e.lo;
}

bool SurfacePairSearch::later(const Entry& x, const Entry& y) {
  return x.lo != y.lo ? x.lo > y.lo : x.number < y.number;
}

void SurfacePairSearch::push(const Entry& e) {
  queue_.push_back(e);
  queue_.back().number = ++entries_;
  std::push_heap(queue_.begin(), queue_.end(), later);
}

void SurfacePairSearch::halve_time(const Entry& e) {
  Entry first = e, second = e;
  first.hi = second.lo = 0.5 * (e.lo + e.hi);
  push(second);
  push(first);
}

/// As the traversal of method `interval`.
void SurfacePairSearch::visit_nodes(const Entry& e) {
  const IntervalNode &a = data_a_.tree.nodes[e.node_a], &b = data_b_.tree.nodes[e.node_b];
  ++counters_.continuous_box_tests;
  const IntervalBox box_a{scene_.local_a(a.box.centre), a.box.axis, a.box.half * scene_.scale()};
  const IntervalBox box_b{scene_.local_b(b.box.centre), b.box.axis, b.box.half * scene_.scale()};
  const BoxCourse course(scene_.over(e.lo, e.hi).a_in_b(), box_b, box_a);
  if (course.apart(separation_ + scene_.tolerance, interval_.partial, counters_)) return;
  if (e.hi - e.lo > 0x1p-40 && course.worth_halving(interval_.subdivision, separation_ + scene_.tolerance)) {
    ++counters_.time_subdivisions;
    return halve_time(e);
  }
  if (a.leaf && b.leaf) {
    ++counters_.leaf_pairs;
    return push({e.lo, e.hi, 0, pieces, pieces, data_a_.leaves[a.first].cell, data_b_.leaves[b.first].cell});
  }
  ++counters_.node_pairs;
  const bool open_a = !a.leaf && (b.leaf || a.radius >= b.radius);
  for (std::uint32_t k = 0; k < 2; ++k) {
    Entry part = e;
    (open_a ? part.node_a : part.node_b) = (open_a ? a : b).first + k;
    push(part);
  }
}

bool SurfacePairSearch::fine(const SurfaceCell& cell, const SurfaceHull& hull, const SurfaceSource& source) const {
  return !source.divisible(cell) || hull.size() <= 0x1p-8 * scene_.tolerance / scene_.scale();
}

void SurfacePairSearch::visit_pieces(const Entry& e) {
  const SurfaceHull *a = a_(e.a), *b = b_(e.b);
  if (!a || !b) return;
  ++counters_.elementary_tests;
  const Judged judged = judge(e, *a, *b);
  if (judged.verdict == Verdict::apart) return;
  const bool fine_a = fine(e.a, *a, a_.source()), fine_b = fine(e.b, *b, b_.source());
  if ((judged.near || (fine_a && fine_b)) && touches(e)) {
    ended_ = true;
    return;
  }
  ++counters_.root_bisections;
  if (judged.verdict != Verdict::halve_time && !(fine_a && fine_b)) {
    const bool of_a = fine_b || (judged.verdict == Verdict::halve_a && !fine_a);
    for (const SurfaceCell& half : of_a ? a_.source().halves(e.a) : b_.source().halves(e.b)) {
      Entry part = e;
      (of_a ? part.a : part.b) = half;
      push(part);
    }
  } else if (e.hi - e.lo > 0x1p-50) {
    halve_time(e);
  } else {  // nothing left to halve, and no certified contact
    unresolved_ = e.lo;
    ended_ = true;
  }
}

void SurfacePairSearch::run() {
  push({0, 1, 0, 0, 0, {}, {}});
  core::Steps steps(work_);
  while (!queue_.empty() && !ended_) {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Entry e = queue_.back();
    queue_.pop_back();
    if (!steps.take()) {
      unresolved_ = e.lo;
      return;
    }
    if (e.node_a == pieces)
      visit_pieces(e);
    else
      visit_nodes(e);
  }
}

}  // namespace graze::classic::contact
