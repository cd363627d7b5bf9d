// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include "math/double_double.hpp"
#include "prim/closest/closest.hpp"

namespace graze::prim {

/// Two triangles to twice a double's length. `error`: no coordinate is further from the exact one. `size`: the largest
/// coordinate, between 2^-200 and 2^200.
struct SharpCorners {
  std::array<math::DoubleDoubleVec3, 3> a, b;
  double error, size;
};

/// A direction (not zero, of any length), and its length rounded up.
struct SharpDirection {
  math::DoubleDoubleVec3 n;
  double length;
};

/// How far, at least, B's lowest corner is above A's highest along a direction, from their products with n; a bound of
/// the distance from below. Not positive if the direction proves nothing.
double sharp_gap(const SharpDirection& d, const math::DoubleDouble& highest_a, const math::DoubleDouble& lowest_b,
                 double error, double size);

/// Certified lower <= distance <= upper, and a distance between them. Both bounds hold whatever the parts are: `upper`
/// is the distance of two points of the triangles, `lower` a gap along a direction. They agree to all but the last
/// places of a double where `parts` hold the closest points and the distance is above 2^-80 of the coordinates or so.
/// Unlike `closest_triangle_triangle` this stays so where large triangles are very near: the direction is a face's
/// normal or across edges, not the difference of two rounded points. None: the parts give no direction.
struct SharpBracket {
  double lower, upper, rounded;
  SharpDirection direction;  ///< from A to B
};
std::optional<SharpBracket> sharp_bracket(const SharpCorners& corners, const ClosestPair& parts);

}  // namespace graze::prim
