// SPDX-License-Identifier: MIT
#include "classic/zachmann/dual.hpp"

#include <algorithm>
#include <atomic>

#include <graze/classic/zachmann.hpp>

#include "classic/zachmann/separating_plane.hpp"
#include "core/parallel.hpp"
#include "engine/collide/tree.hpp"

namespace graze::classic::zachmann {

namespace {

engine::collide::CollideQuery part_of(const engine::collide::CollideQuery& q, const CollideOptions& options,
                                      AllCounters& counters, core::Limits& limits) {
  engine::collide::CollideQuery part{q.a, q.b, q.pose_a, q.pose_b, options, q.placement, counters};
  part.limits = &limits;
  return part;
}

/// Subtracts the plane's work from the tree's budget. At least 1 remains, because 0 would mean no limit.
void leave_rest(const core::Limits* whole, const AllCounters& done, core::Limits& rest) {
  if (!whole || whole->work == 0) return;
  rest.work = whole->work - std::min(whole->work - 1, engine::collide::work_of(done));
}

/// So much work of the tree takes about as long as it takes to wake another thread. Most queries end within it.
constexpr std::uint64_t work_alone = 2048;

/// Asks the tree within that work, on this thread. False: it did not finish, and only its counters are left.
bool tree_finishes_alone(const engine::collide::CollideQuery& q, CollideResult& result) {
  CollideOptions options = q.options;
  options.threads = 1;
  core::Limits limits;
  limits.outer = q.limits;
  limits.work = work_alone;
  engine::collide::Tree::run(part_of(q, options, q.counters, limits), result);
  if (!limits.cut()) return true;
  result.status = Status::undecided;
  result.kind.reset();
  result.pairs.clear();
  return false;
}

/// Without a race, the tree waits for the plane: the plane's time is limited.
Options with_fewer_updates(Options options) {
  options.separating_plane.max_updates = std::min(options.separating_plane.max_updates, 32);
  return options;
}

}  // namespace

std::optional<ErrorDetail> Dual::refuses(const engine::collide::CollideQuery& query) {
  return SeparatingPlane::refuses(query);
}

void Dual::run(const engine::collide::CollideQuery& q, CollideResult& result) {
  CollideOptions plane_options = q.options, tree_options = q.options;
  // The work of a race is not reproducible, so a work budget excludes it.
  const bool race = q.options.threads > 1 && !(q.limits && q.limits->work > 0);
  if (!race) plane_options.zachmann = with_fewer_updates(q.options.zachmann.value());
  if (race && (tree_finishes_alone(q, result) || (q.limits && q.limits->cut()))) return;
  tree_options.threads = std::max(1, q.options.threads - 1);
  std::atomic<bool> stop{false};
  core::Limits plane_limits, tree_limits;
  plane_limits.outer = tree_limits.outer = q.limits;
  plane_limits.stop = tree_limits.stop = &stop;
  if (q.limits) plane_limits.work = q.limits->work;
  CollideResult plane;
  AllCounters plane_work;
  const auto by_plane = [&] {
    if (stop.load(std::memory_order_relaxed)) return;
    SeparatingPlane::run(part_of(q, plane_options, plane_work, plane_limits), plane);
    if (plane.status == Status::free) stop.store(true, std::memory_order_relaxed);
  };
  const auto by_tree = [&] {
    engine::collide::Tree::run(part_of(q, tree_options, q.counters, tree_limits), result);
    stop.store(true, std::memory_order_relaxed);
  };
  if (race) {
    // This thread takes the tree. If no other one is free, the plane follows, and finds that the race is over.
    core::parallel_for(2, 2, [&](std::size_t i) { i == 0 ? by_tree() : by_plane(); });
  } else {
    by_plane();
    if (plane.status != Status::free && !plane_limits.cut()) {
      leave_rest(q.limits, plane_work, tree_limits);
      by_tree();
    }
    if (q.limits && (plane_limits.cut() || tree_limits.cut())) q.limits->end();
  }
  // Certain: the plane's `free` was checked exactly at every vertex. Otherwise the tree was not stopped and ran to its
  // end.
  if (plane.status == Status::free) {
    result.status = Status::free;
    result.kind.reset();
    result.pairs.clear();
  }
  q.counters += plane_work;
}

}  // namespace graze::classic::zachmann
