// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <graze/math/box3.hpp>

#include "engine/collide/method.hpp"

namespace graze::engine::collide {

/// The vertices of both bodies in A's frame, rounded, with one error bound per body: their boxes, widened by that
/// bound, contain the exact points. For the methods of the thesis, which visit all vertices anyway.
class PlacedVertices {
 public:
  explicit PlacedVertices(const CollideQuery& q) : a_(q.a.mesh.positions().begin(), q.a.mesh.positions().end()) {
    b_.reserve(q.b.mesh.vertex_count());
    for (const Vec3& x : q.b.mesh.positions()) {
      b_.push_back(q.placement.place(x));
      const double e = q.placement.error(x);
      if (!(e <= error_b_)) error_b_ = e;
    }
  }
  const std::vector<Vec3>& of(bool b) const { return b ? b_ : a_; }
  double error(bool b) const { return b ? error_b_ : 0; }

  /// A box certified to contain the placed points. If placing overflowed (NaN, infinity), all of space.
  template <std::size_t N>
  Box3 box(bool b, const std::array<std::uint32_t, N>& vertices) const {
    Box3 box;
    for (const std::uint32_t v : vertices) box.add(of(b)[v]);
    return widened(box, b);
  }
  Box3 widened(Box3 box, bool b) const {
    if (!b) return box;
    constexpr double inf = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      // nextafter: the sum itself is rounded.
      box.lo[i] = std::nextafter(box.lo[i] - error_b_, -inf);
      box.hi[i] = std::nextafter(box.hi[i] + error_b_, inf);
      if (!std::isfinite(box.lo[i]) || !std::isfinite(box.hi[i])) return {{-inf, -inf, -inf}, {inf, inf, inf}};
    }
    return box;
  }
  /// The box of the whole body (of all vertices that triangles use).
  Box3 body_box(const CollideQuery& q, bool b) const {
    if (!b) return q.a.mesh.box();
    Box3 box;
    for (const Triangle& t : q.b.mesh.triangles())
      for (const std::uint32_t v : t) box.add(b_[v]);
    return widened(box, true);
  }

 private:
  std::vector<Vec3> a_, b_;
  double error_b_ = 0;
};

}  // namespace graze::engine::collide
