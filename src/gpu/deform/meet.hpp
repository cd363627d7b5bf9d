// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

/// The pairs of features of two clusters whose packed boxes meet, where every feature may touch every other one. A warp
/// takes a pair of clusters: each lane has a feature of one of them, and those of the other one that are near the first
/// cluster pass by; the lane keeps a bit for each that it meets. Then all lanes take their bits, one at a time, drop
/// features that share a vertex, and what is left waits until there is enough to be written at once.
template <bool edges>
struct MeetClusters {
  static constexpr std::uint32_t chunk = 4 * lanes;  ///< what is written at once
  struct Scratch {
    PackedBox rows[lanes];
    Candidate found[chunk + lanes];
    std::uint8_t row[lanes];
  };
  static constexpr int warps_per_block = 8, blocks_at_least = 5;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    Search(s, warp, scratch).run(number, count);
  }

 private:
  class Search {
   public:
    GRAZE_DEVICE Search(const StepView& view, Warp& w, Scratch& mine) : s(view), warp(w), scratch(mine) {}

    GRAZE_DEVICE void run(std::uint32_t number, std::uint32_t count) {
      const List<ClusterPair>& in = s.pairs[edges ? 1 : 0];
      const std::uint64_t total = in.size();
      for (std::uint64_t i = number; i < total; i += count) meet(in.items[i]);
      if (held_ > 0) flush(held_);
    }

   private:
    static constexpr int first_tree = edges ? 2 : 0, second_tree = edges ? 2 : 1;

    GRAZE_DEVICE static std::uint32_t below(std::uint32_t bits, int lane) {
      return static_cast<std::uint32_t>(count_bits(bits & ((1u << lane) - 1)));
    }

    GRAZE_DEVICE void meet(const ClusterPair& pair) {
      const PackedTree &tree_a = s.packed[first_tree], &tree_b = s.packed[second_tree];
      const std::uint32_t size_a = (edges ? s.edge_boxes : s.vertex_boxes).size[0],
                          size_b = (edges ? s.edge_boxes : s.face_boxes).size[0];
      const bool same = edges && pair.a == pair.b;
      PerLane<PackedBox> row, column;
      const std::uint32_t near_rows = warp.ballot([&](int lane) {
        const std::uint32_t at = pair.a * lanes + static_cast<std::uint32_t>(lane);
        row[lane] = at < size_a ? tree_a.features[at] : empty_packed();
        return near(tree_b.clusters[pair.b], row[lane]);
      });
      const std::uint32_t near_columns = warp.ballot([&](int lane) {
        const std::uint32_t at = pair.b * lanes + static_cast<std::uint32_t>(lane);
        column[lane] = at < size_b ? tree_b.features[at] : empty_packed();
        return near(tree_a.clusters[pair.a], column[lane]);
      });
      if (near_rows == 0 || near_columns == 0) return;
      // The fewer pass by.
      const bool flip = count_bits(near_columns) < count_bits(near_rows);
      const std::uint32_t passing = flip ? near_columns : near_rows, waiting = flip ? near_rows : near_columns;
      warp.each([&](int lane) {
        const PackedBox mine = flip ? column[lane] : row[lane];
        if (flip) column[lane] = row[lane];
        if ((passing >> lane & 1) == 0) return;
        scratch.rows[below(passing, lane)] = swapped(mine);
        scratch.row[below(passing, lane)] = static_cast<std::uint8_t>(lane);
      });
      const int rows = count_bits(passing);
      PerLane<std::uint32_t> hits, some;
      warp.each([&](int lane) {
        std::uint32_t bits = 0;
        const PackedBox mine = column[lane];
        for (int r = 0; r < rows; ++r) bits |= static_cast<std::uint32_t>(near(scratch.rows[r], mine)) << r;
        // All of the same cluster are near it, so rows are numbered as columns: each pair once.
        if (same) bits &= (1u << lane) - 1;
        hits[lane] = waiting >> lane & 1 ? bits : 0;
        some[lane] = static_cast<std::uint32_t>(count_bits(hits[lane]));
      });
      const std::uint32_t rounds = warp.most(some), first = (flip ? pair.b : pair.a) * lanes,
                          second = (flip ? pair.a : pair.b) * lanes;
      for (std::uint32_t k = 0; k < rounds; ++k) {
        PerLane<Candidate> found;
        const std::uint32_t good = warp.ballot([&](int lane) {
          if (hits[lane] == 0) return false;
          const int r = lowest_bit(hits[lane]);
          hits[lane] &= hits[lane] - 1;
          const std::uint32_t x = first + scratch.row[r], y = second + static_cast<std::uint32_t>(lane);
          found[lane] = {flip ? y : x, flip ? x : y};
          return !share_vertex(scratch.rows[r], column[lane], flip);
        });
        warp.each([&](int lane) {
          if (good >> lane & 1) scratch.found[held_ + below(good, lane)] = found[lane];
        });
        held_ += static_cast<std::uint32_t>(count_bits(good));
        if (held_ >= chunk) flush(chunk);
      }
    }

    /// Certainly; the sieve looks again.
    GRAZE_DEVICE static bool share_vertex(const PackedBox& row, const PackedBox& column, bool flip) {
      if constexpr (edges) {
        return (row.vertices[0] == column.vertices[0]) | (row.vertices[0] == column.vertices[1]) |
               (row.vertices[1] == column.vertices[0]) | (row.vertices[1] == column.vertices[1]);
      } else {
        return flip ? has_vertex(row, column.vertices[0]) : has_vertex(column, row.vertices[0]);
      }
    }

    /// Writes the first n; what is beyond moves to the front.
    GRAZE_DEVICE void flush(std::uint32_t n) {
      const List<Candidate>& out = s.candidates[edges ? 1 : 0];
      const std::uint64_t at = warp.once([&] { return fetch_add(out.count, std::uint64_t{n}); });
      warp.each([&](int lane) {
        for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < n; k += lanes)
          if (at + k < out.room) out.items[at + k] = scratch.found[k];
      });
      held_ -= n;
      warp.each([&](int lane) {
        if (static_cast<std::uint32_t>(lane) < held_)
          scratch.found[lane] = scratch.found[n + static_cast<std::uint32_t>(lane)];
      });
    }

    const StepView& s;
    Warp& warp;
    Scratch& scratch;
    std::uint32_t held_ = 0;
  };
};

}  // namespace graze::gpu
