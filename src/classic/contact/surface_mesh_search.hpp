// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include <graze/classic/contact.hpp>

#include "classic/contact/interval_boxes.hpp"
#include "classic/contact/surface_piece.hpp"
#include "core/limits.hpp"

namespace graze::classic::contact {

/// The traversal of method `interval` over the trees of a surface (A) and a mesh (B), with pieces of the surface
/// against triangles at its leaves.
class SurfaceMeshSearch {
 public:
  SurfaceMeshSearch(IntervalScene& scene, const SurfaceData& a, const Mesh& mesh, const IntervalTree& b,
                    const IntervalOptions& interval, double separation, std::uint64_t work, AllCounters& counters)
      : scene_(scene),
        a_(a),
        mesh_(mesh),
        b_(b),
        interval_(interval),
        separation_(separation),
        work_left_(work > 0 ? work : ~std::uint64_t{0}),
        counters_(counters) {}

  /// Every pair of leaves is certified apart, or solved, up to the earliest contact found.
  void run() {
    stack_.push_back({0, 0, 0, 1});
    core::Steps time(0);
    while (!stack_.empty() && work_left_ > 0 && time.take()) {
      const Entry e = stack_.back();
      stack_.pop_back();
      visit(e);
    }
    for (const Entry& e : stack_) unresolved_ = std::min(unresolved_, e.lo);
  }

  const SurfaceTouch& best() const { return best_; }
  /// The earliest time at which something is not decided.
  double unresolved() const { return unresolved_; }

 private:
  struct Entry {
    std::uint32_t a, b;
    double lo, hi;
  };

  double horizon() const { return std::min({interval_.current_time ? best_.time : 1.0, unresolved_, 1.0}); }

  void visit(Entry e) {
    const double horizon = this->horizon();
    if (e.hi > horizon) {
      ++counters_.current_time_cuts;
      if (e.lo > horizon) return;
      e.hi = horizon;
    }
    const IntervalNode &a = a_.tree.nodes[e.a], &b = b_.nodes[e.b];
    --work_left_;
    ++counters_.continuous_box_tests;
    const IntervalBox box_a{scene_.local_a(a.box.centre), a.box.axis, a.box.half * scene_.scale()};
    const IntervalBox box_b{scene_.local_b(b.box.centre), b.box.axis, b.box.half * scene_.scale()};
    const BoxCourse course(scene_.over(e.lo, e.hi).a_in_b(), box_b, box_a);
    if (course.apart(separation_ + scene_.tolerance, interval_.partial, counters_)) return;
    if (e.hi - e.lo > 0x1p-40 && course.worth_halving(interval_.subdivision, separation_ + scene_.tolerance)) {
      ++counters_.time_subdivisions;
      const double middle = 0.5 * (e.lo + e.hi);
      stack_.push_back({e.a, e.b, middle, e.hi});
      stack_.push_back({e.a, e.b, e.lo, middle});
    } else if (a.leaf && b.leaf) {
      solve(a.first, b.first, e);
    } else {
      open(e, a, b);
    }
  }

  void open(const Entry& e, const IntervalNode& a, const IntervalNode& b) {
    ++counters_.node_pairs;
    Entry first = e, second = e;
    if (!a.leaf && (b.leaf || a.radius >= b.radius)) {
      first.a = a.first;
      second.a = a.first + 1;
    } else {
      first.b = b.first;
      second.b = b.first + 1;
    }
    if (interval_.directional && distance(second) < distance(first)) std::swap(first, second);
    stack_.push_back(second);
    stack_.push_back(first);
  }

  double distance(const Entry& e) {
    const prim::MovingPoint x = scene_.over(e.lo, e.lo).a_in_b().place(scene_.local_a(a_.tree.nodes[e.a].box.centre));
    const Vec3 d = x.c - scene_.local_b(b_.nodes[e.b].box.centre);
    return dot(d, d);
  }

  void solve(std::uint32_t piece, std::uint32_t triangle, const Entry& e) {
    ++counters_.leaf_pairs;
    std::array<Vec3, 3> face;
    for (std::size_t k = 0; k < 3; ++k) face[k] = scene_.local_b(mesh_.positions()[mesh_.triangles()[triangle][k]]);
    SurfacePiece pair(scene_, counters_, *a_.source, face, separation_);
    const SurfaceTouch touch = pair.first(a_.leaves[piece], e.lo, e.hi, work_left_);
    unresolved_ = std::min(unresolved_, pair.unresolved());
    if (!(touch.time < best_.time)) return;
    best_ = touch;
    best_.triangle = triangle;
  }

  IntervalScene& scene_;
  const SurfaceData& a_;
  const Mesh& mesh_;
  const IntervalTree& b_;
  const IntervalOptions& interval_;
  double separation_;  // scaled, rounded up
  std::uint64_t work_left_;
  AllCounters& counters_;
  std::vector<Entry> stack_;
  SurfaceTouch best_;
  double unresolved_ = SurfaceTouch::never;
};

}  // namespace graze::classic::contact
