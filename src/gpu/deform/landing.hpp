// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/deform/elementary.hpp"
#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

/// The names of a pair in the order of the answer, and its vertices.
struct NamedPair {
  std::uint32_t a, b, v[4];
};
template <bool edges>
GRAZE_DEVICE NamedPair named(const StepView& s, const Candidate& c) {
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
/// The window of a pair in the time of the whole step. Exact: the part that is asked about is a power of two.
GRAZE_DEVICE double from_time(const StepView& s, const Window& w) { return static_cast<double>(w.low) * s.until; }
GRAZE_DEVICE double to_time(const StepView& s, const Window& w) {
  return w.high < 1 ? static_cast<double>(w.high) * s.until : s.until;
}
GRAZE_DEVICE void load_points(const StepView& s, const std::uint32_t (&v)[4], Vec3* p) {
  for (int i = 0; i < 4; ++i) {
    p[i] = s.start[v[i]];
    p[4 + i] = s.end[v[i]];
  }
}

/// Appends what the chosen lanes have.
template <class T>
GRAZE_DEVICE void append(Warp& warp, const List<T>& list, std::uint32_t chosen, const PerLane<T>& items) {
  if (chosen == 0) return;
  const std::uint64_t first =
      warp.once([&] { return fetch_add(list.count, static_cast<std::uint64_t>(count_bits(chosen))); });
  warp.each([&](int lane) {
    if ((chosen >> lane & 1) == 0) return;
    const std::uint64_t k = first + static_cast<std::uint64_t>(count_bits(chosen & ((1u << lane) - 1)));
    if (k < list.room) list.items[k] = items[lane];
  });
}

/// The same for contacts. Those that are in the list are counted by their buckets, too.
GRAZE_DEVICE void append_contacts(const StepView& s, Warp& warp, std::uint32_t chosen,
                                  const PerLane<FoundContact>& found) {
  if (chosen == 0) return;
  const std::uint64_t first =
      warp.once([&] { return fetch_add(s.contacts.count, static_cast<std::uint64_t>(count_bits(chosen))); });
  warp.each([&](int lane) {
    if ((chosen >> lane & 1) == 0) return;
    const std::uint64_t k = first + static_cast<std::uint64_t>(count_bits(chosen & ((1u << lane) - 1)));
    if (k >= s.contacts.room) return;
    s.contacts.items[k] = found[lane];
    fetch_add(&s.order.filled[bucket_of(s, found[lane].a)], 1u);
  });
}

/// Most of what the sieve leaves touches: looks for the plain contact, in double precision, a lane a pair. Where it is
/// certified, with `meets`, the filter, which is right, too, has no other answer. The others are left to `SettleRest`.
template <bool edges>
GRAZE_DEVICE void land_plain(const StepView& s, Warp& warp, std::uint32_t number, std::uint32_t count) {
  const List<NearPair>& in = s.near[edges ? 1 : 0];
  const std::uint64_t total = in.size();
  const PairBounds asked{s.min_separation, s.tolerance};
  for (std::uint64_t from = std::uint64_t{number} * lanes; from < total; from += std::uint64_t{count} * lanes) {
    PerLane<NearPair> pair;
    PerLane<FoundContact> found;
    PerLane<bool> some;
    const std::uint32_t touching = warp.ballot([&](int lane) {
      const std::uint64_t k = from + static_cast<std::uint64_t>(lane);
      some[lane] = k < total;
      if (!some[lane]) return false;
      pair[lane] = in.items[k];
      const NamedPair name = named<edges>(s, pair[lane].pair);
      const double from = from_time(s, pair[lane].window);
      PairPoints q;
      load_points(s, name.v, q.p);
      const PairDifference<edges> d(q, asked);
      const PairCubic c(d);
      PairLanding<edges> landing(q, d, asked);
      landing.land(d, c, quick_root(c, from), from, true);
      found[lane] = {name.a, name.b, landing.t, landing.t, landing.gap, 0};
      return landing.certain && landing.meets(c);
    });
    append_contacts(s, warp, touching, found);
    append(warp, s.rest[edges ? 1 : 0], warp.ballot([&](int lane) { return some[lane] && !(touching >> lane & 1); }),
           pair);
  }
}

struct LandCandidates {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 4, blocks_at_least = 4;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    const std::uint32_t group = number / 4, groups = count / 4;
    if (number % 4 < 3)
      land_plain<true>(s, warp, group * 3 + number % 4, groups * 3);
    else
      land_plain<false>(s, warp, group, groups);
  }
};

/// Decides the rest, from root to root: first quickly; what that leaves goes to a list of its own, so that the others
/// of its warp need not wait, and is then decided thoroughly, a few pairs a warp.
template <bool thoroughly>
struct SettleRest {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = thoroughly ? 2 : 4, blocks_at_least = thoroughly ? 4 : 3;
  static constexpr int at_once = thoroughly ? 2 : 32;
  StepView s;

  template <bool edges>
  GRAZE_DEVICE PairVerdict decide(const PairPoints& q, const Window& window, FoundContact& found) const {
    const PairBounds asked{s.min_separation, s.tolerance};
    const PairDifference<edges> d(q, asked);
    const PairCubic c(d);
    PairLanding<edges> landing(q, d, asked);
    PairVerdict verdict = PairVerdict::left;
    const bool touching = s.min_separation == 0 && s.tolerance == 0;
    const double from = from_time(s, window), to = to_time(s, window);
    if constexpr (thoroughly) {
      if (touching) {
        if (d.in_range && q.all_finite()) verdict = follow_roots(d, c, from, to, landing);
      } else {  // what comes near without touching is a matter of the method: that of the CPU
        if (PairFilter<edges>::free(q, d, c, asked)) return PairVerdict::free;
        landing.land(d, c, first_root(c, 0x1p-50), 0, true);
        if (landing.certain) verdict = PairVerdict::contact;
      }
    } else if (touching) {
      if (PairFilter<edges>::apart_along_axes(q)) return PairVerdict::free;
      if (d.in_range && q.all_finite()) verdict = follow_roots_quickly(d, c, from, to, landing);
    }
    if (verdict != PairVerdict::contact) return verdict;
    if (s.exact && !landing.meets(c)) return PairVerdict::left;
    found.safe = found.touch = landing.t;
    found.gap = landing.gap;
    found.at_start = 0;
    return PairVerdict::contact;
  }

  template <bool edges>
  GRAZE_DEVICE void run(Warp& warp, std::uint32_t number, std::uint32_t count) const {
    const List<NearPair>& in = (thoroughly ? s.hard : s.rest)[edges ? 1 : 0];
    const std::uint64_t total = in.size();
    for (std::uint64_t from = std::uint64_t{number} * at_once; from < total; from += std::uint64_t{count} * at_once) {
      PerLane<NearPair> item;
      PerLane<FoundContact> found;
      PerLane<PairVerdict> verdict;
      warp.each([&](int lane) {
        const std::uint64_t k = from + static_cast<std::uint64_t>(lane);
        verdict[lane] = PairVerdict::free;
        if (lane >= at_once || k >= total) return;
        item[lane] = in.items[k];
        const NamedPair pair = named<edges>(s, item[lane].pair);
        PairPoints q;
        load_points(s, pair.v, q.p);
        found[lane].a = pair.a;
        found[lane].b = pair.b;
        verdict[lane] = decide<edges>(q, item[lane].window, found[lane]);
      });
      append_contacts(s, warp, warp.ballot([&](int lane) { return verdict[lane] == PairVerdict::contact; }), found);
      const std::uint32_t left = warp.ballot([&](int lane) { return verdict[lane] == PairVerdict::left; });
      if constexpr (!thoroughly) {
        append(warp, s.hard[edges ? 1 : 0], left, item);
        continue;
      }
      if (left == 0) continue;
      const std::uint64_t first =
          warp.once([&] { return fetch_add(s.left.count, static_cast<std::uint64_t>(count_bits(left))); });
      warp.each([&](int lane) {
        const std::uint64_t at = first + static_cast<std::uint64_t>(count_bits(left & ((1u << lane) - 1)));
        if ((left >> lane & 1) == 0 || at >= s.left.room) return;
        const NamedPair pair = named<edges>(s, item[lane].pair);
        LeftPair& out = s.left.items[at];
        out.a = pair.a;
        out.b = pair.b;
        load_points(s, pair.v, out.points);
      });
    }
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    if (number % 2 == 0)
      run<true>(warp, number / 2, count / 2);
    else
      run<false>(warp, number / 2, count / 2);
  }
};

/// Decides what `SettleRest` leaves, where only touching matters. A warp takes a pair and cuts its window into 32
/// pieces, one for each lane, which is proved free or has a certified contact. What the first piece is that is not free
/// decides; where it has no contact either, that piece is cut again.
struct SettleHard {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 4, blocks_at_least = 4;
  static constexpr int cuts = 8;  ///< of one pair, at most
  StepView s;

  template <bool edges>
  GRAZE_DEVICE PairVerdict look(const PairPoints& q, double before, double from, double to, FoundContact& found) const {
    const PairBounds asked{s.min_separation, s.tolerance};
    const PairDifference<edges> d(q, asked);
    if (!d.in_range || !q.all_finite()) return PairVerdict::left;
    const PairCubic c(d);
    if (clear_between(c, from, to) || apart_between(d, from, to)) return PairVerdict::free;
    PairLanding<edges> landing(q, d, asked);
    landing.land(d, c, root_after(c, from), before, false);  // it may come shortly before the piece
    if (!landing.certain || (s.exact && !landing.meets(c))) return PairVerdict::left;
    found.safe = found.touch = landing.t;
    found.gap = landing.gap;
    return PairVerdict::contact;
  }

  /// Where piece `lane` begins. The last one ends at `to`.
  GRAZE_DEVICE static double begin_of(double from, double to, int lane) {
    return lane < lanes ? from + (to - from) * (static_cast<double>(lane) * (1.0 / lanes)) : to;
  }

  template <bool edges>
  GRAZE_DEVICE void decide(Warp& warp, const NearPair& item) const {
    const NamedPair pair = named<edges>(s, item.pair);
    PerLane<FoundContact> found;
    PerLane<PairVerdict> verdict;
    const double whole_from = from_time(s, item.window), whole_to = to_time(s, item.window);
    double from = whole_from, to = whole_to;
    std::uint32_t chosen = 0;
    bool done = false;
    GRAZE_ROLLED
    for (int cut = 0; cut < cuts && !done; ++cut) {
      warp.each([&](int lane) {
        found[lane] = {pair.a, pair.b, 0, 0, 0, 0};
        PairPoints q;
        load_points(s, pair.v, q.p);
        verdict[lane] = look<edges>(q, most(whole_from, begin_of(from, to, lane - 1)), begin_of(from, to, lane),
                                    begin_of(from, to, lane + 1), found[lane]);
      });
      const std::uint32_t open = warp.ballot([&](int lane) { return verdict[lane] != PairVerdict::free; });
      const std::uint32_t contacts = warp.ballot([&](int lane) { return verdict[lane] == PairVerdict::contact; });
      chosen = open & (0u - open);
      done = (chosen & contacts) != 0;
      if (done) break;
      if (open == 0 && to >= whole_to) return;  // free
      if (open == 0) {
        from = to;
        to = whole_to;
      } else {
        const int piece = lowest_bit(open);
        const double begin = begin_of(from, to, piece);
        to = begin_of(from, to, piece + 1);
        from = begin;
      }
    }
    if (done) {
      append_contacts(s, warp, chosen, found);
      return;
    }
    const std::uint64_t at = warp.once([&] { return fetch_add(s.left.count, std::uint64_t{1}); });
    warp.each([&](int lane) {
      if (lane != 0 || at >= s.left.room) return;
      LeftPair& out = s.left.items[at];
      out.a = pair.a;
      out.b = pair.b;
      load_points(s, pair.v, out.points);
    });
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    const std::uint64_t of_edges = s.hard[1].size(), all = of_edges + s.hard[0].size();
    for (std::uint64_t i = number; i < all; i += count) {
      if (i < of_edges)
        decide<true>(warp, s.hard[1].items[i]);
      else
        decide<false>(warp, s.hard[0].items[i - of_edges]);
    }
  }
};

}  // namespace graze::gpu
