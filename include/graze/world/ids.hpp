// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include <graze/core/export.hpp>

namespace graze {

/// Identifies a body of a `World`: its slot, and how often that slot was used before. The id of a removed body is never
/// reused for another body: every call with such an id throws `Error`.
struct BodyId {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t slot = none;
  std::uint32_t generation = 0;
  friend std::strong_ordering operator<=>(const BodyId&, const BodyId&) = default;
};

/// Identifies a coordinate frame to which bodies and other frames are attached; generations as for bodies.
struct FrameId {
  std::uint32_t slot = BodyId::none;
  std::uint32_t generation = 0;
  friend std::strong_ordering operator<=>(const FrameId&, const FrameId&) = default;
};

/// Identifies an articulated body: the bodies of its links move together, controlled by joint coordinates.
struct ArticulatedId {
  std::uint32_t slot = BodyId::none;
  std::uint32_t generation = 0;
  friend std::strong_ordering operator<=>(const ArticulatedId&, const ArticulatedId&) = default;
};

}  // namespace graze
