// SPDX-License-Identifier: MIT
#include "engine/deform/tree/forest.hpp"

#include <utility>

#include "engine/deform/tree/agglomerate.hpp"

namespace graze::engine::deform {

std::uint32_t join(Forest& f, std::uint32_t a, std::uint32_t b) {
  f.joined.push_back({a, b});
  f.counts.push_back(f.counts[a] + f.counts[b]);
  f.boxes.push_back(united(f.boxes[a], f.boxes[b]));
  return static_cast<std::uint32_t>(f.counts.size() - 1);
}

std::vector<std::uint32_t> join_units(Forest& f, core::LargeVector<std::array<std::uint32_t, 2>> touching,
                                      int threads) {
  Joining j{std::move(f.boxes), std::move(f.counts), std::move(touching), {}, {}};
  agglomerate(j, threads);
  f.boxes = std::move(j.boxes);
  f.counts = std::move(j.counts);
  f.joined = std::move(j.joined);
  return std::move(j.roots);
}

void join_parts(Forest& f, const std::vector<std::uint32_t>& parts, int threads) {
  if (parts.size() == 1) {
    f.root = parts[0];
    return;
  }
  std::vector<bvh::BoxF> boxes;
  for (const std::uint32_t r : parts) boxes.push_back(f.boxes[r]);
  const bvh::Tree top = bvh::build(boxes, {.max_leaf_size = patch_leaf_size, .threads = threads});
  std::vector<std::uint32_t> number(top.nodes.size());
  for (std::size_t i = top.nodes.size(); i-- > 0;) {
    const bvh::Node& n = top.nodes[i];
    if (!n.is_leaf()) {
      number[i] = join(f, number[n.first], number[n.first + 1]);
      continue;
    }
    number[i] = parts[top.items[n.first]];
    for (std::uint32_t k = n.first + 1; k < n.first + n.count; ++k) number[i] = join(f, number[i], parts[top.items[k]]);
  }
  f.root = number[0];
}

}  // namespace graze::engine::deform
