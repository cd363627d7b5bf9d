// SPDX-License-Identifier: MIT
#include "broad/strips_frame.hpp"

#include <array>
#include <cmath>

#include "broad/typical.hpp"

namespace graze::broad {

StripsFrame choose_frame(const Bodies& bodies, std::span<const std::uint32_t> ids) {
  StripsFrame frame;
  if (ids.empty()) return frame;
  std::array<Typical, 3> spreads;
  std::array<double, 3> boxes_across;  // number of typical boxes that fit side by side
  for (int k = 0; k < 3; ++k) {
    spreads[k] = typical(bodies, ids, k);
    const double range = spreads[k].half_to - spreads[k].half_from;
    boxes_across[k] = range > 0 && std::isfinite(range) ? std::min(range / spreads[k].half_size, 1e6) : 1;
  }
  std::sort(frame.axis, frame.axis + 3, [&](int a, int b) { return boxes_across[a] > boxes_across[b]; });
  for (int k = 0; k < 3; ++k) {
    const double range = spreads[k].half_to - spreads[k].half_from;
    frame.offset[k] = 2 * (0.5 * spreads[k].half_from + 0.5 * spreads[k].half_to);
    if (!std::isfinite(frame.offset[k])) frame.offset[k] = 0;
    frame.scale[k] = range > 0 ? power_of_two_below(1 / range) : 1;
  }
  // Cells wide enough that most boxes are in one or two of them along each axis, and few enough that most are not
  // empty.
  constexpr double boxes_per_cell = 3, bodies_per_cell = 48;
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
    const int along = frame.axis[k + 1];
    frame.cell_start[k] = frame.key(2 * spreads[along].half_from, along);
    const float range = frame.key(2 * spreads[along].half_to, along) - frame.cell_start[k];
    const float per_key = static_cast<float>(frame.cells[k]) / range;
    frame.cells_per_key[k] = frame.cells[k] > 1 && per_key > 0 && std::isfinite(per_key) ? per_key : 0;
    if (frame.cells_per_key[k] == 0) frame.cells[k] = 1;
  }
  return frame;
}

}  // namespace graze::broad
