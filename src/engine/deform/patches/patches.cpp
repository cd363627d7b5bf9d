// SPDX-License-Identifier: MIT
#include "engine/deform/patches/patches.hpp"

#include <algorithm>

#include "core/chunks.hpp"
#include "core/limits.hpp"

namespace graze::engine::deform {

namespace {

/// Each lane's contour test needs memory for every vertex. This many lanes are enough for a small part of a step.
constexpr std::size_t most_lanes = 4;

}  // namespace

void PatchesLeft::clear() {
  pairs.clear();
  proved.clear();
  counters = {};
}

bool PatchWalk::Lane::prove(const PatchSearch& s, Item& item) {
  const PatchNode& n = s.tree.nodes[item.node];
  if (s.cones.empty() || n.contour_size == 0 || !s.cones[item.node].is_narrow()) return false;
  ++counters.patch_cones;
  const ContourTest::Patch patch{s.topology,         s.tree,         s.at,         n, s.dops.nodes()[item.node],
                                 s.cones[item.node], s.dops.slack(), s.dops.unit()};
  if (!contour.prove(patch, s.accelerate, item.projection, item.meeting, counters)) return false;
  ++counters.contour_culled;
  return true;
}

void PatchWalk::Lane::run(const PatchSearch& s, std::uint32_t node, PatchesLeft& left,
                          std::vector<std::uint32_t>* branches) {
  stack.assign(1, {node, {}, ContourTest::no_steps});
  core::Poll poll;
  while (!stack.empty()) {
    poll();
    Item item = stack.back();
    stack.pop_back();
    const PatchNode& n = s.tree.nodes[item.node];
    if (!s.self && !n.several) continue;
    if (s.rules && s.rules->none_may(item.node, item.node)) continue;
    if (branches && s.tree.is_branch(n)) {
      branches->push_back(item.node);
    } else if (prove(s, item)) {
      left.proved.push_back({n.begin, n.end});
    } else if (n.is_leaf()) {
      left.pairs.push_back({item.node, item.node});
    } else {
      left.pairs.push_back({n.child, n.child + 1});
      stack.push_back({n.child + 1, item.projection, item.meeting});
      stack.push_back({n.child, item.projection, item.meeting});
    }
  }
}

void PatchWalk::run(const PatchSearch& s, PatchesLeft& left) {
  const std::size_t lanes = std::min(static_cast<std::size_t>(s.threads), most_lanes);
  while (lanes_.size() < lanes) lanes_.push_back(std::make_unique<Lane>());
  for (const auto& lane : lanes_) {
    lane->counters = {};
    if (!s.cones.empty()) lane->contour.begin_step(s.topology.vertex_count());
  }
  left.clear();
  open_.clear();
  lanes_[0]->run(s, 0, left, &open_);
  if (of_branches_.size() < open_.size()) of_branches_.resize(open_.size());
  core::in_lanes(open_.size(), lanes, [&](std::size_t lane, std::size_t i) {
    of_branches_[i].clear();
    lanes_[lane]->run(s, open_[i], of_branches_[i], nullptr);
  });
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const PatchesLeft& of = of_branches_[i];
    left.pairs.insert(left.pairs.end(), of.pairs.begin(), of.pairs.end());
    left.proved.insert(left.proved.end(), of.proved.begin(), of.proved.end());
  }
  for (const auto& lane : lanes_) left.counters += lane->counters;
  // Sort, because patches above the branches were visited first.
  std::sort(left.proved.begin(), left.proved.end(),
            [](const ProvedPatch& a, const ProvedPatch& b) { return a.begin < b.begin; });
}

std::size_t PatchWalk::bytes() const {
  std::size_t sum = 0;
  for (const auto& lane : lanes_) sum += lane->contour.bytes();
  return sum;
}

}  // namespace graze::engine::deform
