// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <graze/math/vec3.hpp>

namespace graze::prim {

/// Up to four points w = b - a of the difference of two convex bodies, with the corners that they come from, and their
/// convex combination that is nearest to the origin.
struct ConvexSimplex {
  int size = 0;
  std::array<Vec3, 4> w;
  std::array<std::uint32_t, 4> a{}, b{};
  std::array<double, 4> weight{};

  bool holds(std::uint32_t ia, std::uint32_t ib) const {
    for (int i = 0; i < size; ++i)
      if (a[static_cast<std::size_t>(i)] == ia && b[static_cast<std::size_t>(i)] == ib) return true;
    return false;
  }
  void add(const Vec3& p, std::uint32_t ia, std::uint32_t ib) {
    const auto i = static_cast<std::size_t>(size++);
    w[i] = p;
    a[i] = ia;
    b[i] = ib;
    weight[i] = 1;
  }
};

/// The point of the simplex nearest to the origin, rounded.
struct NearestPoint {
  Vec3 v;
  double squared = 0;   ///< of v
  bool inside = false;  ///< the origin appears to be inside the tetrahedron; v is meaningless
};

/// Finds that point and drops the corners that it does not need, unless the origin is inside a tetrahedron.
///
/// The direction of v is what proves separation, so it is kept accurate where |v| is small relative to the simplex: for
/// a triangle it is the triangle's normal, for an edge it is orthogonalised once more.
NearestPoint nearest_to_origin(ConvexSimplex& simplex);

/// Is the origin certainly inside the tetrahedron, if each coordinate of w may be off by `error`?
bool surely_inside(const ConvexSimplex& tetrahedron, double error);

}  // namespace graze::prim
