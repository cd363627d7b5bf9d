// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

/// Pairs of clusters whose boxes meet: of vertices and faces, and of edges with j >= i. A warp takes a cluster and a
/// top node of the other tree and goes down there, its lanes being the children of a node.
struct FindClusterPairs {
  struct Scratch {
    ClusterPair found[2 * lanes];
  };
  static constexpr int warps_per_block = 8, blocks_at_least = 4;
  static constexpr std::uint32_t few_top_nodes = 8;  ///< these are not looked at, and have no boxes
  StepView s;

  GRAZE_DEVICE static std::uint32_t below(int lane) { return (1u << lane) - 1; }

  GRAZE_DEVICE void flush(Warp& warp, Scratch& scratch, bool edges, std::uint32_t n) const {
    const List<ClusterPair>& out = s.pairs[edges ? 1 : 0];
    const std::uint64_t first = warp.once([&] { return fetch_add(out.count, std::uint64_t{n}); });
    warp.each([&](int lane) {
      for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < n; k += lanes)
        if (first + k < out.room) out.items[first + k] = scratch.found[k];
    });
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    // Where there are many top nodes, an item is a row and 32 of these; else a row and one of them.
    const auto groups = [](const BoxTree& tree) {
      return tree.size[3] > few_top_nodes ? (tree.size[3] + lanes - 1) / lanes : tree.size[3];
    };
    const std::uint64_t of_faces = std::uint64_t{s.vertex_boxes.size[1]} * groups(s.face_boxes),
                        all = of_faces + std::uint64_t{s.edge_boxes.size[1]} * groups(s.edge_boxes);
    std::uint32_t held = 0;
    bool before = false;
    for (std::uint64_t i = number; i < all; i += count) {
      const bool edges = i >= of_faces;
      if (edges != before && held > 0) {
        flush(warp, scratch, before, held);
        held = 0;
      }
      before = edges;
      const BoxTree& tree = edges ? s.edge_boxes : s.face_boxes;
      const std::uint64_t item = edges ? i - of_faces : i;
      const auto row = static_cast<std::uint32_t>(item / groups(tree)),
                 group = static_cast<std::uint32_t>(item % groups(tree));
      const std::uint32_t first = edges ? row : 0;  // no pair of edges twice
      const BoxPair box = (edges ? s.edge_boxes : s.vertex_boxes).level[1][row];
      // Those of 32 nodes from `from` on that the row meets.
      const auto meets = [&](int level, std::uint32_t from) {
        return warp.ballot([&](int lane) {
          const std::uint32_t node = from + static_cast<std::uint32_t>(lane);
          if (node >= tree.size[level] || (node + 1) << (5 * (level - 1)) <= first) return false;
          return !apart(box, tree.level[level][node]);
        });
      };
      const bool many = tree.size[3] > few_top_nodes;
      const std::uint32_t hyper_from = many ? group * lanes : group;
      for (std::uint32_t hypers = many ? meets(3, hyper_from) : 1; hypers != 0; hypers &= hypers - 1) {
        const std::uint32_t hyper = hyper_from + static_cast<std::uint32_t>(lowest_bit(hypers));
        if ((hyper + 1) << 10 <= first) continue;
        for (std::uint32_t supers = meets(2, hyper * lanes); supers != 0; supers &= supers - 1) {
          const std::uint32_t super = hyper * lanes + static_cast<std::uint32_t>(lowest_bit(supers));
          const std::uint32_t clusters = meets(1, super * lanes);
          if (clusters == 0) continue;
          warp.each([&](int lane) {
            if ((clusters >> lane & 1) == 0) return;
            scratch.found[held + static_cast<std::uint32_t>(count_bits(clusters & below(lane)))] = {
                row, super * lanes + static_cast<std::uint32_t>(lane)};
          });
          held += static_cast<std::uint32_t>(count_bits(clusters));
          if (held < lanes) continue;
          flush(warp, scratch, edges, held);
          held = 0;
        }
      }
    }
    if (held > 0) flush(warp, scratch, before, held);
  }
};

}  // namespace graze::gpu
