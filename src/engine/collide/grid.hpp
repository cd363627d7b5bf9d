// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/mesh/mesh.hpp>

#include "math/relative_placement.hpp"
#include "math/whole_points.hpp"

namespace graze::engine::collide {

/// A body's vertices as integer multiples of a power of two, if the integers are small: boxes, axis-aligned and snapped
/// models.
struct Grid {
  explicit Grid(const Mesh& mesh);

  bool valid = false;
  int exponent = 0;          ///< the unit is 2^exponent
  std::int32_t largest = 0;  ///< the largest coordinate in units
  std::vector<std::array<std::int32_t, 3>> vertices;
  std::array<std::int32_t, 3> lo{}, hi{};  ///< the box of all vertices
};

/// Two bodies on a common grid, in A's frame: their triangles as integer points, free of rounding error. For aligned
/// bodies, where every test is degenerate.
class CommonGrid {
 public:
  /// Not usable unless both bodies have a grid, the poses permute axes, the translation is on the grid, and all numbers
  /// stay small.
  CommonGrid(const Grid& a, const Grid& b, const math::RelativePlacement& placement);
  bool usable() const { return usable_; }

  /// The length of one grid unit.
  double unit() const { return unit_; }

  /// Is there a plane perpendicular to an axis with all of A in one closed half-space and all of B in the other? Then
  /// nothing crosses: their common points lie in that plane, and so does every triangle of either body that has such a
  /// point in its interior; an edge of the other body that crossed it would leave its own half-space.
  bool boxes_only_touch() const;

  math::WholePoints::Int3 vertex_of_a(std::uint32_t v) const {
    const auto& x = a_.vertices[v];
    return {std::int64_t{x[0]} << shift_a_, std::int64_t{x[1]} << shift_a_, std::int64_t{x[2]} << shift_a_};
  }
  math::WholePoints::Int3 vertex_of_b(std::uint32_t v) const {
    const auto& y = b_.vertices[v];
    math::WholePoints::Int3 p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = sign_[i] * (std::int64_t{y[from_[i]]} << shift_b_) + t_[i];
    return p;
  }
  /// A triangle of A as points 0, 1, 2; one of B as points 3, 4, 5.
  void load_a(const Triangle& t, math::WholePoints& out) const {
    for (std::size_t k = 0; k < 3; ++k) out.set(static_cast<int>(k), vertex_of_a(t[k]));
  }
  void load_b(const Triangle& t, math::WholePoints& out) const {
    for (std::size_t k = 0; k < 3; ++k) out.set(static_cast<int>(3 + k), vertex_of_b(t[k]));
  }

 private:
  const Grid& a_;
  const Grid& b_;
  bool usable_ = false;
  double unit_ = 1;
  int shift_a_ = 0, shift_b_ = 0;
  std::array<std::size_t, 3> from_{};
  std::array<std::int64_t, 3> sign_{}, t_{};
};

}  // namespace graze::engine::collide
