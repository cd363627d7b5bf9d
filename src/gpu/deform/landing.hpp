// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/deform/elementary.hpp"
#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

/// Decides what the sieve left, in double precision, a lane a pair: free, a contact, or left to the host.
template <bool edges>
struct LandCandidates {
  struct Scratch {
    Candidate pairs[lanes];
  };
  static constexpr int warps_per_block = 4, blocks_at_least = 2;
  StepView s;

  /// The names of a pair in the order of the answer, and its vertices.
  struct Named {
    std::uint32_t a, b, v[4];
  };
  GRAZE_DEVICE Named named(const Candidate& c) const {
    if constexpr (edges) {
      const std::uint32_t x = s.edge_at[c.a], y = s.edge_at[c.b], a = x < y ? x : y, b = x < y ? y : x;
      const Edge e = s.edges_by_name[a], f = s.edges_by_name[b];
      return {a | edges_bit, b, {e.a, e.b, f.a, f.b}};
    } else {
      const Face f = s.faces[c.b];
      const std::uint32_t v = s.vertices[c.a];
      return {v, s.face_at[c.b], {v, f.a, f.b, f.c}};
    }
  }

  GRAZE_DEVICE PairVerdict decide(const PairPoints& q, FoundContact& found) const {
    const PairBounds asked{s.min_separation, s.tolerance};
    const PairDifference<edges> d(q, asked);
    const PairCubic c(d);
    PairLanding<edges> landing(q, d, asked);
    const auto contact = [&] {
      found.safe = found.touch = landing.t;
      found.gap = landing.gap;
      found.at_start = 0;
      return PairVerdict::contact;
    };
    // Most of what comes here touches, and is certified to: then the filter, which is right, too, has no other answer.
    landing.land(d, c, first_root(c, 0x1p-50), 0, true);
    if (landing.certain && landing.meets(c)) return contact();
    if (PairFilter<edges>::free(q, d, c, asked)) return PairVerdict::free;
    if (landing.certain) return s.exact ? PairVerdict::left : contact();
    if (!d.in_range || asked.min_separation > 0 || !q.all_finite()) return PairVerdict::left;
    const PairVerdict verdict = follow_roots(d, c, landing);
    if (verdict != PairVerdict::contact) return verdict;
    // With a large tolerance the time is a matter of the method: that of the CPU.
    return s.tolerance > 0 || (s.exact && !landing.meets(c)) ? PairVerdict::left : contact();
  }

  template <class T>
  GRAZE_DEVICE static void append(Warp& warp, const List<T>& list, std::uint32_t chosen, const PerLane<T>& items) {
    if (chosen == 0) return;
    const std::uint64_t first =
        warp.once([&] { return fetch_add(list.count, static_cast<std::uint64_t>(count_bits(chosen))); });
    warp.each([&](int lane) {
      if ((chosen >> lane & 1) == 0) return;
      const std::uint64_t k = first + static_cast<std::uint64_t>(count_bits(chosen & ((1u << lane) - 1)));
      if (k < list.room) list.items[k] = items[lane];
    });
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    const List<Candidate>& in = s.near[edges ? 1 : 0];
    const std::uint64_t total = in.size();
    for (std::uint64_t from = std::uint64_t{number} * lanes; from < total; from += std::uint64_t{count} * lanes) {
      PerLane<FoundContact> found;
      PerLane<PairVerdict> verdict;
      warp.each([&](int lane) {
        const std::uint64_t k = from + static_cast<std::uint64_t>(lane);
        verdict[lane] = PairVerdict::free;
        if (k >= total) return;
        const Named pair = named(in.items[k]);
        PairPoints q;
        for (int i = 0; i < 4; ++i) {
          q.p[i] = s.start[pair.v[i]];
          q.p[4 + i] = s.end[pair.v[i]];
        }
        found[lane].a = pair.a;
        found[lane].b = pair.b;
        verdict[lane] = decide(q, found[lane]);
      });
      append(warp, s.contacts, warp.ballot([&](int lane) { return verdict[lane] == PairVerdict::contact; }), found);
      const std::uint32_t left = warp.ballot([&](int lane) { return verdict[lane] == PairVerdict::left; });
      if (left == 0) continue;
      const std::uint64_t first =
          warp.once([&] { return fetch_add(s.left.count, static_cast<std::uint64_t>(count_bits(left))); });
      warp.each([&](int lane) {
        const std::uint64_t at = first + static_cast<std::uint64_t>(count_bits(left & ((1u << lane) - 1)));
        if ((left >> lane & 1) == 0 || at >= s.left.room) return;
        const Named pair = named(in.items[from + static_cast<std::uint64_t>(lane)]);
        LeftPair& out = s.left.items[at];
        out.a = pair.a;
        out.b = pair.b;
        for (int i = 0; i < 4; ++i) {
          out.points[i] = s.start[pair.v[i]];
          out.points[4 + i] = s.end[pair.v[i]];
        }
      });
    }
  }
};

}  // namespace graze::gpu
