// SPDX-License-Identifier: MIT
#include "broad/typical.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace graze::broad {

Typical typical(const Bodies& bodies, std::span<const std::uint32_t> ids, int axis) {
  constexpr std::size_t wanted = 256;
  const std::size_t step = std::max<std::size_t>(1, ids.size() / wanted);
  std::vector<double> middles, sizes;
  for (std::size_t i = 0; i < ids.size(); i += step) {
    const Box3& box = bodies.box(ids[i]);
    middles.push_back(0.25 * box.lo[axis] + 0.25 * box.hi[axis]);
    sizes.push_back(0.5 * box.hi[axis] - 0.5 * box.lo[axis]);
  }
  if (middles.empty()) return {};
  std::sort(middles.begin(), middles.end());
  std::sort(sizes.begin(), sizes.end());
  // A few distant bodies, or a few large ones, must not make the cells of all others coarse.
  const std::size_t n = middles.size(), cut = n / 40;
  const double size = 0.5 * sizes[n / 2] + 0.5 * sizes[n - 1 - n / 4];
  return {middles[cut] - 0.25 * size, middles[n - 1 - cut] + 0.25 * size, size};
}

double power_of_two_below(double x) {
  int exponent = 0;
  std::frexp(std::clamp(x, 0x1p-1000, 0x1p1000), &exponent);
  return std::ldexp(1.0, exponent - 1);
}

}  // namespace graze::broad
