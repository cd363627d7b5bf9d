// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

/// Positions that are not finite, of any vertex of the mesh.
GRAZE_DEVICE bool all_finite(const Vec3& p) { return p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0; }

/// The vertices in the frame, by place, at the start and at the end of the part that is asked about; also empties the
/// buckets of contacts. A difference from the centre is within 2^-53 of itself, and so are the three roundings of the
/// position at the end of a part, each relative to lengths of at most 4 / scale: 2^-49 in the frame at the most.
struct ProjectVertices {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 4;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for_all(warp, number, count, s.order.buckets, [&](std::uint64_t i) { s.order.filled[i] = 0; });
    for_all(warp, number, count, s.vertex_names, [&](std::uint64_t i) {
      if (!all_finite(s.start[i]) || !all_finite(s.end[i])) fetch_max(&s.counts->not_finite, ~i);
    });
    for_all(warp, number, count, s.vertex_boxes.size[0], [&](std::uint64_t i) {
      const std::uint32_t name = s.vertices[i];
      const Vec3 a = s.start[name] - s.frame.centre, b = s.end[name] - s.frame.centre;
      FramedVertex out;
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        const double to = s.until == 1 ? b[axis] : a[axis] + (b[axis] - a[axis]) * s.until;
        out.at[0][axis] = static_cast<float>(a[axis] * s.frame.scale);
        out.at[1][axis] = static_cast<float>(to * s.frame.scale);
        inside &= out.at[0][axis] >= -1 && out.at[0][axis] <= 1 && out.at[1][axis] >= -1 && out.at[1][axis] <= 1;
      }
      out.spare[0] = out.spare[1] = 0;
      s.framed[i] = out;
      if (!inside) s.counts->unframed = 1;
    });
  }
};

/// The boxes of features and of their clusters, from the vertices in the frame. A warp takes a cluster, a lane a
/// feature.
struct RefitFramed {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 4;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    const std::uint32_t vertex = s.vertex_boxes.size[1], face = vertex + s.face_boxes.size[1],
                        all = face + s.edge_boxes.size[1];
    for (std::uint32_t i = number; i < all; i += count) {
      const bool is_vertex = i < vertex, is_face = i < face;
      const BoxTree& tree = is_vertex ? s.vertex_boxes : is_face ? s.face_boxes : s.edge_boxes;
      const PackedTree& packed_tree = s.packed[is_vertex ? 0 : is_face ? 1 : 2];
      const std::uint32_t cluster = i - (is_vertex ? 0 : is_face ? vertex : face);
      PerLane<BoxPair> boxes;
      warp.each([&](int lane) {
        const std::uint32_t at = cluster * lanes + static_cast<std::uint32_t>(lane);
        if (at >= tree.size[0]) {
          boxes[lane] = empty_boxes();
          return;
        }
        PackedBox out;
        if (is_vertex) {
          const FramedVertex v[1] = {s.framed[at]};
          boxes[lane] = framed_bounds(v, s.framed_margin);
          out = packed(boxes[lane]);
          out.vertices[0] = at;
        } else if (is_face) {
          const Face f = s.placed_faces[at];
          const FramedVertex v[3] = {s.framed[f.a], s.framed[f.b], s.framed[f.c]};
          boxes[lane] = framed_bounds(v, s.framed_margin);
          out = packed(boxes[lane]);
          pack_face(out, f.a, f.b, f.c);
        } else {
          const Edge e = s.placed_edges[at];
          const FramedVertex v[2] = {s.framed[e.a], s.framed[e.b]};
          boxes[lane] = framed_bounds(v, s.framed_margin);
          out = packed(boxes[lane]);
          out.vertices[0] = e.a;
          out.vertices[1] = e.b;
        }
        packed_tree.features[at] = out;
      });
      const BoxPair whole = joined(warp, boxes);
      warp.each([&](int lane) {
        if (lane != 0) return;
        tree.level[1][cluster] = whole;
        packed_tree.clusters[cluster] = swapped(packed(whole));
      });
    }
  }
};

}  // namespace graze::gpu
