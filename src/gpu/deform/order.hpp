// SPDX-License-Identifier: MIT
// Contacts in the order of their kinds and vertices, the same in every run: they are counted by the feature that comes
// first, put into its bucket, and ranked there by the other one.
#pragma once

#include "gpu/deform/step_view.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

constexpr std::uint32_t buckets_per_chunk = 1024;

struct CountBuckets {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for_all(warp, number, count, s.contacts.size(),
            [&](std::uint64_t i) { fetch_add(&s.order.filled[bucket_of(s, s.contacts.items[i].a)], 1u); });
  }
};

/// The sum of each chunk of buckets. A warp takes a chunk.
struct SumChunks {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for (std::uint32_t chunk = number; chunk * buckets_per_chunk < s.order.buckets; chunk += count) {
      PerLane<std::uint32_t> sum;
      warp.each([&](int lane) {
        std::uint32_t x = 0;
        for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < buckets_per_chunk; k += lanes) {
          const std::uint32_t i = chunk * buckets_per_chunk + k;
          if (i < s.order.buckets) x += s.order.filled[i];
        }
        sum[lane] = x;
      });
      const std::uint32_t all = warp.sum(sum);
      warp.each([&](int lane) {
        if (lane == 0) s.order.chunk[chunk] = all;
      });
    }
  }
};

/// Where each bucket starts.
struct PlaceBuckets {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 4, blocks_at_least = 2;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for (std::uint32_t chunk = number; chunk * buckets_per_chunk < s.order.buckets; chunk += count) {
      PerLane<std::uint32_t> x;
      warp.each([&](int lane) {
        std::uint32_t sum = 0;
        for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < chunk; k += lanes) sum += s.order.chunk[k];
        x[lane] = sum;
      });
      const std::uint32_t before = warp.sum(x);
      // A lane takes four buckets beside each other, eight times.
      const auto bucket = [&](int lane, std::uint32_t part) {
        return chunk * buckets_per_chunk + part * (4 * lanes) + 4 * static_cast<std::uint32_t>(lane);
      };
      PerLane<Buckets> filled[parts];
      warp.each([&](int lane) {
        for (std::uint32_t part = 0; part < parts; ++part)
          for (std::uint32_t k = 0; k < 4; ++k)
            filled[part][lane].n[k] =
                bucket(lane, part) + k < s.order.buckets ? s.order.filled[bucket(lane, part) + k] : 0;
      });
      std::uint32_t part_begins = before;
      for (std::uint32_t part = 0; part < parts; ++part) {
        warp.each([&](int lane) {
          const Buckets& f = filled[part][lane];
          x[lane] = f.n[0] + f.n[1] + f.n[2] + f.n[3];
        });
        const PerLane<std::uint32_t> sums = warp.sums_before(x);
        warp.each([&](int lane) {
          std::uint32_t at = part_begins + sums[lane];
          for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t i = bucket(lane, part) + k;
            if (i < s.order.buckets) s.order.first[i] = s.order.filled[i] = at;
            at += filled[part][lane].n[k];
          }
        });
        part_begins += warp.sum(x);
      }
    }
  }

 private:
  static constexpr std::uint32_t parts = buckets_per_chunk / (4 * lanes);
  struct Buckets {
    std::uint32_t n[4];
  };
};

struct FillBuckets {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for_all(warp, number, count, s.contacts.size(), [&](std::uint64_t i) {
      const std::uint32_t a = s.contacts.items[i].a, b = s.contacts.items[i].b;
      s.order.in_buckets[fetch_add(&s.order.filled[bucket_of(s, a)], 1u)] = {b, static_cast<std::uint32_t>(i)};
    });
  }
};

GRAZE_DEVICE StepContact as_given(const StepView& s, const FoundContact& c) {
  StepContact out;
  if ((c.a & edges_bit) != 0) {
    const Edge e = s.edges_by_name[c.a & ~edges_bit], f = s.edges_by_name[c.b];
    out = {1, {e.a, e.b, f.a, f.b}, c.at_start, c.safe, c.touch, c.gap};
  } else {
    const Face f = s.faces_by_name[c.b];
    out = {0, {c.a, f.a, f.b, f.c}, c.at_start, c.safe, c.touch, c.gap};
  }
  return out;
}

/// Where a contact comes in its bucket; writes it as it is given to the caller.
struct RankContacts {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for_all(warp, number, count, s.contacts.size(), [&](std::uint64_t i) {
      const InBucket mine = s.order.in_buckets[i];
      const FoundContact c = s.contacts.items[mine.contact];
      const std::uint32_t bucket = bucket_of(s, c.a), first = s.order.first[bucket], last = s.order.filled[bucket];
      std::uint32_t rank = first;
      for (std::uint32_t k = first; k < last; ++k) rank += s.order.in_buckets[k].b < c.b;
      s.order.sorted[rank] = as_given(s, c);
    });
  }
};
/// The earliest of all contacts: first the least time, then the least name among those of that time.
struct EarliestTime {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  /// The bits of times, which are not negative, are in their order.
  GRAZE_DEVICE static std::uint64_t key(double time) {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint64_t>(__double_as_longlong(time + 0.0));
#else
    return std::bit_cast<std::uint64_t>(time + 0.0);
#endif
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for_all(warp, number, count, s.contacts.size(), [&](std::uint64_t i) {
      const FoundContact c = s.contacts.items[i];
      if (const std::uint64_t k = ~key(c.touch); k > s.counts->earliest_touch) fetch_max(&s.counts->earliest_touch, k);
      if (const std::uint64_t k = ~key(c.safe); k > s.counts->earliest_safe) fetch_max(&s.counts->earliest_safe, k);
    });
  }
};
struct EarliestName {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for_all(warp, number, count, s.contacts.size(), [&](std::uint64_t i) {
      const FoundContact c = s.contacts.items[i];
      if (~EarliestTime::key(c.touch) == s.counts->earliest_touch)
        fetch_max(&s.counts->earliest_name, ~(std::uint64_t{c.a} << 32 | c.b));
    });
  }
};

/// Writes the earliest contact.
struct EarliestContact {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 2;
  StepView s;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    for_all(warp, number, count, s.contacts.size(), [&](std::uint64_t i) {
      const FoundContact c = s.contacts.items[i];
      if (~(std::uint64_t{c.a} << 32 | c.b) == s.counts->earliest_name) s.order.sorted[0] = as_given(s, c);
    });
  }
};

}  // namespace graze::gpu
