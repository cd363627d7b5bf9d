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
/// there are few columns, several rows pass at once. What is found waits until there is enough of it for all lanes.
struct FindCandidates {
  /// Two features by place; the highest bit of `a` says of which kind: 1, edges.
  struct Hit {
    std::uint32_t a, b;
  };
  static constexpr std::uint32_t chunk = 2 * lanes;  ///< what is written at once
  struct Scratch {
    BoxPair rows[lanes], columns[lanes];
    Hit hits[2 * lanes];
    Candidate found[2][chunk + lanes];  ///< vertices and faces, edges
    std::uint8_t row[lanes], column[lanes];
  };
  static constexpr int warps_per_block = 4, blocks_at_least = 10;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    Search(s, warp, scratch).run(number, count);
  }

 private:
  class Search {
   public:
    GRAZE_DEVICE Search(const StepView& view, Warp& w, Scratch& mine) : s(view), warp(w), scratch(mine) {}

    GRAZE_DEVICE void run(std::uint32_t number, std::uint32_t count) {
      const std::uint64_t of_faces = s.pairs[0].size(), total = of_faces + s.pairs[1].size();
      for (std::uint64_t i = number; i < total; i += count) {
        const bool edges = i >= of_faces;
        const ClusterPair pair = edges ? s.pairs[1].items[i - of_faces] : s.pairs[0].items[i];
        if (edges)
          meet(s.edge_boxes, pair.a, s.edge_boxes, pair.b, edges_bit);
        else
          meet(s.vertex_boxes, pair.a, s.face_boxes, pair.b, 0);
      }
      if (held_ > 0) check();
      for (int kind = 0; kind < 2; ++kind)
        if (found_[kind] > 0) flush(kind, found_[kind]);
    }

   private:
    GRAZE_DEVICE static std::uint32_t below(std::uint32_t bits, int lane) {
      return static_cast<std::uint32_t>(count_bits(bits & ((1u << lane) - 1)));
    }

    GRAZE_DEVICE void meet(const BoxTree& tree_a, std::uint32_t a, const BoxTree& tree_b, std::uint32_t b,
                           std::uint32_t kind) {
      const std::uint32_t first = a * lanes, second = b * lanes;
      const BoxPair whole_b = tree_b.level[1][b];
      PerLane<BoxPair> box;
      const std::uint32_t near_rows = warp.ballot([&](int lane) {
        const std::uint32_t at = first + static_cast<std::uint32_t>(lane);
        box[lane] = at < tree_a.size[0] ? tree_a.level[0][at] : empty_boxes();
        return !apart(box[lane], whole_b);
      });
      if (near_rows == 0) return;
      warp.each([&](int lane) {
        if ((near_rows >> lane & 1) == 0) return;
        scratch.rows[below(near_rows, lane)] = box[lane];
        scratch.row[below(near_rows, lane)] = static_cast<std::uint8_t>(lane);
      });
      const BoxPair whole_a = tree_a.level[1][a];
      const std::uint32_t near_columns = warp.ballot([&](int lane) {
        const std::uint32_t at = second + static_cast<std::uint32_t>(lane);
        box[lane] = at < tree_b.size[0] ? tree_b.level[0][at] : empty_boxes();
        return !apart(box[lane], whole_a);
      });
      if (near_columns == 0) return;
      warp.each([&](int lane) {
        if ((near_columns >> lane & 1) == 0) return;
        scratch.columns[below(near_columns, lane)] = box[lane];
        scratch.column[below(near_columns, lane)] = static_cast<std::uint8_t>(lane);
      });
      const int rows = count_bits(near_rows), columns = count_bits(near_columns);
      int shift = 0;  // 2^shift columns beside each other
      while (1 << shift < columns) ++shift;
      const int at_once = lanes >> shift;  // so many rows
      PerLane<BoxPair> mine;
      warp.each([&](int lane) {
        const int c = lane & ((1 << shift) - 1);
        mine[lane] = scratch.columns[c < columns ? c : 0];
      });
      const bool same = kind != 0 && first == second;
      for (int from = 0; from < rows; from += at_once) {
        const std::uint32_t hit = warp.ballot([&](int lane) {
          const int c = lane & ((1 << shift) - 1), r = from + (lane >> shift);
          if (c >= columns || r >= rows) return false;
          // Of two edges of the same cluster, the one with the lower number is the row.
          return !apart(scratch.rows[r], mine[lane]) && !(same && scratch.row[r] >= scratch.column[c]);
        });
        if (hit == 0) continue;
        warp.each([&](int lane) {
          if ((hit >> lane & 1) == 0) return;
          const int c = lane & ((1 << shift) - 1), r = from + (lane >> shift);
          scratch.hits[held_ + below(hit, lane)] = {(first + scratch.row[r]) | kind, second + scratch.column[c]};
        });
        held_ += static_cast<std::uint32_t>(count_bits(hit));
        if (held_ >= lanes) check();
      }
    }

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

    /// Takes the last hits: drops pairs that share a vertex or may not touch.
    GRAZE_DEVICE void check() {
      const std::uint32_t some = held_ < lanes ? held_ : lanes;
      held_ -= some;
      PerLane<Hit> hit;
      PerLane<bool> is_edge;
      const std::uint32_t good = warp.ballot([&](int lane) {
        is_edge[lane] = false;
        if (static_cast<std::uint32_t>(lane) >= some) return false;
        hit[lane] = scratch.hits[held_ + static_cast<std::uint32_t>(lane)];
        is_edge[lane] = (hit[lane].a & edges_bit) != 0;
        hit[lane].a &= ~edges_bit;
        std::uint32_t v[4];
        return vertices_of(is_edge[lane], hit[lane].a, hit[lane].b, v) &&
               (!(s.rules.piece || s.rules.body) || features_may(s.rules, v, is_edge[lane] ? 2 : 1));
      });
      const std::uint32_t of_edges = warp.ballot([&](int lane) { return is_edge[lane] && (good >> lane & 1); });
      for (int kind = 0; kind < 2; ++kind) {
        const std::uint32_t chosen = kind ? of_edges : good & ~of_edges;
        if (chosen == 0) continue;
        warp.each([&](int lane) {
          if (chosen >> lane & 1) scratch.found[kind][found_[kind] + below(chosen, lane)] = {hit[lane].a, hit[lane].b};
        });
        found_[kind] += static_cast<std::uint32_t>(count_bits(chosen));
        if (found_[kind] < chunk) continue;
        flush(kind, chunk);
        // What is beyond moves to the front.
        const std::uint32_t rest = found_[kind] - chunk;
        warp.each([&](int lane) {
          if (static_cast<std::uint32_t>(lane) < rest)
            scratch.found[kind][lane] = scratch.found[kind][chunk + static_cast<std::uint32_t>(lane)];
        });
        found_[kind] = rest;
      }
    }

    GRAZE_DEVICE void flush(int kind, std::uint32_t n) {
      const List<Candidate>& out = s.candidates[kind];
      const std::uint64_t at = warp.once([&] { return fetch_add(out.count, std::uint64_t{n}); });
      warp.each([&](int lane) {
        for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < n; k += lanes)
          if (at + k < out.room) out.items[at + k] = scratch.found[kind][k];
      });
    }

    const StepView& s;
    Warp& warp;
    Scratch& scratch;
    std::uint32_t held_ = 0, found_[2] = {0, 0};
  };
};

}  // namespace graze::gpu
