// SPDX-License-Identifier: MIT
#include "query/deform/patches.hpp"

namespace graze::query {

bool PatchWalk::prove(const PatchSearch& s, Item& item, Counters& counters) {
  const PatchNode& n = s.tree.nodes[item.node];
  if (s.cones.empty() || n.contour_size == 0 || !s.cones[item.node].is_narrow()) return false;
  ++counters.patch_cones;
  const ContourTest::Patch patch{s.topology,         s.tree,         s.at,         n, s.dops.nodes()[item.node],
                                 s.cones[item.node], s.dops.slack(), s.dops.unit()};
  if (!contour_.prove(patch, s.accelerate, item.projection, item.meeting, counters)) return false;
  ++counters.contour_culled;
  return true;
}

void PatchWalk::run(const PatchSearch& s, PatchesLeft& left) {
  left.pairs.clear();
  left.proved.clear();
  left.counters = {};
  if (!s.cones.empty()) contour_.begin_step(s.topology.vertex_count());
  stack_.assign(1, {0, {}, ContourTest::no_steps});
  while (!stack_.empty()) {
    Item item = stack_.back();
    stack_.pop_back();
    const PatchNode& n = s.tree.nodes[item.node];
    if (!s.self && !n.several) continue;
    if (prove(s, item, left.counters)) {
      left.proved.push_back({n.begin, n.end});
    } else if (n.is_leaf()) {
      left.pairs.push_back({item.node, item.node});
    } else {
      left.pairs.push_back({n.child, n.child + 1});
      stack_.push_back({n.child + 1, item.projection, item.meeting});
      stack_.push_back({n.child, item.projection, item.meeting});
    }
  }
}

}  // namespace graze::query
