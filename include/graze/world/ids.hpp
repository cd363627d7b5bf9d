// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace graze {

/// A body of a `World`: its slot, and how often that slot was used before. A removed body's id is never any other
/// body's: every call that is given one throws `Error`.
struct BodyId {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t slot = none;
  std::uint32_t generation = 0;
  friend auto operator<=>(const BodyId&, const BodyId&) = default;
};

/// A frame that bodies and other frames hang in; generations as for bodies.
struct FrameId {
  std::uint32_t slot = BodyId::none;
  std::uint32_t generation = 0;
  friend auto operator<=>(const FrameId&, const FrameId&) = default;
};

/// An articulated body: the links' bodies move together, by joint coordinates.
struct ArticulatedId {
  std::uint32_t slot = BodyId::none;
  std::uint32_t generation = 0;
  friend auto operator<=>(const ArticulatedId&, const ArticulatedId&) = default;
};

}  // namespace graze
