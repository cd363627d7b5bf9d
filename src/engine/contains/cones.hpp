// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "math/dyadic.hpp"

namespace graze::engine::contains {

/// The triangles of one body that contain a point p, as seen from p.
struct Surroundings {
  std::vector<math::DyadicVec3> normals;  ///< one for each plane, of any length and sign
  std::vector<math::DyadicVec3> edges;    ///< directions of their edges from p
};

/// One direction inside each cone in which the interiors of A and B may meet near p (`interiors_overlap`), and the
/// planes that bound the cones.
class Cones {
 public:
  Cones(const Surroundings& a, const Surroundings& b);

  const std::vector<math::DyadicVec3>& directions() const { return directions_; }
  /// Are two directions strictly inside the same cone?
  bool same_cone(const math::DyadicVec3& d, const math::DyadicVec3& e) const;

 private:
  std::vector<signed char> sides_of(const math::DyadicVec3& d) const;
  void add_around(const math::DyadicVec3& ray);
  void add(const math::DyadicVec3& ray, const math::DyadicVec3& beside);

  std::vector<math::DyadicVec3> normals_;
  std::vector<std::vector<signed char>> seen_;
  std::vector<math::DyadicVec3> directions_;
};

}  // namespace graze::engine::contains
