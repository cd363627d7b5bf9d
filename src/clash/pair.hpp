// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/clash/clash.hpp>
#include <graze/math/box3.hpp>

#include "clash/kept.hpp"
#include "clash/settings.hpp"

namespace graze::clash {

/// Two parts whose boxes are within the clearance.
struct Pair {
  std::uint32_t a = 0, b = 0;  ///< a < b
  PairSettings settings;
};

/// One of them, ready to be asked about.
struct Placed {
  const Kept& kept;
  const Pose& pose;
  const Box3& box;  ///< in the world; contains it
};

/// What the boxes say, where that is all that is needed.
Box3 common(const Box3& a, const Box3& b);
/// At least the length of the shortest translation along an axis after which the boxes share no inner point.
double depth_of_boxes(const Box3& a, const Box3& b);

/// The answer about one pair.
struct PairAnswer {
  std::optional<Clash> clash;
  std::optional<ErrorDetail> error;  ///< no answer, and why
};

/// Kinds `duplicate` and `unread` are the caller's business. Throws `core::Stopped` when the run must end.
PairAnswer ask(const Pair& pair, const Placed& a, const Placed& b, const Options& options, int threads,
               CollideResult& scratch);

}  // namespace graze::clash
