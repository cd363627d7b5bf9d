// SPDX-License-Identifier: MIT
#include "engine/ray/ray.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <graze/core/error.hpp>
#include <graze/math/interval.hpp>

#include "body/body_data.hpp"
#include "bvh/limits.hpp"
#include "core/fp_guard.hpp"
#include "core/refusal.hpp"
#include "engine/ray/details.hpp"
#include "engine/ray/fraction.hpp"
#include "engine/ray/rounded_fraction.hpp"
#include "math/nearest_ratio.hpp"
#include "math/placed_points.hpp"
#include "prim/edge_triangle.hpp"

namespace graze {

namespace {

double l1(const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

/// The segment in the tree's frame; rejects boxes that it cannot meet.
class Slabs {
 public:
  Slabs(const body::WideTree& tree, const math::RelativePlacement& placement, const Vec3& from, const Vec3& to)
      : from_(tree.frame.to_frame(placement.place(from))),
        direction_(tree.frame.to_frame(placement.place(to)) - from_) {
    // The ends have errors from their placement and from the change of frame. A fraction at a bound has a relative
    // error of a few eps, which moves the point there by as many eps of the segment's extent: 2^-46 of all numbers
    // together is more. 2^-21 covers boxes in single precision. If a number overflows, so does the slack (or it is
    // NaN).
    const double size = 1 + l1(from_) + l1(direction_);
    slack_ = std::ldexp(std::max(placement.error(from), placement.error(to)), 2 - tree.frame.exponent) +
             0x1p-46 * size + 0x1p-21;
    for (int axis = 0; axis < 3; ++axis) {
      reciprocal_[axis] = 1 / direction_[axis];
      has_reciprocal_[static_cast<std::size_t>(axis)] = std::isnormal(reciprocal_[axis]);
    }
  }

  /// For each child of a node a lower bound of the fraction at which the segment can be in its box; above 1 if never.
  /// If the segment is in the box at a fraction s, the rounded segment is in the box widened by the slack, so s >=
  /// entry (1 - 4 eps): a difference and a product with a rounded reciprocal are three roundings. If the slack is
  /// infinite or NaN, no comparison holds that could raise `enter` or lower `leave`, so nothing is missed.
  void entries(const bvh::WideNode& n, double (&enter)[bvh::WideNode::width]) const {
    constexpr int width = bvh::WideNode::width;
    double leave[width];
    std::fill_n(enter, width, 0.0);
    std::fill_n(leave, width, 1.0);
    for (int axis = 0; axis < 3; ++axis) {
      if (!has_reciprocal_[static_cast<std::size_t>(axis)]) {
        for (int i = 0; i < n.count; ++i) divide(n, axis, i, enter[i], leave[i]);
        continue;
      }
      // The side where the segment enters is the lower one if it goes upwards.
      const bool up = direction_[axis] > 0;
      const std::uint8_t *first = up ? n.lo[axis] : n.hi[axis], *last = up ? n.hi[axis] : n.lo[axis];
      const double outwards = up ? slack_ : -slack_, x = from_[axis], r = reciprocal_[axis];
      const float origin = n.origin[axis], scale = n.scale[axis];
      for (int i = 0; i < width; ++i) {  // children that do not exist, too: whole vectors
        const double t0 = (origin + scale * static_cast<float>(first[i]) - outwards - x) * r;
        const double t1 = (origin + scale * static_cast<float>(last[i]) + outwards - x) * r;
        enter[i] = t0 > enter[i] ? t0 : enter[i];
        leave[i] = t1 < leave[i] ? t1 : leave[i];
      }
    }
    for (int i = 0; i < width; ++i) enter[i] = enter[i] > leave[i] ? 2 : enter[i];
  }

 private:
  /// One axis of one box, along which the segment does not move or hardly moves.
  void divide(const bvh::WideNode& n, int axis, int i, double& enter, double& leave) const {
    const double lo = n.low(axis, i) - slack_, hi = n.high(axis, i) + slack_;
    const double x = from_[axis], d = direction_[axis];
    if (d == 0) {
      if (x < lo || x > hi) leave = -1;
      return;
    }
    double t0 = (lo - x) / d, t1 = (hi - x) / d;
    if (t0 > t1) std::swap(t0, t1);
    if (t0 > enter) enter = t0;
    if (t1 < leave) leave = t1;
  }

  Vec3 from_, direction_;
  double slack_;
  Vec3 reciprocal_;                       ///< of `direction_`
  std::array<bool, 3> has_reciprocal_{};  ///< is it normal? A subnormal one is not precise, an infinite one gives NaN
};

/// One ray against one body. The current hit is the first of all triangles tested so far: by the exact fraction, then
/// by id.
class Cast {
 public:
  Cast(const body::BodyData& data, const Pose& pose, const math::RelativePlacement& placement, const Vec3& from,
       const Vec3& to, RayHits hits, RayResult& result)
      : data_(data),
        pose_(pose),
        placement_(placement),
        from_(from),
        to_(to),
        hits_(hits),
        result_(result),
        counters_(result.counters),
        slabs_(data.tree, placement, from, to),
        points_(placement, counters_) {}

  void run() {
    walk();
    if (hits_ == RayHits::all) return finish_all();
    if (!found_) return;
    result_.hit = hit_of(best_, nearest_fraction());
    engine::ray::add_details({data_, pose_, placement_, from_, to_}, *result_.hit);
  }

 private:
  struct Waiting {
    double enter;
    std::uint32_t node;
  };

  void walk() {
    push(0, 0);
    while (size_ > 0 && !(found_ && hits_ == RayHits::any)) {
      const Waiting next = stack_[--size_];
      if (behind(next.enter)) continue;
      const bvh::WideNode& node = data_.tree.tree.nodes[next.node];
      if (node.bottom)
        test_triangles(node);
      else
        open(node);
    }
  }

  RayHit hit_of(std::uint32_t triangle, double s) const {
    RayHit hit;
    hit.fraction = s;
    hit.point = point_at(s);
    hit.triangle = TriangleId{triangle};
    hit.polygon = data_.mesh.polygon_of(hit.triangle);
    return hit;
  }

  /// By the exact fraction, then by triangle. Rounding keeps the order, so only equal rounded fractions are compared
  /// exactly.
  bool before(const RayHit& x, const RayHit& y) {
    if (x.fraction != y.fraction) return x.fraction < y.fraction;
    if (x.triangle == y.triangle) return false;
    const int order = engine::ray::compare(exact_fraction(index(x.triangle)), exact_fraction(index(y.triangle)));
    return order != 0 ? order < 0 : x.triangle < y.triangle;
  }

  /// Keeps the first hit of every polygon.
  void finish_all() {
    std::vector<RayHit>& all = result_.all;
    std::sort(all.begin(), all.end(), [&](const RayHit& x, const RayHit& y) {
      return x.polygon != y.polygon ? x.polygon < y.polygon : before(x, y);
    });
    const auto same_polygon = [](const RayHit& x, const RayHit& y) { return x.polygon == y.polygon; };
    all.erase(std::unique(all.begin(), all.end(), same_polygon), all.end());
    std::sort(all.begin(), all.end(), [&](const RayHit& x, const RayHit& y) { return before(x, y); });
    for (RayHit& hit : all) engine::ray::add_details({data_, pose_, placement_, from_, to_}, hit);
    if (!all.empty()) result_.hit = all.front();
  }

  void push(double enter, std::uint32_t node) { stack_[size_++] = {enter, node}; }

  /// Does everything at or after the fraction `enter` of Slabs come after the current hit? The fraction of a triangle
  /// in such a box is at least enter (1 - 4 eps), see Slabs::entries. With NaN: no.
  bool behind(double enter) const { return enter * (1 - 0x1p-48) > (found_ ? bounds_.hi : 1.0); }

  /// Pushes the children on the stack, the one that is entered first on top.
  void open(const bvh::WideNode& node) {
    const std::size_t first = size_;
    double entries[bvh::WideNode::width];
    slabs_.entries(node, entries);
    counters_.box_tests += node.count;
    for (int i = 0; i < node.count; ++i) {
      const double enter = entries[i];
      if (behind(enter)) continue;
      std::size_t at = size_++;
      for (; at > first && stack_[at - 1].enter < enter; --at) stack_[at] = stack_[at - 1];
      stack_[at] = {enter, node.first + static_cast<std::uint32_t>(i)};
    }
  }

  void test_triangles(const bvh::WideNode& node) {
    double entries[bvh::WideNode::width];
    slabs_.entries(node, entries);
    counters_.box_tests += node.count;
    for (int i = 0; i < node.count; ++i) {
      if (behind(entries[i])) continue;
      ++counters_.ray_tests;
      const std::uint32_t triangle = data_.tree.triangle(node.first + static_cast<std::uint32_t>(i));
      load(triangle);
      if (prim::edge_triangle(points_, {0, 1}, {2, 3, 4}) == prim::EdgeContact::none) continue;
      if (hits_ == RayHits::first) {
        meet(triangle);
        continue;
      }
      if (hits_ == RayHits::any) return take(triangle, {});
      best_ = triangle;
      best_exact_.reset();
      result_.all.push_back(hit_of(triangle, nearest_fraction()));
    }
  }

  void load(std::uint32_t triangle) {
    points_.clear();
    points_.add_b(from_);
    points_.add_b(to_);
    for (std::size_t k = 0; k < 3; ++k) points_.add_a(data_.corner(triangle, k));
  }
  engine::ray::ExactFraction exact_fraction(std::uint32_t triangle) {
    load(triangle);
    if (!exact_) exact_ = engine::ray::ExactPoints{placement_.exact_b(from_), placement_.exact_b(to_), {}, {}, {}};
    for (std::size_t k = 0; k < 3; ++k) (*exact_)[2 + k] = placement_.exact_a(data_.corner(triangle, k));
    return engine::ray::exact_fraction(points_, *exact_);
  }

  /// The fraction of the current hit, rounded to nearest.
  double nearest_fraction() {
    const auto corner = [&](std::size_t k) { return data_.corner(best_, k); };
    if (!best_exact_)
      if (const auto s = engine::ray::rounded_fraction(pose_, from_, to_, {corner(0), corner(1), corner(2)})) return *s;
    if (!best_exact_) best_exact_ = exact_fraction(best_);
    return math::nearest_ratio(best_exact_->num, best_exact_->den);
  }

  /// Handles the loaded triangle, which meets the segment.
  void meet(std::uint32_t triangle) {
    const engine::ray::FractionBounds bounds = engine::ray::fraction_bounds(points_);
    const bool wide = bounds.hi - bounds.lo > 0x1p-20;  // in the plane, or nearly: too wide to skip anything behind it
    if (!wide && (!found_ || bounds.hi < bounds_.lo)) return take(triangle, bounds);
    if (found_ && bounds.lo > bounds_.hi) return;
    engine::ray::ExactFraction exact = exact_fraction(triangle);
    if (found_) {
      if (!best_exact_) best_exact_ = exact_fraction(best_);
      const int order = engine::ray::compare(exact, *best_exact_);
      if (order > 0 || (order == 0 && triangle > best_)) return;
    }
    const double s = math::nearest_ratio(exact.num, exact.den);
    take(triangle, {next_down(s), next_up(s)});
    best_exact_ = std::move(exact);
  }
  void take(std::uint32_t triangle, const engine::ray::FractionBounds& bounds) {
    found_ = true;
    best_ = triangle;
    bounds_ = bounds;
    best_exact_.reset();
  }

  /// The point lies between the ends along every axis, and is an end if s is 0 or 1.
  Vec3 point_at(double s) const {
    Vec3 at;
    for (int k = 0; k < 3; ++k) {
      const double difference = to_[k] - from_[k];
      const double x = std::isfinite(difference) ? from_[k] + difference * s : from_[k] * (1 - s) + to_[k] * s;
      at[k] = s == 1 ? to_[k] : std::clamp(x, std::min(from_[k], to_[k]), std::max(from_[k], to_[k]));
    }
    return at;
  }

  const body::BodyData& data_;
  const Pose& pose_;
  const math::RelativePlacement& placement_;
  const Vec3 &from_, &to_;
  RayHits hits_;
  RayResult& result_;
  Counters& counters_;
  Slabs slabs_;
  math::PlacedPoints points_;
  // A node's children replace it: at most width - 1 more entries per level.
  std::array<Waiting, 2 + bvh::WideNode::width*(bvh::max_depth + 1)> stack_;
  std::size_t size_ = 0;
  std::optional<engine::ray::ExactPoints> exact_;  ///< of `points_`, computed on demand: the ends stay the same
  bool found_ = false;
  std::uint32_t best_ = 0;
  engine::ray::FractionBounds bounds_;                    ///< of the current hit
  std::optional<engine::ray::ExactFraction> best_exact_;  ///< its fraction, computed on demand
};

}  // namespace

void engine::ray::cast(const body::BodyData& body, const Pose& pose, const Vec3& from, const Vec3& to, RayHits hits,
                       RayResult& result) {
  const math::RelativePlacement placement(pose, Pose());
  Cast(body, pose, placement, from, to, hits, result).run();
}

engine::ray::ExactFraction engine::ray::exact_fraction(const RayHit& hit, const Body& body, const Pose& pose,
                                                       const Vec3& from, const Vec3& to) {
  if (hit.piece) {
    RayHit of_piece = hit;
    of_piece.piece.reset();
    return exact_fraction(of_piece, body.piece(*hit.piece), pose, from, to);
  }
  // Of a curved shape or a half-space the fraction is rounded. A start inside a box or a hull is on no triangle.
  if (!body.has_mesh() || (body.shape() && hit.fraction == 0)) return {math::Dyadic(hit.fraction), math::Dyadic(1)};
  const math::RelativePlacement placement(pose, Pose());
  Counters unused;
  math::PlacedPoints p(placement, unused);
  engine::ray::ExactPoints exact{placement.exact_b(from), placement.exact_b(to), {}, {}, {}};
  p.add_b(from);
  p.add_b(to);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& corner = body.data().corner(index(hit.triangle), k);
    p.add_a(corner);
    exact[2 + k] = placement.exact_a(corner);
  }
  return exact_fraction(p, exact);
}

}  // namespace graze
