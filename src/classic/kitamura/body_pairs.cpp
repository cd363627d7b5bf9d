// SPDX-License-Identifier: MIT
#include "classic/kitamura/body_pairs.hpp"

#include <algorithm>

#include "bvh/traverse.hpp"
#include "classic/kitamura/scene_frame.hpp"

namespace graze::classic::kitamura {

namespace {

void pairs_by_tree(const Scene& scene, Counters& counters, std::vector<BodyPair>& out) {
  std::vector<Box3> boxes;
  for (const PlacedBody& body : scene.bodies()) boxes.push_back(body.box);
  const SceneFrame frame(boxes);
  std::vector<bvh::BoxF> mapped;
  for (const Box3& box : boxes) mapped.push_back(frame.map(box));
  const bvh::Tree tree = bvh::build(mapped, {.max_leaf_size = 2});
  bvh::traverse_self(
      tree,
      [&](const bvh::Node& a, const bvh::Node& b) {
        ++counters.box_tests;
        return &a == &b || bvh::overlap(a.box, b.box);
      },
      [&](const bvh::Node& a, const bvh::Node& b) {
        for (const std::uint32_t i : bvh::items_of(tree, a))
          for (const std::uint32_t j : bvh::items_of(tree, b)) {
            if (&a == &b && i >= j) continue;
            ++counters.box_tests;
            if (boxes[i].overlaps(boxes[j])) out.push_back({std::min(i, j), std::max(i, j)});
          }
        return bvh::Visit::proceed;
      });
}

}  // namespace

std::vector<BodyPair> overlapping_bodies(const Scene& scene, bool by_tree, bool self, Counters& counters) {
  const auto n = static_cast<std::uint32_t>(scene.size());
  std::vector<BodyPair> out;
  if (by_tree && n > 1) {
    pairs_by_tree(scene, counters, out);
  } else {
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = i + 1; j < n; ++j) {
        ++counters.box_tests;
        if (scene[i].box.overlaps(scene[j].box)) out.push_back({i, j});
      }
  }
  for (std::uint32_t i = 0; self && i < n; ++i) out.push_back({i, i});
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace graze::classic::kitamura
