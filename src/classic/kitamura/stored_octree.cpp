// SPDX-License-Identifier: MIT
#include "classic/kitamura/stored_octree.hpp"

#include <numeric>

#include "classic/kitamura/cells.hpp"
#include "core/limits.hpp"
#include "prim/triangle_box.hpp"

namespace graze::classic::kitamura {

StoredOctree::StoredOctree(const PlacedBody& body, std::optional<int> level) : level_(level) {
  Box3 box;
  for (const Triangle& t : body.triangles)
    for (const std::uint32_t v : t) box.add(body.local[v]);
  nodes_.push_back({.cell = cube_around(box)});
  std::vector<std::uint32_t> all(body.triangles.size());
  std::iota(all.begin(), all.end(), 0U);
  fill(body, 0, 0, std::move(all));
}

void StoredOctree::fill(const PlacedBody& body, std::size_t node, int depth, std::vector<std::uint32_t> faces) {
  constexpr int automatic_level = 6;
  constexpr std::size_t few = 8;
  const Cell cell{nodes_[node].cell, depth};
  if (depth >= level_.value_or(automatic_level) || (!level_ && faces.size() <= few) || !can_cut(cell.box)) {
    nodes_[node].is_leaf = true;
    nodes_[node].first = static_cast<std::uint32_t>(faces_.size());
    nodes_[node].count = static_cast<std::uint32_t>(faces.size());
    faces_.insert(faces_.end(), faces.begin(), faces.end());
    return;
  }
  const CellParts parts = cut(cell, false);
  AllCounters unused;
  const std::size_t first = nodes_.size();
  std::vector<std::vector<std::uint32_t>> lists;
  for (std::size_t i = 0; i < parts.count; ++i) {
    const Box3& box = parts.cell[i].box;
    std::vector<std::uint32_t> inside;
    for (std::size_t k = 0; k < faces.size(); ++k) {
      if (k % 1024 == 0) core::poll_once();
      const std::uint32_t t = faces[k];
      const Triangle& c = body.triangles[t];
      if (prim::triangle_box({body.local[c[0]], body.local[c[1]], body.local[c[2]]}, box, unused)) inside.push_back(t);
    }
    if (inside.empty()) continue;  // white
    nodes_.push_back({.cell = box});
    lists.push_back(std::move(inside));
  }
  faces = {};  // only the lists on the path from the root are kept while building
  nodes_[node].first = static_cast<std::uint32_t>(first);
  nodes_[node].count = static_cast<std::uint32_t>(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) fill(body, first + i, depth + 1, std::move(lists[i]));
}

}  // namespace graze::classic::kitamura
