// SPDX-License-Identifier: MIT
// Random poses, and pairs of triangles whose placed corners are exactly at chosen integer points.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <sstream>
#include <string>

#include "oracle/generators.hpp"

namespace graze::oracle {

enum class PoseFamily {
  identity,
  whole_translation,
  real_translation,
  whole_quaternion,   ///< entries in -4..4, not of unit length: the rotation's entries are fractions
  unit_quaternion,    ///< random direction, normalised to within rounding
  quarter_turn,       ///< one of the 24 rotations of the cube, entries -1, 0, 1
  half_turn,          ///< about any axis with integer components, w = 0
  tiny_rotation,      ///< by about 1e-9, or by far less than an ulp of one
  scaled_quaternion,  ///< an integer quaternion times 2^500, 2^-500, 2^1000 or 2^-1000, whose squares overflow or
                      ///< underflow
};
constexpr int pose_family_count = static_cast<int>(PoseFamily::scaled_quaternion) + 1;

inline const char* name(PoseFamily family) {
  constexpr const char* names[pose_family_count] = {"identity",         "whole_translation", "real_translation",
                                                    "whole_quaternion", "unit_quaternion",   "quarter_turn",
                                                    "half_turn",        "tiny_rotation",     "scaled_quaternion"};
  return names[static_cast<int>(family)];
}

/// Entries from -reach to reach, not all zero.
inline Quat whole_quaternion(Random& random, int reach = 4) {
  for (;;) {
    const int w = whole(random, -reach, reach);
    const Vec3 v = grid_point(random, reach);
    if (w != 0 || v != Vec3{}) return {double(w), v.x, v.y, v.z};
  }
}
inline Quat unit_quaternion(Random& random) {
  for (;;) {
    const double w = real(random);
    const Vec3 v = real_point(random);
    const double length = std::sqrt(w * w + dot(v, v));
    if (length > 0.1 && length < 1) return {w / length, v.x / length, v.y / length, v.z / length};
  }
}
/// One of the 24 rotations that map the cube to itself: |q|^2 is 1 (four of them up to sign), 2 (twelve) or 4 (eight).
inline Quat quarter_turn(Random& random) {
  for (;;) {
    const Quat q = whole_quaternion(random, 1);
    if (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z != 3) return q;
  }
}
inline Quat times(const Quat& q, double s) { return {q.w * s, q.x * s, q.y * s, q.z * s}; }

inline Pose random_pose(Random& random, PoseFamily family) {
  const Vec3 real_shift = real_point(random, 3), whole_shift = grid_point(random, 3);
  const Vec3 shift = whole(random, 0, 1) ? real_shift : whole_shift;
  switch (family) {
    case PoseFamily::identity: return Pose{};
    case PoseFamily::whole_translation: return Pose(whole_shift);
    case PoseFamily::real_translation: return Pose(real_shift);
    case PoseFamily::whole_quaternion: return Pose(shift, whole_quaternion(random));
    case PoseFamily::unit_quaternion: return Pose(shift, unit_quaternion(random));
    case PoseFamily::quarter_turn: return Pose(whole_shift, quarter_turn(random));
    case PoseFamily::half_turn: {
      const Vec3 v = grid_point(random, 2);
      return Pose(shift, v == Vec3{} ? Quat{0, 0, 0, 1} : Quat{0, v.x, v.y, v.z});
    }
    case PoseFamily::tiny_rotation: {
      const Vec3 v = real_point(random) * (whole(random, 0, 1) ? 1e-9 : 1e-30);
      return Pose(whole_shift, Quat{1, v.x, v.y, v.z});
    }
    case PoseFamily::scaled_quaternion: {
      const double factor = std::array{0x1p500, 0x1p-500, 0x1p1000, 0x1p-1000}[random() % 4];
      return Pose(shift, times(whole_quaternion(random), factor));
    }
  }
  return Pose{};
}
inline Pose random_pose(Random& random) {
  return random_pose(random, static_cast<PoseFamily>(whole(random, 0, pose_family_count - 1)));
}

/// Two triangles in their local frames, and their poses.
struct PlacedPair {
  Corners a, b;
  Pose pose_a, pose_b;
};

/// Families whose coordinates are integers (of moderate size), so that `placed_exactly` can rotate them.
inline PairFamily whole_family(Random& random) {
  return any_of_families(random, PairFamily::grid, PairFamily::both_degenerate);
}

/// A pair of an integer family, enlarged, expressed in two frames with different integer quaternions. The local
/// coordinates are integers; the placed corners are again integers and touch exactly as the original pair does. But the
/// rotation matrices have entries like 2/15, so rounding the placement to doubles would give wrong answers.
inline PlacedPair placed_exactly(Random& random) {
  const Quat turn_a = whole_quaternion(random), turn_b = whole_quaternion(random);
  const Vec3 shift = grid_point(random, 3);  // the same for both, or they would separate
  const auto length_squared = [](const Quat& q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; };
  const double factor = length_squared(turn_a) * length_squared(turn_b);
  const CornersPair world = random_pair(random, whole_family(random));
  PlacedPair placed{world.a, world.b, Pose(shift, turn_a), Pose(shift, turn_b)};
  // The inverse of R also has entries n/|q|^2, so integer multiples of |q|^2 have integer local coordinates.
  for (std::size_t i = 0; i < 3; ++i) {
    placed.a[i] = local_of(placed.pose_a, world.a[i] * factor + shift).value();
    placed.b[i] = local_of(placed.pose_b, world.b[i] * factor + shift).value();
  }
  return placed;
}

/// A pair of any family in any two poses; half of the time both in the same pose, which preserves every contact
/// exactly.
inline PlacedPair placed_anyhow(Random& random, PairFamily family) {
  const CornersPair pair = random_pair(random, family);
  const Pose pose_a = random_pose(random), other = random_pose(random);
  const bool same = whole(random, 0, 1) == 1;
  return {pair.a, pair.b, pose_a, same ? pose_a : other};
}

// ---- messages ---------------------------------------------------------------------------------------------------

/// As C++ source, in hexadecimal floating point: can be pasted into a regression test.
inline std::string describe(const Corners& t) {
  std::ostringstream text;
  text << std::hexfloat << "{{";
  for (std::size_t i = 0; i < 3; ++i) text << (i ? ", {" : "{") << t[i].x << ", " << t[i].y << ", " << t[i].z << '}';
  text << "}}";
  return text.str();
}
inline std::string describe(const Pose& pose) {
  const Vec3& t = pose.translation();
  const Quat& q = pose.rotation();
  std::ostringstream text;
  text << std::hexfloat << "Pose({" << t.x << ", " << t.y << ", " << t.z << "}, {" << q.w << ", " << q.x << ", " << q.y
       << ", " << q.z << "})";
  return text.str();
}
inline std::string describe(const CornersPair& pair) { return "a = " + describe(pair.a) + "\nb = " + describe(pair.b); }
inline std::string describe(const PlacedPair& pair) {
  return describe(CornersPair{pair.a, pair.b}) + "\npose_a = " + describe(pair.pose_a) +
         "\npose_b = " + describe(pair.pose_b);
}

}  // namespace graze::oracle
