// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "gpu/launch.hpp"
#include "gpu/motions/landing.hpp"

namespace graze::gpu {

enum class Verdict : std::uint32_t { free, contact, touching_at_start, ask_cpu, more_room, not_finite, no_rotation };

struct DeviceAnswer {
  double time;
  Verdict verdict;
  std::uint32_t triangle_a, triangle_b;
  std::uint32_t rounds;
};

constexpr float none = 3;  ///< later than all times
constexpr int groups = 4, group_lanes = lanes / groups;
constexpr std::uint32_t landing_room = 96, most_landings = 48;  // steps in time of one pair
constexpr std::uint32_t most_rounds = 4000;

template <std::uint32_t room>
struct SearchScratch {
  Flights flights;
  FlightProblem problem[2];
  std::uint32_t pairs, landings;
  float time[room];
  std::uint32_t part_a[room], part_b[room];
  double landing_time[landing_room];
  std::uint32_t landing_a[landing_room], landing_b[landing_room], landing_steps[landing_room];
};

/// In every lane of a group, the least key of the group and what belongs to it; of equal ones the least.
GRAZE_DEVICE void least_of_groups(Warp& warp, PerLane<float>& key, PerLane<std::uint32_t>& of) {
#ifdef __CUDA_ARCH__
  static_cast<void>(warp);
  for (int d = group_lanes / 2; d > 0; d /= 2) {
    const float other = __shfl_xor_sync(0xFFFFFFFF, key[0], d);
    const std::uint32_t other_of = __shfl_xor_sync(0xFFFFFFFF, of[0], d);
    if (other < key[0] || (other == key[0] && other_of < of[0])) {
      key[0] = other;
      of[0] = other_of;
    }
  }
#else
  static_cast<void>(warp);
  for (int g = 0; g < groups; ++g) {
    float least = key[g * group_lanes];
    std::uint32_t least_of = of[g * group_lanes];
    for (int k = 1; k < group_lanes; ++k) {
      const int lane = g * group_lanes + k;
      if (key[lane] < least || (key[lane] == least && of[lane] < least_of)) {
        least = key[lane];
        least_of = of[lane];
      }
    }
    for (int k = 0; k < group_lanes; ++k) {
      key[g * group_lanes + k] = least;
      of[g * group_lanes + k] = least_of;
    }
  }
#endif
}

}  // namespace graze::gpu
