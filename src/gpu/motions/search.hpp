// SPDX-License-Identifier: MIT
// The search for the first contact of one flight, by one warp. The clocks of pairs of parts are certified in single
// precision (clocks.hpp), those of pairs of triangles in doubles (landing.hpp).
//
// Why the answer holds. Every pair of triangles that has not been dropped is below exactly one pair in a queue, or is
// one. A pair is dropped only when its clock is beyond the end, or not before the earliest contact found: until then it
// is certified to keep half of the tolerance. A contact is a time at which two triangles are at most the tolerance
// apart, and before which they kept half of it. So with the queues empty nothing touches before the earliest contact,
// and the pair of it lies between the first time at which the gap is within the tolerance and the first time at which
// it is 0, as on the CPU. Which pairs are looked at in which order changes only work. What is not settled here is not
// answered: the verdict says why, and the CPU answers.
#pragma once

#include "gpu/motions/queue.hpp"

namespace graze::gpu {

template <std::uint32_t room>
struct Search {
  using Scratch = SearchScratch<room>;

  Warp& warp;
  Scratch& s;
  const DeviceMesh& a;
  const DeviceMesh& b;
  const Pairing& pairing;
  bool any;  ///< any contact ends the search

  double best = 2, stuck = 2;
  std::uint32_t best_a = 0, best_b = 0;
  bool crossing = false, full = false, exhausted = false;

  /// Nothing from here on can change the answer.
  GRAZE_DEVICE double limit() const { return smaller(smaller(best, stuck), 1.0); }

  GRAZE_DEVICE DeviceAnswer answer(const DevicePose& from_a, const DevicePose& to_a, const DevicePose& from_b,
                                   const DevicePose& to_b) {
    warp.each([](int) {});  // all lanes have done with the flight before
    warp.each([&](int lane) {
      if (lane > 1) return;
      const bool of_a = lane == 0;
      s.problem[lane] =
          make_flight(of_a ? from_a : from_b, of_a ? to_a : to_b, of_a ? pairing.reference_a : pairing.reference_b,
                      pairing.unit, of_a ? a : b, of_a ? s.flights.a : s.flights.b);
    });
    warp.each([&](int lane) {
      if (lane != 0) return;
      Flights& f = s.flights;
      f.velocity = f.a.speed - f.b.speed;
      f.place_error = 0x1p-42 * (f.a.extent + f.b.extent);
      f.turn_at_start_a = {static_cast<float>(f.a.w), to_float(VectorD{f.a.x, f.a.y, f.a.z})};
      f.turn_at_start_b = {static_cast<float>(f.b.w), to_float(VectorD{f.b.x, f.b.y, f.b.z})};
      f.half_angle_a = static_cast<float>(f.a.half_angle);
      f.half_angle_b = static_cast<float>(f.b.half_angle);
      f.arm_a = to_float(f.a.arm);
      f.arm_b = to_float(f.b.arm);
      f.start = to_float(f.b.start - f.a.start);
      f.shift = to_float(f.b.speed - f.a.speed);
      f.axis_a = to_float(f.a.axis);
      f.axis_b = to_float(f.b.axis);
      f.turn_a = static_cast<float>(2 * f.a.half_angle * (1 + 0x1p-22));
      f.turn_b = static_cast<float>(2 * f.b.half_angle * (1 + 0x1p-22));
      s.pairs = 1;
      s.landings = 0;
      s.time[0] = 0;
      s.part_a[0] = s.part_b[0] = 0;
    });
    for (int k = 0; k < 2; ++k) {
      if (s.problem[k] == FlightProblem::not_finite) return {0, Verdict::not_finite, 0, 0, 0};
      if (s.problem[k] == FlightProblem::no_rotation) return {0, Verdict::no_rotation, 0, 0, 0};
    }
    // Far away: steps in time must gain more than rounding takes; coordinates must stay in the range of the bounds.
    const double kept = pairing.touch - pairing.keep;
    if (s.problem[0] == FlightProblem::on_cpu || s.problem[1] == FlightProblem::on_cpu ||
        !(s.flights.place_error * 16 < kept) || !(s.flights.a.extent + s.flights.b.extent < 0x1p30))
      return {0, Verdict::ask_cpu, 0, 0, 0};
    std::uint32_t rounds = 0;
    GRAZE_ROLLED
    for (;;) {
      const std::uint32_t nodes = s.pairs, landings = s.landings;
      if (nodes + landings == 0 || crossing || full || (any && best <= 1)) break;
      exhausted = rounds++ >= most_rounds;
      if (exhausted) break;
      if (nodes == 0 || landings >= enough_landings())
        land_some();
      else
        open_some();
    }
    DeviceAnswer r{best, Verdict::contact, best_a, best_b, rounds};
    if (crossing)
      r.verdict = Verdict::touching_at_start, r.time = 0;
    else if (full)
      r.verdict = Verdict::more_room;
    else if (exhausted || (stuck < best && !(any && best <= 1)) || best == 0)  // at the start: decided exactly
      r.verdict = Verdict::ask_cpu;
    else if (best > 1)
      r.verdict = Verdict::free, r.time = 1;
    if (r.verdict == Verdict::contact || r.verdict == Verdict::touching_at_start) {
      r.triangle_a = a.triangle[best_a];
      r.triangle_b = b.triangle[best_b];
    }
    return r;
  }

  /// Landings are the dearer work; they wait until there are enough for many lanes.
  GRAZE_DEVICE std::uint32_t enough_landings() const { return best <= 1 ? 32 : 8; }

  /// Each group takes a pair from its share of the queue (every fourth one) and replaces one part by its children.
  GRAZE_DEVICE void open_some() {
    const float end = static_cast<float>(limit() * (1 + 0x1p-22));  // rounded up
    const std::uint32_t n = s.pairs;
    // The earliest one; if the queue grows long, the latest addition: so it stays short.
    const bool last_first = n > room / 4 * 3;
    // Near the end of its memory one group works: it adds seven at most for each level of the trees.
    const std::uint32_t working = n > room - 2 * lanes ? 1 : groups;
    PerLane<float> key;
    PerLane<std::uint32_t> at;
    warp.each([&](int lane) {
      const auto g = static_cast<std::uint32_t>(lane / group_lanes), k = static_cast<std::uint32_t>(lane % group_lanes);
      key[lane] = none;
      at[lane] = n;
      if (last_first) {
        if (g < n && g < working) {
          at[lane] = n - 1 - g;
          key[lane] = s.time[at[lane]];
        }
        return;
      }
      GRAZE_ROLLED
      for (std::uint32_t i = groups * k + g; i < n; i += lanes)
        if (s.time[i] < key[lane]) {
          key[lane] = s.time[i];
          at[lane] = i;
        }
    });
    if (!last_first) least_of_groups(warp, key, at);
    PerLane<std::uint32_t> pa, pb;
    warp.each([&](int lane) {
      if (at[lane] >= n) return;
      pa[lane] = s.part_a[at[lane]];
      pb[lane] = s.part_b[at[lane]];
    });
    PerLane<std::uint32_t> child_a, child_b;
    PerLane<float> clock;
    PerLane<std::uint32_t> both_triangles;
    warp.each([&](int lane) {
      clock[lane] = none;
      both_triangles[lane] = 0;
      if (key[lane] < end)
        look(lane, key[lane], pa[lane], pb[lane], child_a[lane], child_b[lane], clock[lane], both_triangles[lane]);
    });
    const std::uint32_t to_nodes = warp.ballot([&](int lane) { return clock[lane] < end && !both_triangles[lane]; });
    const std::uint32_t to_landings = warp.ballot([&](int lane) { return clock[lane] < end && both_triangles[lane]; });
    // The new pairs fill the places of those that were taken, and then go to the end.
    std::uint32_t free_places[groups], places = 0;
    for (int g = 0; g < groups; ++g) {
      const std::uint32_t place = warp.from(at, g * group_lanes);
      if (place < n) free_places[places++] = place;
    }
    const auto added = static_cast<std::uint32_t>(count_bits(to_nodes));
    const std::uint32_t landed = s.landings;
    if (n - places + added > room) {
      full = true;
      return;
    }
    warp.each([&](int lane) {
      const std::uint32_t before = (1u << lane) - 1;
      if (to_nodes >> lane & 1) {
        const auto rank = static_cast<std::uint32_t>(count_bits(to_nodes & before));
        keep_pair(rank < places ? free_places[rank] : n + rank - places, clock[lane], child_a[lane], child_b[lane]);
      }
      if (to_landings >> lane & 1)
        keep_landing(landed + static_cast<std::uint32_t>(count_bits(to_landings & before)), clock[lane], child_a[lane],
                     child_b[lane], 0);
    });
    warp.each([&](int lane) {
      if (lane != 0) return;
      s.landings = landed + static_cast<std::uint32_t>(count_bits(to_landings));
      s.pairs = n - places + added;
      // Places that are still free take pairs from the end, the last place first.
      std::uint32_t size = n;
      GRAZE_ROLLED
      for (std::uint32_t round = added; round < places; ++round) {
        std::uint32_t last = added;
        for (std::uint32_t k = added + 1; k < places; ++k)
          if (free_places[k] < n && (free_places[last] >= n || free_places[k] > free_places[last])) last = k;
        --size;
        if (free_places[last] != size) keep_pair(free_places[last], s.time[size], s.part_a[size], s.part_b[size]);
        free_places[last] = n;
      }
    });
  }
  GRAZE_DEVICE void keep_pair(std::uint32_t i, float t, std::uint32_t x, std::uint32_t y) {
    s.time[i] = t;
    s.part_a[i] = x;
    s.part_b[i] = y;
  }

  /// One child against the other part.
  GRAZE_DEVICE void look(int lane, float t, std::uint32_t pa, std::uint32_t pb, std::uint32_t& child_a,
                         std::uint32_t& child_b, float& clock, std::uint32_t& both_triangles) {
    const Part &part_a = a.parts[pa], &part_b = b.parts[pb];
    const std::uint32_t children_a = part_a.children, children_b = part_b.children;
    bool open_a = sum_of_sizes(part_a.half) >= sum_of_sizes(part_b.half);
    if (part_a.bottom != part_b.bottom) open_a = part_a.bottom == 0;
    if (children_a == 0) open_a = false;
    if (children_b == 0) open_a = true;
    const auto k = static_cast<std::uint32_t>(lane % group_lanes);
    if (k >= (open_a ? children_a : children_b)) return;
    child_a = open_a ? part_a.first + k : pa;
    child_b = open_a ? pb : part_b.first + k;
    const Flights& f = s.flights;
    const Frame frame = frame_at(f, pairing, t, part_a, part_b);
    const Part &near_a = a.parts[child_a], &near_b = b.parts[child_b];
    const VectorF shift_a = near_a.centre - part_a.centre, shift_b = turned(frame.r, near_b.centre - part_b.centre);
    const PlacedBox box_a = {shift_a, near_a.half, frame.arm_a + shift_a};
    const PlacedBox box_b = {frame.d + shift_b, near_b.half, frame.arm_b + shift_b};
    const bool triangles = near_a.children + near_b.children == 0;
    PlacedCorners corners_a{}, corners_b{};
    if (triangles) {
      both_triangles = 1;
      child_a = near_a.first;
      child_b = near_b.first;
      for (int c = 0; c < 3; ++c) {
        corners_a.at[c] = a.corners[child_a].at[c] + box_a.centre;
        corners_b.at[c] = turned(frame.r, b.corners[child_b].at[c]) + box_b.centre;
      }
    }
    const float time = pair_clock(f, frame, near_a, box_a, near_b, box_b, triangles, corners_a, corners_b);
    // Rounded down: the sum has a relative error of 2^-24.
    clock = larger(t, (t + time * (1 - 0x1p-15f)) * (1 - 0x1p-22f));
  }

  GRAZE_DEVICE static std::uint32_t number(Landing::What what) { return static_cast<std::uint32_t>(what); }

  /// Up to 32 pairs of triangles take a step in time.
  GRAZE_DEVICE void land_some() {
    const double end = limit();
    const std::uint32_t n = s.landings, taken = smaller<std::uint32_t>(n, lanes);
    PerLane<double> time;
    PerLane<std::uint32_t> ta, tb, steps;
    PerLane<std::uint32_t> what;
    PerLane<std::uint32_t> stays;
    warp.each([&](int lane) {
      what[lane] = number(Landing::What::advanced);
      stays[lane] = 0;
      time[lane] = none;
      const auto i = static_cast<std::uint32_t>(lane);
      if (i >= taken) return;
      ta[lane] = s.landing_a[i];
      tb[lane] = s.landing_b[i];
      steps[lane] = s.landing_steps[i] + 1;
      if (!(s.landing_time[i] < end)) return;
      const Landing l = land(s.flights, pairing, s.landing_time[i], end, a.exact[ta[lane]], b.exact[tb[lane]]);
      what[lane] = number(l.what);
      time[lane] = l.until;
      stays[lane] = l.what == Landing::What::advanced && l.until < end;
      if (stays[lane] && steps[lane] >= most_landings) {
        what[lane] = number(Landing::What::stuck);
        stays[lane] = 0;
      }
    });
    std::uint32_t ended = warp.ballot([&](int lane) { return what[lane] != number(Landing::What::advanced); });
    GRAZE_ROLLED
    for (; ended != 0; ended &= ended - 1) {
      const int lane = lowest_bit(ended);
      const double t = warp.from(time, lane);
      const auto w = static_cast<Landing::What>(warp.from(what, lane));
      const std::uint32_t x = warp.from(ta, lane), y = warp.from(tb, lane);
      if (w == Landing::What::stuck) {
        stuck = smaller(stuck, t);
      } else if (w == Landing::What::crossing
                     ? !crossing
                     : t < best || (t == best && (x < best_a || (x == best_a && y < best_b)))) {
        crossing = crossing || w == Landing::What::crossing;
        best = t;
        best_a = x;
        best_b = y;
        if (crossing) return;
      }
    }
    if (limit() < end) drop_late_pairs();
    // Those that were not taken move to the front, those that stay go to the end.
    GRAZE_ROLLED
    for (std::uint32_t first = lanes; first < n; first += lanes) {
      PerLane<double> moved_time;
      PerLane<std::uint32_t> moved_a, moved_b, moved_steps;
      warp.each([&](int lane) {
        const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
        if (i >= n) return;
        moved_time[lane] = s.landing_time[i];
        moved_a[lane] = s.landing_a[i];
        moved_b[lane] = s.landing_b[i];
        moved_steps[lane] = s.landing_steps[i];
      });
      warp.each([&](int lane) {
        const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
        if (i < n) keep_landing(i - lanes, moved_time[lane], moved_a[lane], moved_b[lane], moved_steps[lane]);
      });
    }
    const std::uint32_t kept = warp.ballot([&](int lane) { return stays[lane] != 0; });
    warp.each([&](int lane) {
      if (kept >> lane & 1)
        keep_landing(n - taken + static_cast<std::uint32_t>(count_bits(kept & ((1u << lane) - 1))), time[lane],
                     ta[lane], tb[lane], steps[lane]);
      if (lane == 0) s.landings = n - taken + static_cast<std::uint32_t>(count_bits(kept));
    });
  }
  /// Removes the pairs from the queue that cannot change the answer any more.
  GRAZE_DEVICE void drop_late_pairs() {
    const float end = static_cast<float>(limit() * (1 + 0x1p-22));
    const std::uint32_t n = s.pairs;
    if (n == 0) return;
    std::uint32_t kept = 0;
    GRAZE_ROLLED
    for (std::uint32_t first = 0; first < n; first += lanes) {
      PerLane<float> t;
      PerLane<std::uint32_t> pa, pb;
      const std::uint32_t stay = warp.ballot([&](int lane) {
        const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
        if (i >= n) return false;
        t[lane] = s.time[i];
        pa[lane] = s.part_a[i];
        pb[lane] = s.part_b[i];
        return t[lane] < end;
      });
      warp.each([](int) {});  // all have read before any writes
      warp.each([&](int lane) {
        if (stay >> lane & 1)
          keep_pair(kept + static_cast<std::uint32_t>(count_bits(stay & ((1u << lane) - 1))), t[lane], pa[lane],
                    pb[lane]);
      });
      kept += static_cast<std::uint32_t>(count_bits(stay));
    }
    warp.each([&](int lane) {
      if (lane == 0) s.pairs = kept;
    });
  }
  GRAZE_DEVICE void keep_landing(std::uint32_t i, double t, std::uint32_t x, std::uint32_t y, std::uint32_t steps) {
    s.landing_time[i] = t;
    s.landing_a[i] = x;
    s.landing_b[i] = y;
    s.landing_steps[i] = steps;
  }
};

}  // namespace graze::gpu
