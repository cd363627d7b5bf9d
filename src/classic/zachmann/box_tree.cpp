// SPDX-License-Identifier: MIT
#include "classic/zachmann/box_tree.hpp"

#include <string>

#include "classic/zachmann/box_tree_clip.hpp"
#include "classic/zachmann/box_tree_leaves.hpp"
#include "classic/zachmann/box_tree_traverse.hpp"
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

void BoxTree::run(const engine::collide::CollideQuery& query, CollideResult& result) {
  const BoxTreeOptions& options = query.options.zachmann.value().box_tree;
  const std::shared_ptr<const BoxTreeData> a = box_tree_of(query.a, options.build),
                                           b = box_tree_of(query.b, options.build);
  const BoxTreeFrame frame(query.placement, *a, *b);
  BoxTreeLeaves leaves(query, frame, *a, *b, result);
  result.status = Status::free;
  if (options.axis_aligned) {
    const BoxTreeAligned test(frame, *a, *b);
    BoxTreeTraversal(*a, *b, test, leaves, query.counters).run();
  } else {
    const BoxTreeClip test(frame, *a, *b, {options.reuse_lines, options.flag_outside_edges}, query.counters);
    BoxTreeTraversal(*a, *b, test, leaves, query.counters).run();
  }
}

}  // namespace graze::classic::zachmann
