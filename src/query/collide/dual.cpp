// SPDX-License-Identifier: MIT
#include "query/collide/dual.hpp"

#include <atomic>

#include "core/parallel.hpp"
#include "query/collide/separating_plane.hpp"
#include "query/collide/tree.hpp"

namespace graze::query {

namespace {

CollideQuery part_of(const CollideQuery& q, const CollideOptions& options, const std::atomic<bool>* stop) {
  CollideQuery part{q.a, q.b, q.pose_a, q.pose_b, options, q.placement};
  part.stop = stop;
  return part;
}

}  // namespace

std::optional<ErrorDetail> Dual::refuses(const CollideQuery& query) { return SeparatingPlane::refuses(query); }

void Dual::run(const CollideQuery& q, CollideResult& result) {
  CollideOptions plane_options = q.options, tree_options = q.options;
  const bool race = q.options.threads > 1;
  if (!race) plane_options.separating_plane.max_updates = std::min(q.options.separating_plane.max_updates, 32);
  tree_options.threads = std::max(1, q.options.threads - 1);
  std::atomic<bool> stop{false};
  CollideResult plane;
  const auto by_plane = [&] {
    SeparatingPlane::run(part_of(q, plane_options, race ? &stop : nullptr), plane);
    if (plane.status == Status::free) stop.store(true, std::memory_order_relaxed);
  };
  const auto by_tree = [&] {
    Tree::run(part_of(q, tree_options, race ? &stop : nullptr), result);
    stop.store(true, std::memory_order_relaxed);
  };
  if (race) {
    core::parallel_for(2, 2, [&](std::size_t i) { i == 0 ? by_plane() : by_tree(); });
  } else {
    by_plane();
    if (plane.status != Status::free) by_tree();
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
