// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <graze/ask/elementary.hpp>
#include <graze/math/vec3.hpp>

namespace graze::engine::deform {

/// The closest parts of a vertex and a face (v, f0, f1, f2: vertex_face) or of two edges (a0, a1, b0, b1: edge_edge):
/// the pair of parts with the fewest vertices among those that are as close as the whole, of these the first in order
/// of ids. Bit k: point k belongs to it. Exact for all finite doubles, also for collapsed features. `ids`: of the
/// points; those of a face, of each edge, and the first ones of the edges are in ascending order.
unsigned closest_parts(ElementaryKind kind, const std::array<Vec3, 4>& points, const std::array<std::uint32_t, 4>& ids);

/// Parts by themselves: two points, a point and a segment, two segments, a point and a triangle, in the order of their
/// kind's `vertices` (`ProximityPair`). The points that are closest to each other lie strictly inside segments and
/// triangle.
struct Parts {
  ElementaryKind kind = ElementaryKind::vertex_vertex;
  std::array<Vec3, 4> points{};
};

/// How far parts are apart, in doubles. |distance - true| <= error; not a number or infinite if nothing is certain.
struct RoundedDistance {
  double distance, error;
};
RoundedDistance rounded_distance(const Parts& parts);

/// Is the distance at most d? Exact; d >= 0.
bool is_within(const Parts& parts, double d);

/// The distance in coordinates of which each stands for `unit` (a power of two), right to 2^-28 of itself, and the
/// weights of the closest points (`ProximityPair`). Requires finite differences.
struct Measured {
  double distance;
  std::array<double, 4> weights;
};
Measured measure(const Parts& parts, double unit = 1);

}  // namespace graze::engine::deform
