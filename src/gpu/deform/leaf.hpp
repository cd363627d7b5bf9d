// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/deform/pairs.hpp"
#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

GRAZE_DEVICE bool bodies_may(const Rules& r, std::uint32_t a, std::uint32_t b) {
  const auto settings = [&](std::uint32_t body) {
    return body < r.settings_count ? r.settings[body] : BodyRule{1, 1, 0xFFFFFFFF};
  };
  const BodyRule x = settings(a), y = settings(b);
  if (a == b) return x.self != 0;
  if ((x.group & y.mask) == 0 || (y.group & x.mask) == 0) return false;
  const std::uint32_t low = a < b ? a : b, high = a < b ? b : a;
  std::uint32_t from = 0, to = r.off_count;
  while (from < to) {
    const std::uint32_t middle = (from + to) / 2;
    const Edge e = r.off[middle];
    if (e.a == low && e.b == high) return false;
    if (e.a < low || (e.a == low && e.b < high))
      from = middle + 1;
    else
      to = middle;
  }
  return true;
}

/// May some vertex of the first n touch one of the other 4 - n?
GRAZE_DEVICE bool features_may(const Rules& r, const std::uint32_t (&v)[4], int n) {
  if (r.piece && r.piece[v[0]] == r.piece[v[n]]) return false;
  if (!r.body) return true;
  for (int i = 0; i < n; ++i)
    for (int j = n; j < 4; ++j)
      if (!(r.fixed[v[i]] && r.fixed[v[j]]) && bodies_may(r, r.body[v[i]], r.body[v[j]])) return true;
  return false;
}

/// The pairs of features of two clusters whose boxes meet. A warp takes a pair of clusters: each lane has one of the
/// second (its column), and those of the first pass by. Only those count that are near the other cluster, and where
/// there are few columns, several rows pass at once.
struct FindCandidates {
  struct Boxes {
    BoxPair rows[lanes], columns[lanes];
  };
  struct Scratch {
    union {
      Boxes boxes;
      std::uint16_t hits[lanes * lanes];  ///< the row's number in its cluster times 32, plus the column's
    };
    std::uint8_t row[lanes], column[lanes];
  };
  static constexpr int warps_per_block = 8, blocks_at_least = 4;
  StepView s;

  /// The vertices of the pair; false if they share one.
  GRAZE_DEVICE bool vertices_of(bool edges, std::uint32_t a, std::uint32_t b, std::uint32_t (&v)[4]) const {
    if (edges) {
      const Edge e = s.edges[a], f = s.edges[b];
      v[0] = e.a;
      v[1] = e.b;
      v[2] = f.a;
      v[3] = f.b;
      return (v[0] != v[2]) & (v[0] != v[3]) & (v[1] != v[2]) & (v[1] != v[3]);
    }
    const Face f = s.faces[b];
    v[0] = s.vertices[a];
    v[1] = f.a;
    v[2] = f.b;
    v[3] = f.c;
    return (v[0] != v[1]) & (v[0] != v[2]) & (v[0] != v[3]);
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    const std::uint64_t total = s.pairs.size();
    for (std::uint64_t i = number; i < total; i += count) {
      const ClusterPair pair = s.pairs.items[i];
      const bool edges = (pair.b & 1) != 0;
      const std::uint32_t first = pair.a * lanes, second = (pair.b >> 1) * lanes;
      const BoxTree &tree_a = edges ? s.edge_boxes : s.vertex_boxes, &tree_b = edges ? s.edge_boxes : s.face_boxes;
      const BoxPair whole_a = tree_a.level[1][pair.a], whole_b = tree_b.level[1][pair.b >> 1];
      PerLane<BoxPair> row, column;
      const std::uint32_t near_rows = warp.ballot([&](int lane) {
        const std::uint32_t at = first + static_cast<std::uint32_t>(lane);
        row[lane] = at < tree_a.size[0] ? tree_a.level[0][at] : empty_boxes();
        return !apart(row[lane], whole_b);
      });
      const std::uint32_t near_columns = warp.ballot([&](int lane) {
        const std::uint32_t at = second + static_cast<std::uint32_t>(lane);
        column[lane] = at < tree_b.size[0] ? tree_b.level[0][at] : empty_boxes();
        return !apart(column[lane], whole_a);
      });
      if (near_rows == 0 || near_columns == 0) continue;
      warp.each([&](int lane) {
        if (near_rows >> lane & 1) {
          const int k = count_bits(near_rows & FindClusterPairs::below(lane));
          scratch.boxes.rows[k] = row[lane];
          scratch.row[k] = static_cast<std::uint8_t>(lane);
        }
        if (near_columns >> lane & 1) {
          const int k = count_bits(near_columns & FindClusterPairs::below(lane));
          scratch.boxes.columns[k] = column[lane];
          scratch.column[k] = static_cast<std::uint8_t>(lane);
        }
      });
      const int rows = count_bits(near_rows), columns = count_bits(near_columns);
      int shift = 0;  // 2^shift columns beside each other
      while (1 << shift < columns) ++shift;
      const int at_once = lanes >> shift;  // so many rows
      PerLane<std::uint32_t> hits, counted;
      warp.each([&](int lane) {
        const int c = lane & ((1 << shift) - 1), r = lane >> shift;
        std::uint32_t mask = 0;
        if (c < columns) {
          const BoxPair mine = scratch.boxes.columns[c];
          for (int k = 0; k * at_once + r < rows; ++k)
            mask |= static_cast<std::uint32_t>(!apart(scratch.boxes.rows[k * at_once + r], mine)) << k;
        }
        hits[lane] = mask;
        counted[lane] = static_cast<std::uint32_t>(count_bits(mask));
      });
      const PerLane<std::uint32_t> before = warp.sums_before(counted);
      const std::uint32_t found = warp.sum(counted);
      if (found == 0) continue;
      warp.each([&](int lane) {
        const int c = lane & ((1 << shift) - 1), r = lane >> shift;
        std::uint32_t k = before[lane];
        for (std::uint32_t mask = hits[lane]; mask != 0; mask &= mask - 1)
          scratch.hits[k++] =
              static_cast<std::uint16_t>(scratch.row[lowest_bit(mask) * at_once + r] * lanes + scratch.column[c]);
      });
      const bool same = edges && first == second;
      std::uint32_t kept = 0;
      for (std::uint32_t from = 0; from < found; from += lanes) {
        PerLane<std::uint16_t> hit;
        const std::uint32_t good = warp.ballot([&](int lane) {
          const std::uint32_t k = from + static_cast<std::uint32_t>(lane);
          if (k >= found) return false;
          hit[lane] = scratch.hits[k];
          // Of two edges of the same cluster, the one with the lower number is the row.
          if (same && hit[lane] / lanes >= hit[lane] % lanes) return false;
          std::uint32_t v[4];
          return vertices_of(edges, first + hit[lane] / lanes, second + hit[lane] % lanes, v) &&
                 features_may(s.rules, v, edges ? 2 : 1);
        });
        warp.each([&](int lane) {
          if (good >> lane & 1)
            scratch.hits[kept + static_cast<std::uint32_t>(count_bits(good & FindClusterPairs::below(lane)))] =
                hit[lane];
        });
        kept += static_cast<std::uint32_t>(count_bits(good));
      }
      if (kept == 0) continue;
      const List<Candidate>& out = s.candidates[edges ? 1 : 0];
      const std::uint64_t at = warp.once([&] { return fetch_add(out.count, std::uint64_t{kept}); });
      warp.each([&](int lane) {
        for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < kept; k += lanes)
          if (at + k < out.room)
            out.items[at + k] = {first + scratch.hits[k] / lanes, second + scratch.hits[k] % lanes};
      });
    }
  }
};

}  // namespace graze::gpu
