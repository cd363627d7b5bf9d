// SPDX-License-Identifier: MIT
#include "broad/strips_frame.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace graze::broad {
namespace {

/// Where most bodies are along an axis, and how large they are there. All halved, so that nothing overflows.
struct Spread {
  double from = 0, to = 0, size = 0;
};

Spread spread(const Bodies& bodies, std::span<const std::uint32_t> ids, int axis) {
  // A sample is enough: a frame that suits badly costs time, never an answer.
  constexpr std::size_t wanted = 256;
  const std::size_t step = std::max<std::size_t>(1, ids.size() / wanted);
  std::vector<double> middles, sizes;
  for (std::size_t i = 0; i < ids.size(); i += step) {
    const Box3& box = bodies.box(ids[i]);
    middles.push_back(0.25 * box.lo[axis] + 0.25 * box.hi[axis]);
    sizes.push_back(0.5 * box.hi[axis] - 0.5 * box.lo[axis]);
  }
  std::sort(middles.begin(), middles.end());
  std::sort(sizes.begin(), sizes.end());
  // A few bodies far away must not make the cells of all others coarse, nor a few large ones.
  const std::size_t n = middles.size(), cut = n / 40;
  const double typical = 0.5 * sizes[n / 2] + 0.5 * sizes[n - 1 - n / 4];
  return {middles[cut] - 0.25 * typical, middles[n - 1 - cut] + 0.25 * typical, typical};
}

double power_of_two_below(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, std::clamp(exponent - 1, -1000, 1000));
}

}  // namespace

StripsFrame choose_frame(const Bodies& bodies, std::span<const std::uint32_t> ids) {
  StripsFrame frame;
  if (ids.empty()) return frame;
  std::array<Spread, 3> spreads;
  std::array<double, 3> boxes_across;  // how many typical boxes fit beside each other
  for (int k = 0; k < 3; ++k) {
    spreads[k] = spread(bodies, ids, k);
    const double range = spreads[k].to - spreads[k].from;
    boxes_across[k] = range > 0 ? std::min(range / spreads[k].size, 1e6) : 1;
  }
  std::sort(frame.axis, frame.axis + 3, [&](int a, int b) { return boxes_across[a] > boxes_across[b]; });
  for (int k = 0; k < 3; ++k) {
    const Spread& s = spreads[frame.axis[k]];
    const double range = s.to - s.from;
    frame.offset[k] = 2 * (0.5 * s.from + 0.5 * s.to);
    if (!std::isfinite(frame.offset[k])) frame.offset[k] = 0;
    frame.scale[k] = range > 0 ? power_of_two_below(1 / range) : 1;
    if (k == 0) continue;
    frame.cell_start[k - 1] = frame.key(2 * s.from, k);
  }
  // Cells wide enough that most boxes are in one or two of them along each axis, and not so many that most are empty.
  constexpr double boxes_per_cell = 2.0, bodies_per_cell = 24;
  double want[2];
  for (int k = 0; k < 2; ++k) want[k] = std::max(1.0, boxes_across[frame.axis[k + 1]] / boxes_per_cell);
  const double most = std::max(1.0, static_cast<double>(ids.size()) / bodies_per_cell);
  if (want[0] * want[1] > most) {
    const double shrink = std::sqrt(most / (want[0] * want[1]));
    for (double& w : want) w *= shrink;
    if (want[0] < 1) want[1] = most, want[0] = 1;
    if (want[1] < 1) want[0] = most, want[1] = 1;
  }
  for (int k = 0; k < 2; ++k) {
    frame.cells[k] = static_cast<std::uint16_t>(std::clamp(want[k], 1.0, 30000.0));
    const float range = frame.key(2 * spreads[frame.axis[k + 1]].to, k + 1) - frame.cell_start[k];
    const float per_key = static_cast<float>(frame.cells[k]) / range;
    frame.cells_per_key[k] = frame.cells[k] > 1 && per_key > 0 && std::isfinite(per_key) ? per_key : 0;
    if (frame.cells_per_key[k] == 0) frame.cells[k] = 1;
  }
  return frame;
}

}  // namespace graze::broad
