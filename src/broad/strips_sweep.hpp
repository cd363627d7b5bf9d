// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graze::broad {

/// The boxes of one strip in the order of `lo[0]`, as arrays padded with space for eight more at the end.
struct SweepBoxes {
  std::vector<float> lo[3], hi[3];
  std::size_t size = 0;

  void resize(std::size_t n) {
    size = n;
    for (int k = 0; k < 3; ++k) {
      if (lo[k].size() < n + 8) lo[k].resize(2 * n + 8), hi[k].resize(2 * n + 8);
    }
  }
};

struct SweepHit {
  std::uint32_t first, second;
};

/// A list whose end the sweep keeps in a register.
struct SweepHits {
  std::vector<SweepHit> buffer;
  std::size_t size = 0;
};

/// Lists all i < j whose boxes overlap; returns the number of tests.
std::uint64_t sweep(const SweepBoxes& boxes, SweepHits& hits);

}  // namespace graze::broad
