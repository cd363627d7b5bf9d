// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <graze/math/interval.hpp>
#include <graze/math/vec3.hpp>

namespace graze::prim {

/// Two features of moving points, and the order of the points: v f0 f1 f2; a0 a1 b0 b1; v e0 e1; v w. (Unused points
/// are ignored.)
enum class MovingPair : std::uint8_t { vertex_face, edge_edge, vertex_edge, vertex_vertex };

/// Four points, each of which moves on a straight line at constant speed from its start (t = 0) to its end (t = 1).
/// Finite.
struct StraightPoints {
  std::array<Vec3, 4> start, end;
};

/// Do the two closed features share a point at some t in [0, 1]? Exact for all finite doubles: features may be
/// degenerate, be at rest, stay coplanar, touch for one instant or only at an end of the time interval.
bool exactly_meet(MovingPair pair, const StraightPoints& points);

/// An enclosure of the first such t by doubles at most 2^-52 apart; nothing if there is none.
std::optional<Interval> exact_first_time(MovingPair pair, const StraightPoints& points);

}  // namespace graze::prim
