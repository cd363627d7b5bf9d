// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "math/dyadic.hpp"

namespace graze::engine::contains {

/// The triangles of one body that contain a point p, as seen from p.
struct Surroundings {
  std::vector<math::DyadicVec3> normals;  ///< one for each plane, of any length and sign
  std::vector<math::DyadicVec3> edges;    ///< directions of their edges from p
  std::vector<math::DyadicVec3> corners;  ///< seen from p
};

/// The cones in which the interiors of A and B may meet near p (`interiors_overlap`), and the planes that bound them.
class Cones {
 public:
  Cones(const Surroundings& a, const Surroundings& b);

  /// Does the test hold for a direction inside one of the cones? Asks for one direction of each until it does.
  using Test = std::function<bool(const math::DyadicVec3& direction)>;
  bool any(const Test& test);
  /// Are two directions strictly inside the same cone?
  bool same_cone(const math::DyadicVec3& d, const math::DyadicVec3& e) const;

 private:
  std::vector<signed char> sides_of(const math::DyadicVec3& d) const;
  bool any_around(const math::DyadicVec3& ray, const Test& test);
  bool holds(const math::DyadicVec3& ray, const math::DyadicVec3& beside, const Test& test);

  const Surroundings &a_, &b_;
  std::vector<math::DyadicVec3> planes_a_, planes_b_, normals_;  ///< of A, of B, of both; each plane once
  std::set<std::vector<signed char>> seen_;
};

}  // namespace graze::engine::contains
