// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/vec3.hpp>

namespace graze::bv {

/// All directions n with n . axis >= cosine |n| |axis|, a cone of less than a right angle, or all directions at all.
/// Built from the normals of triangles standing still; certain, rounding included: the exact normals of everything
/// added lie inside.
struct NormalCone {
  Vec3 axis;
  double cosine = 0;  ///< of the half angle, rounded towards 0; 0: all directions

  bool is_everything() const { return !(cosine > 0); }
  static NormalCone everything() { return {}; }
};

/// The exact direction of (b - a) x (c - a). A triangle without area, or with too little to tell, gives everything.
NormalCone normal_cone(const Vec3& a, const Vec3& b, const Vec3& c);

/// A cone that contains both; its axis halves their common angle.
NormalCone merged(const NormalCone& a, const NormalCone& b);

/// Certainly inside?
bool contains(const NormalCone& cone, const Vec3& direction);

}  // namespace graze::bv
