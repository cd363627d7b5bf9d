// SPDX-License-Identifier: MIT
#include "query/collide/dual.hpp"

#include <algorithm>
#include <atomic>

#include "core/parallel.hpp"
#include "query/collide/separating_plane.hpp"
#include "query/collide/tree.hpp"

namespace graze::query {

namespace {

CollideQuery part_of(const CollideQuery& q, const CollideOptions& options, CollideLimits& limits) {
  CollideQuery part{q.a, q.b, q.pose_a, q.pose_b, options, q.placement};
  part.limits = &limits;
  return part;
}

/// What the plane did leaves that much less for the tree; nothing left is a cut.
void leave_rest(const CollideLimits* whole, const Counters& done, CollideLimits& rest) {
  if (!whole || whole->work == 0) return;
  rest.work = whole->work - std::min(whole->work - 1, work_of(done));
}

}  // namespace

std::optional<ErrorDetail> Dual::refuses(const CollideQuery& query) { return SeparatingPlane::refuses(query); }

void Dual::run(const CollideQuery& q, CollideResult& result) {
  CollideOptions plane_options = q.options, tree_options = q.options;
  // A race cannot count its work the same way twice.
  const bool race = q.options.threads > 1 && !(q.limits && q.limits->work > 0);
  if (!race) plane_options.separating_plane.max_updates = std::min(q.options.separating_plane.max_updates, 32);
  tree_options.threads = std::max(1, q.options.threads - 1);
  std::atomic<bool> stop{false};
  CollideLimits plane_limits, tree_limits;
  plane_limits.outer = tree_limits.outer = q.limits;
  plane_limits.stop = tree_limits.stop = &stop;
  CollideResult plane;
  const auto by_plane = [&] {
    SeparatingPlane::run(part_of(q, plane_options, plane_limits), plane);
    if (plane.status == Status::free) stop.store(true, std::memory_order_relaxed);
  };
  const auto by_tree = [&] {
    Tree::run(part_of(q, tree_options, tree_limits), result);
    stop.store(true, std::memory_order_relaxed);
  };
  if (race) {
    core::parallel_for(2, 2, [&](std::size_t i) { i == 0 ? by_plane() : by_tree(); });
  } else {
    by_plane();
    if (plane.status != Status::free && !(q.limits && q.limits->cut())) {
      leave_rest(q.limits, plane.counters, tree_limits);
      by_tree();
      if (tree_limits.cut()) q.limits->set_cut();
    }
  }
  // Certain: the plane's `free` was checked exactly at every vertex. Else nobody stopped the tree, and it came to its
  // end.
  if (plane.status == Status::free) {
    result.status = Status::free;
    result.kind.reset();
    result.pairs.clear();
  }
  result.counters += plane.counters;
}

}  // namespace graze::query
