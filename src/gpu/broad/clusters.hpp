// SPDX-License-Identifier: MIT
// Which boxes overlap, by clusters: the boxes in the order of a space-filling curve, 32 of them a cluster, 32 clusters
// a super, 32 supers a hyper. A warp takes a cluster and finds those that its box overlaps, level by level; then a warp
// takes a pair of clusters, and each of its lanes a box. All tests are comparisons of the given doubles: there is no
// rounding, and the order of the boxes decides only how much is compared.
#pragma once

#include <limits>

#include <graze/broad/broad_phase.hpp>

#include "gpu/buffer.hpp"
#include "gpu/launch.hpp"

namespace graze::gpu {

/// As `graze::Box3` is in memory.
struct DeviceBox {
  double lo[3], hi[3];
};

GRAZE_DEVICE bool overlap(const DeviceBox& a, const DeviceBox& b) {
  return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] && a.lo[2] <= b.hi[2] &&
         b.lo[2] <= a.hi[2];
}
constexpr double largest_double = std::numeric_limits<double>::max(), beyond = std::numeric_limits<double>::infinity();
/// Contains nothing, and overlaps nothing.
GRAZE_DEVICE DeviceBox no_box() { return {{beyond, beyond, beyond}, {-beyond, -beyond, -beyond}}; }

// Finite doubles as unsigned numbers in the same order.
GRAZE_DEVICE std::uint64_t ordered_bits(double x) {
#ifdef __CUDA_ARCH__
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(x));
#else
  const auto bits = std::bit_cast<std::uint64_t>(x);
#endif
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}
GRAZE_DEVICE double of_ordered_bits(std::uint64_t x) {
  const std::uint64_t bits = x >> 63 ? x & ~(std::uint64_t{1} << 63) : ~x;
#ifdef __CUDA_ARCH__
  return __longlong_as_double(static_cast<long long>(bits));
#else
  return std::bit_cast<double>(bits);
#endif
}

/// Counters and the scene's bounds.
struct BroadNumbers {
  std::uint64_t lo[3], hi[3];  ///< `ordered_bits`; of hi the complement, so that both are minima
  std::uint64_t first_wrong;   ///< the least id of a box that is not finite or empty
  std::uint64_t cluster_pairs, pairs;
};

/// The union of the boxes of all lanes, for all of them.
struct UnionScratch {
  DeviceBox box[lanes];
};
GRAZE_DEVICE void unite(Warp& warp, UnionScratch& s, PerLane<DeviceBox>& box) {
  warp.each([&](int lane) { s.box[lane] = box[lane]; });
  for (int half = lanes / 2; half > 0; half /= 2)
    warp.each([&](int lane) {
      if (lane >= half) return;
      for (int k = 0; k < 3; ++k) {
        if (s.box[lane + half].lo[k] < s.box[lane].lo[k]) s.box[lane].lo[k] = s.box[lane + half].lo[k];
        if (s.box[lane + half].hi[k] > s.box[lane].hi[k]) s.box[lane].hi[k] = s.box[lane + half].hi[k];
      }
    });
}

/// The bounds of all centres, and whether all boxes are valid.
struct FindExtent {
  using Scratch = UnionScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 1;
  const DeviceBox* boxes;
  std::uint32_t n;
  BroadNumbers* numbers;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    PerLane<DeviceBox> all;
    warp.each([&](int lane) {
      all[lane] = no_box();
      for (std::uint32_t i = number * lanes + static_cast<std::uint32_t>(lane); i < n; i += count * lanes) {
        const DeviceBox b = boxes[i];
        bool right = true;
        for (int k = 0; k < 3; ++k) {
          right = right && b.lo[k] <= b.hi[k] && b.lo[k] >= -largest_double && b.hi[k] <= largest_double;
          const double middle = 0.5 * b.lo[k] + 0.5 * b.hi[k];
          if (middle < all[lane].lo[k]) all[lane].lo[k] = middle;
          if (middle > all[lane].hi[k]) all[lane].hi[k] = middle;
        }
        if (!right) fetch_min(&numbers->first_wrong, i);
      }
    });
    unite(warp, scratch, all);
    warp.each([&](int lane) {
      if (lane < 3)
        fetch_min(&numbers->lo[lane], ordered_bits(scratch.box[0].lo[lane]));
      else if (lane < 6)
        fetch_min(&numbers->hi[lane - 3], ~ordered_bits(scratch.box[0].hi[lane - 3]));
    });
  }
};

/// The place of each box's centre on the curve: 21 bits of each coordinate.
struct MakeKeys {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 1;
  const DeviceBox* boxes;
  std::uint32_t n;
  const BroadNumbers* numbers;
  std::uint64_t* keys;
  std::uint32_t* ids;

  GRAZE_DEVICE static std::uint64_t spread(std::uint64_t x) {
    x = (x | x << 32) & 0x001F00000000FFFFu;
    x = (x | x << 16) & 0x001F0000FF0000FFu;
    x = (x | x << 8) & 0x100F00F00F00F00Fu;
    x = (x | x << 4) & 0x10C30C30C30C30C3u;
    return (x | x << 2) & 0x1249249249249249u;
  }
  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    double lo[3], most = 0;
    for (int k = 0; k < 3; ++k) {
      lo[k] = of_ordered_bits(numbers->lo[k]);
      const double side = 0.5 * of_ordered_bits(~numbers->hi[k]) - 0.5 * lo[k];
      if (side > most) most = side;
    }
    // Cubes: coordinates in units of the longest side. Halves of sides, so that nothing overflows.
    const double scale = most > 1e-300 ? 2097151.0 / most : 0;
    warp.each([&](int lane) {
      for (std::uint32_t i = number * lanes + static_cast<std::uint32_t>(lane); i < n; i += count * lanes) {
        const DeviceBox b = boxes[i];
        std::uint64_t key = 0;
        for (int k = 0; k < 3; ++k) {
          const double at = ((0.25 * b.lo[k] + 0.25 * b.hi[k]) - 0.5 * lo[k]) * scale;
          const double inside = at > 0 ? (at < 2097151.0 ? at : 2097151.0) : 0;  // NaN: 0
          key |= spread(static_cast<std::uint64_t>(inside)) << k;
        }
        keys[i] = key;
        ids[i] = i;
      }
    });
  }
};

struct Levels {
  DeviceBox *boxes, *clusters, *supers, *hypers;  ///< in the order of the curve, each padded to a multiple of 32
  const std::uint32_t* ids;
  std::uint32_t n, cluster_count, super_count, hyper_count;
};

/// Boxes into their order, and the boxes of clusters.
struct MakeClusters {
  using Scratch = UnionScratch;
  static constexpr int warps_per_block = 4, blocks_at_least = 1;
  const DeviceBox* given;
  Levels levels;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    for (std::uint32_t c = number; c < levels.super_count * lanes; c += count) {
      PerLane<DeviceBox> box;
      warp.each([&](int lane) {
        const std::uint32_t i = c * lanes + static_cast<std::uint32_t>(lane);
        box[lane] = i < levels.n ? given[levels.ids[i]] : no_box();
        if (c < levels.cluster_count) levels.boxes[i] = box[lane];
      });
      unite(warp, scratch, box);
      warp.each([&](int lane) {
        if (lane == 0) levels.clusters[c] = scratch.box[0];
      });
    }
  }
};

/// The boxes of the next level; what pads it is empty.
struct MakeLevel {
  using Scratch = UnionScratch;
  static constexpr int warps_per_block = 4, blocks_at_least = 1;
  const DeviceBox* below;
  DeviceBox* out;
  std::uint32_t count_of_level, padded;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& scratch, std::uint32_t number, std::uint32_t count) const {
    for (std::uint32_t c = number; c < padded; c += count) {
      PerLane<DeviceBox> box;
      warp.each([&](int lane) {
        box[lane] = c < count_of_level ? below[c * lanes + static_cast<std::uint32_t>(lane)] : no_box();
      });
      unite(warp, scratch, box);
      warp.each([&](int lane) {
        if (lane == 0) out[c] = scratch.box[0];
      });
    }
  }
};

/// The pairs of clusters (i, j), i <= j, whose boxes overlap.
struct PairClusters {
  struct Scratch {
    std::uint64_t kept[128];
    std::uint32_t count;
  };
  static constexpr int warps_per_block = 8, blocks_at_least = 4;
  Levels levels;
  List<std::uint64_t> out;

  GRAZE_DEVICE void flush(Warp& warp, Scratch& s) const {
    const std::uint32_t n = s.count;
    const std::uint64_t at = warp.once([&] { return fetch_add(out.count, std::uint64_t{n}); });
    warp.each([&](int lane) {
      for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < n; k += lanes)
        if (at + k < out.room) out.items[at + k] = s.kept[k];
    });
    warp.each([&](int lane) {
      if (lane == 0) s.count = 0;
    });
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& s, std::uint32_t number, std::uint32_t count) const {
    warp.each([&](int lane) {
      if (lane == 0) s.count = 0;
    });
    for (std::uint32_t i = number; i < levels.cluster_count; i += count) {
      const DeviceBox own = levels.clusters[i];
      const std::uint32_t own_super = i / lanes, own_hyper = own_super / lanes;  // the pairs before have been found
      for (std::uint32_t h = own_hyper / lanes * lanes; h < levels.hyper_count; h += lanes) {
        std::uint32_t hypers = warp.ballot([&](int lane) {
          const std::uint32_t x = h + static_cast<std::uint32_t>(lane);
          return x >= own_hyper && x < levels.hyper_count && overlap(own, levels.hypers[x]);
        });
        for (; hypers != 0; hypers &= hypers - 1) {
          const std::uint32_t first_super = (h + static_cast<std::uint32_t>(lowest_bit(hypers))) * lanes;
          std::uint32_t supers = warp.ballot([&](int lane) {
            const std::uint32_t x = first_super + static_cast<std::uint32_t>(lane);
            return x >= own_super && overlap(own, levels.supers[x]);
          });
          for (; supers != 0; supers &= supers - 1) {
            const std::uint32_t first = (first_super + static_cast<std::uint32_t>(lowest_bit(supers))) * lanes;
            const std::uint32_t near = warp.ballot([&](int lane) {
              const std::uint32_t j = first + static_cast<std::uint32_t>(lane);
              return j >= i && overlap(own, levels.clusters[j]);
            });
            if (near == 0) continue;
            const std::uint32_t have = s.count;
            warp.each([&](int lane) {
              if (near >> lane & 1)
                s.kept[have + static_cast<std::uint32_t>(count_bits(near & ((1u << lane) - 1)))] =
                    std::uint64_t{i} << 32 | (first + static_cast<std::uint32_t>(lane));
            });
            warp.each([&](int lane) {
              if (lane == 0) s.count = have + static_cast<std::uint32_t>(count_bits(near));
            });
            if (s.count > 128 - lanes) flush(warp, s);
          }
        }
      }
    }
    if (s.count > 0) flush(warp, s);
  }
};

/// The pairs of boxes of each pair of clusters, as keys a << bits | b with a < b.
struct PairBoxes {
  struct Scratch {
    DeviceBox row[lanes];
    std::uint32_t row_id[lanes];
    std::uint64_t kept[192];
    std::uint32_t count;
  };
  static constexpr int warps_per_block = 4, blocks_at_least = 6;
  Levels levels;
  const std::uint64_t* cluster_pairs;
  const BroadNumbers* numbers;
  std::uint64_t cluster_pair_room;
  std::uint64_t* out;
  std::uint64_t room;
  std::uint64_t* pair_count;
  int bits;

  GRAZE_DEVICE void flush(Warp& warp, Scratch& s) const {
    const std::uint32_t n = s.count;
    const std::uint64_t begin = warp.once([&] { return fetch_add(pair_count, std::uint64_t{n}); });
    warp.each([&](int lane) {
      for (std::uint32_t k = static_cast<std::uint32_t>(lane); k < n; k += lanes)
        if (begin + k < room) out[begin + k] = s.kept[k];
    });
    warp.each([&](int lane) {
      if (lane == 0) s.count = 0;
    });
  }

  GRAZE_DEVICE void operator()(Warp& warp, Scratch& s, std::uint32_t number, std::uint32_t count) const {
    const std::uint64_t found = numbers->cluster_pairs, n = found < cluster_pair_room ? found : cluster_pair_room;
    warp.each([&](int lane) {
      if (lane == 0) s.count = 0;
    });
    for (std::uint64_t p = number; p < n; p += count) {
      const std::uint64_t pair = cluster_pairs[p];
      const auto i = static_cast<std::uint32_t>(pair >> 32), j = static_cast<std::uint32_t>(pair);
      const DeviceBox box_i = levels.clusters[i], box_j = levels.clusters[j];
      PerLane<DeviceBox> row, column;
      PerLane<std::uint32_t> id;
      // Rows of i near the box of j, moved together; columns of j near the box of i.
      const std::uint32_t rows = warp.ballot([&](int lane) {
        row[lane] = levels.boxes[i * lanes + static_cast<std::uint32_t>(lane)];
        return overlap(row[lane], box_j);
      });
      const std::uint32_t columns = warp.ballot([&](int lane) {
        const std::uint32_t c = j * lanes + static_cast<std::uint32_t>(lane);
        column[lane] = levels.boxes[c];
        id[lane] = c < levels.n ? levels.ids[c] : 0;
        return overlap(column[lane], box_i);
      });
      if (rows == 0 || columns == 0) continue;
      warp.each([](int) {});  // the rows of the pair before have been read
      warp.each([&](int lane) {
        if (!(rows >> lane & 1)) return;
        const int k = count_bits(rows & ((1u << lane) - 1));
        s.row[k] = row[lane];
        s.row_id[k] = static_cast<std::uint32_t>(lane);
      });
      const int near = count_bits(rows);
      for (int k = 0; k < near; ++k) {
        const auto r = static_cast<int>(s.row_id[k]);
        const std::uint32_t hits = warp.ballot([&](int lane) {
          return (columns >> lane & 1) != 0 && (i != j || lane > r) && overlap(s.row[k], column[lane]);
        });
        if (hits == 0) continue;
        const std::uint32_t a = levels.ids[i * lanes + static_cast<std::uint32_t>(r)], have = s.count;
        warp.each([&](int lane) {
          if (!(hits >> lane & 1)) return;
          const std::uint32_t b = id[lane];
          const std::uint64_t low = a < b ? a : b, high = a < b ? b : a;
          s.kept[have + static_cast<std::uint32_t>(count_bits(hits & ((1u << lane) - 1)))] = low << bits | high;
        });
        warp.each([&](int lane) {
          if (lane == 0) s.count = have + static_cast<std::uint32_t>(count_bits(hits));
        });
        if (s.count > 192 - lanes) flush(warp, s);
      }
    }
    if (s.count > 0) flush(warp, s);
  }
};

/// Keys in order as pairs.
struct WritePairs {
  using Scratch = NoScratch;
  static constexpr int warps_per_block = 8, blocks_at_least = 1;
  const std::uint64_t* keys;
  std::uint64_t n;
  int bits;
  BoxPair* out;

  GRAZE_DEVICE void operator()(Warp& warp, Scratch&, std::uint32_t number, std::uint32_t count) const {
    warp.each([&](int lane) {
      for (std::uint64_t i = std::uint64_t{number} * lanes + static_cast<std::uint64_t>(lane); i < n;
           i += std::uint64_t{count} * lanes) {
        const std::uint64_t key = keys[i];
        out[i].a = static_cast<std::uint32_t>(key >> bits);
        out[i].b = static_cast<std::uint32_t>(key & ((std::uint64_t{1} << bits) - 1));
      }
    });
  }
};

}  // namespace graze::gpu
