// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <graze/math/box3.hpp>

namespace graze::bench {

/// Boxes that move in a cube and bounce off its walls.
struct BoxFlight {
  double side = 1;
  std::vector<double> half;               ///< half the side of each box
  std::vector<Vec3> start;                ///< centres
  std::size_t movers = 0;                 ///< the first `movers` boxes move
  std::vector<std::vector<Vec3>> frames;  ///< by frame: centres of the moving boxes

  Box3 box(std::size_t body, const Vec3& middle) const {
    const Vec3 h{half[body], half[body], half[body]};
    return {middle - h, middle + h};
  }
};

struct BoxFlightPlan {
  std::size_t bodies = 100, movers = 100, frames = 100;
  double side = 1, least_half = 0.1, most_half = 0.5, speed = 0.02;
  double giants = 0;        ///< this fraction of them is ten times as large
  bool all_sizes = false;   ///< sizes from most_half / 1000 to most_half, log-uniform
  bool two_places = false;  ///< half of them far away
  std::uint64_t seed = 1;
};
BoxFlight fly_boxes(const BoxFlightPlan& plan);

}  // namespace graze::bench
