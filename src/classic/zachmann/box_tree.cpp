// SPDX-License-Identifier: MIT
#include "classic/zachmann/box_tree.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "classic/zachmann/box_tree_clip.hpp"
#include "classic/zachmann/box_tree_leaves.hpp"
#include "classic/zachmann/box_tree_traverse.hpp"
#include "core/in_order.hpp"
#include "core/refusal.hpp"

namespace graze::classic::zachmann {

std::optional<ErrorDetail> BoxTree::refuses(const engine::collide::CollideQuery& query) {
  const BoxTreeBuild& b = query.options.zachmann.value().box_tree.build;
  const auto bad = [](std::string name, std::string range) {
    return core::bad_option("box_tree." + name, name + " must be " + range);
  };
  // Written so that NaN fails.
  if (b.max_depth < 0 || b.max_depth > 64) return bad("max_depth", "between 0 and 64");
  if (b.min_polygons < 1) return bad("min_polygons", "at least 1");
  if (!(b.gamma >= 0 && b.gamma <= 1e9)) return bad("gamma", "between 0 and 1e9");
  if (!(b.lambda > 0 && b.lambda <= 1)) return bad("lambda", "above 0 and at most 1");
  if (!(b.thickness >= 0 && b.thickness <= 0.01)) return bad("thickness", "between 0 and 0.01");
  if (b.max_iterations < 1 || b.max_iterations > 1000) return bad("max_iterations", "between 1 and 1000");
  if (!(b.max_penalty >= 0)) return bad("max_penalty", "0 or more");
  if (b.max_copies < 1 || b.max_copies > 1000) return bad("max_copies", "between 1 and 1000");
  return std::nullopt;
}

namespace {

/// The leaf pairs of a traversal, tested by several threads (Zachmann 6.3.1: "collect all intersecting elementary boxes
/// in an array; then this array could be processed in parallel"). In batches, so that a query that is answered early
/// does not traverse the rest; and the first pairs by the traversing thread alone, because waking others takes as long.
class CollectedLeaves {
 public:
  CollectedLeaves(const engine::collide::CollideQuery& query, const BoxTreeFrame& frame, const BoxTreeData& a,
                  const BoxTreeData& b, CollideResult& result)
      : query_(query), frame_(frame), a_(a), b_(b), result_(result), first_(query, frame, a, b, result) {}

  bool done() {
    done_ = done_ || engine::collide::over(query_.limits, query_.counters);
    return done_;
  }

  void operator()(std::uint32_t leaf_a, std::uint32_t leaf_b, const std::array<Box3, 2>& boxes) {
    if (alone_left_ > 0) {
      --alone_left_;
      first_(leaf_a, leaf_b, boxes);
      done_ = first_.done();
      return;
    }
    pairs_.push_back({leaf_a, leaf_b, boxes});
    if (pairs_.size() == batch) test_all();
  }

  /// Tests the collected pairs.
  void test_all() {
    if (pairs_.empty() || done()) return;
    core::in_order((pairs_.size() + part - 1) / part, query_.options.threads,
                   [&](std::size_t i) {
                     auto tested = std::make_unique<Part>(query_, frame_, a_, b_);
                     for (std::size_t k = i * part;
                          k < std::min(pairs_.size(), (i + 1) * part) && !tested->leaves.done(); ++k)
                       tested->leaves(pairs_[k].a, pairs_[k].b, pairs_[k].boxes);
                     tested->done = tested->leaves.done();
                     return tested;
                   },
                   [&](const std::unique_ptr<Part>& tested) { take(*tested); });
    pairs_.clear();
  }

 private:
  // A pair takes some microseconds. Parts do not depend on the number of threads, and neither do the counters: each
  // part places its leaves by itself, and remembers the pairs that it tested.
  static constexpr std::size_t part = 64, batch = 32 * part;

  struct LeafPair {
    std::uint32_t a, b;
    std::array<Box3, 2> boxes;
  };
  struct Part {
    Part(const engine::collide::CollideQuery& q, const BoxTreeFrame& frame, const BoxTreeData& a, const BoxTreeData& b)
        : query{q.a, q.b, q.pose_a, q.pose_b, q.options, q.placement, work, q.limits},
          leaves(query, frame, a, b, result) {}
    AllCounters work;
    engine::collide::CollideQuery query;
    CollideResult result;
    BoxTreeLeaves leaves;
    bool done = false;
  };

  /// As BoxTreeLeaves does with what it finds itself.
  void take(Part& tested) {
    query_.counters += tested.work;
    done_ = tested.done;
    CollideResult& found = tested.result;
    if (found.pairs.empty()) return;
    const bool better =
        !result_.kind || (*found.kind == ContactKind::crossing && *result_.kind == ContactKind::touching);
    result_.status = Status::contact;
    if (query_.options.all)
      result_.pairs.insert(result_.pairs.end(), found.pairs.begin(), found.pairs.end());
    else if (better)
      result_.pairs = std::move(found.pairs);
    if (better) result_.kind = found.kind;
  }

  const engine::collide::CollideQuery& query_;
  const BoxTreeFrame& frame_;
  const BoxTreeData &a_, &b_;
  CollideResult& result_;
  BoxTreeLeaves first_;
  std::size_t alone_left_ = 32;
  std::vector<LeafPair> pairs_;
  bool done_ = false;
};

template <class Test>
void traverse_boxes(const engine::collide::CollideQuery& query, const BoxTreeFrame& frame, const BoxTreeData& a,
                    const BoxTreeData& b, const Test& test, CollideResult& result) {
  // Work is counted sequentially: the point where the budget ends must not depend on the number of threads.
  if (query.options.threads > 1 && !(query.limits && query.limits->work > 0)) {
    CollectedLeaves leaves(query, frame, a, b, result);
    BoxTreeTraversal(a, b, test, leaves, query.counters).run();
    leaves.test_all();
  } else {
    BoxTreeLeaves leaves(query, frame, a, b, result);
    BoxTreeTraversal(a, b, test, leaves, query.counters).run();
  }
}

}  // namespace

void BoxTree::run(const engine::collide::CollideQuery& query, CollideResult& result) {
  const BoxTreeOptions& options = query.options.zachmann.value().box_tree;
  const std::shared_ptr<const BoxTreeData> a = box_tree_of(query.a, options.build),
                                           b = box_tree_of(query.b, options.build);
  const BoxTreeFrame frame(query.placement, *a, *b);
  result.status = Status::free;
  if (options.axis_aligned) {
    const BoxTreeAligned test(frame, *a, *b);
    traverse_boxes(query, frame, *a, *b, test, result);
  } else {
    const BoxTreeClip test(frame, *a, *b, {options.reuse_lines, options.flag_outside_edges}, query.counters);
    traverse_boxes(query, frame, *a, *b, test, result);
  }
}

}  // namespace graze::classic::zachmann
