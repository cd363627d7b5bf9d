// SPDX-License-Identifier: MIT
#pragma once

#include <graze/gpu/motions.hpp>

#include "gpu/buffer.hpp"
#include "gpu/motions/search.hpp"

namespace graze::gpu {

/// Poses of one body in the device's memory; of a list of one all motions have the same.
struct PoseLists {
  const DevicePose *from, *to;
  bool same_from, same_to;
};

enum class Counted { free, contact, invalid, count };

/// One warp a motion, until all are answered. A motion that is not settled is appended to `unsettled`, with `more_room`
/// as the first reason only.
template <std::uint32_t room, int warps, int blocks>
struct SearchKernel {
  using Scratch = SearchScratch<room>;
  static constexpr int warps_per_block = warps, blocks_at_least = blocks;

  DeviceMesh a, b;
  Pairing pairing;
  PoseLists poses_a, poses_b;
  const std::uint32_t* which;  ///< null: all
  std::uint32_t motions;
  bool any;
  MotionAnswer* answers;
  std::uint64_t* next;
  std::uint64_t* counts;  ///< by `Counted`
  List<std::uint32_t> full, unsettled;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t, std::uint32_t) const {
    for (;;) {
      const std::uint64_t turn = warp.once([&] { return fetch_add(next, std::uint64_t{1}); });
      if (turn >= motions) return;
      const std::uint32_t i = which ? which[turn] : static_cast<std::uint32_t>(turn);
      Search<room> search{warp, scratch, a, b, pairing, any};
      const DeviceAnswer found =
          search.answer(poses_a.from[poses_a.same_from ? 0 : i], poses_a.to[poses_a.same_to ? 0 : i],
                        poses_b.from[poses_b.same_from ? 0 : i], poses_b.to[poses_b.same_to ? 0 : i]);
      warp.once([&] {
        write(i, found);
        return 0u;
      });
    }
  }

  GRAZE_DEVICE void write(std::uint32_t i, const DeviceAnswer& found) const {
    MotionAnswer& out = answers[i];
    out.time = found.time;
    out.a = static_cast<TriangleId>(found.triangle_a);
    out.b = static_cast<TriangleId>(found.triangle_b);
    out.rounds = found.rounds;
    switch (found.verdict) {
      case Verdict::free: out.status = Status::free; break;
      case Verdict::contact: out.status = Status::contact; break;
      case Verdict::touching_at_start: out.status = Status::touching_at_start; break;
      case Verdict::not_finite:
      case Verdict::no_rotation: out.status = Status::invalid_request; break;
      default: out.status = Status::undecided;
    }
    if (out.status == Status::undecided || out.status == Status::invalid_request) out.time = 0;
    if (out.status == Status::undecided) {
      const List<std::uint32_t>& list = found.verdict == Verdict::more_room ? full : unsettled;
      const std::uint64_t at = fetch_add(list.count, std::uint64_t{1});
      if (at < list.room) list.items[at] = i;
      return;
    }
    const Counted c = out.status == Status::free              ? Counted::free
                      : out.status == Status::invalid_request ? Counted::invalid
                                                              : Counted::contact;
    fetch_add(counts + static_cast<int>(c), std::uint64_t{1});
  }
};

}  // namespace graze::gpu
