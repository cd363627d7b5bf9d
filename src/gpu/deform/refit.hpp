// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/deform/project.hpp"
#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

/// The boxes of features and of their clusters. A warp takes a cluster, a lane a feature. Also finds the first vertex
/// that has a position that is not finite, and empties the buckets of contacts.
struct RefitFeatures {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  template <int n>
  GRAZE_DEVICE BoxPair of(const std::uint32_t (&v)[n]) const {
    Vec3 at[2][n];
    for (int i = 0; i < n; ++i) {
      at[0][i] = s.start[v[i]];
      at[1][i] = s.end[v[i]];
    }
    return widened_bounds(at, s.unit, s.margin);
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    const std::uint32_t vertex = s.vertex_boxes.size[1], face = vertex + s.face_boxes.size[1],
                        all = face + s.edge_boxes.size[1];
    for_all(warp, number, count, s.order.buckets, [&](std::uint64_t i) { s.order.filled[i] = 0; });
    for_all(warp, number, count, s.vertex_names, [&](std::uint64_t i) {
      if (!all_finite(s.start[i]) || !all_finite(s.end[i])) fetch_max(&s.counts->not_finite, ~i);
    });
    for (std::uint32_t i = number; i < all; i += count) {
      const bool is_vertex = i < vertex, is_face = i < face;
      const BoxTree& tree = is_vertex ? s.vertex_boxes : is_face ? s.face_boxes : s.edge_boxes;
      const std::uint32_t cluster = i - (is_vertex ? 0 : is_face ? vertex : face);
      PerLane<BoxPair> boxes;
      warp.each([&](int lane) {
        const std::uint32_t at = cluster * lanes + static_cast<std::uint32_t>(lane);
        if (at >= tree.size[0]) {
          boxes[lane] = empty_boxes();
          return;
        }
        if (is_vertex) {
          boxes[lane] = of<1>({s.vertices[at]});
        } else if (is_face) {
          const Face f = s.faces[at];
          boxes[lane] = of<3>({f.a, f.b, f.c});
        } else {
          const Edge e = s.edges[at];
          boxes[lane] = of<2>({e.a, e.b});
        }
        tree.level[0][at] = boxes[lane];
      });
      const BoxPair all_boxes = joined(warp, boxes);
      warp.each([&](int lane) {
        if (lane == 0) tree.level[1][cluster] = all_boxes;
      });
    }
  }
};

/// The boxes of a level above, of all three trees.
struct RefitLevel {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 4, blocks_at_least = 2;
  StepView s;
  int level;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    const std::uint32_t vertex = s.vertex_boxes.size[level], face = vertex + s.face_boxes.size[level],
                        all = face + s.edge_boxes.size[level];
    for (std::uint32_t i = number; i < all; i += count) {
      const BoxTree& tree = i < vertex ? s.vertex_boxes : i < face ? s.face_boxes : s.edge_boxes;
      const std::uint32_t node = i - (i < vertex ? 0 : i < face ? vertex : face);
      PerLane<BoxPair> boxes;
      warp.each([&](int lane) {
        const std::uint32_t child = node * lanes + static_cast<std::uint32_t>(lane);
        boxes[lane] = child < tree.size[level - 1] ? tree.level[level - 1][child] : empty_boxes();
      });
      const BoxPair all_boxes = joined(warp, boxes);
      warp.each([&](int lane) {
        if (lane == 0) tree.level[level][node] = all_boxes;
      });
    }
  }
};

}  // namespace graze::gpu
