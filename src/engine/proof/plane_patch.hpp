// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

#include "engine/deform/patches/cones.hpp"
#include "engine/deform/patches/contour_test.hpp"

namespace graze::engine::proof {

/// Finds directions along which triangles of a step never overlap in projection: the proofs `M` of
/// docs/certificates.md, which has the argument. What is found here holds by more than the rounding error; the exact
/// statement is the checker's.
class PlanePatch {
 public:
  /// `place`: at both ends of the time. Coordinates at its end are off by at most `error`.
  PlanePatch(std::span<const Triangle> triangles, std::array<std::span<const Vec3>, 2> place, double error);

  /// The direction for the triangles of both lists together, all of whose normals are in the cone; or nothing.
  std::optional<Vec3> direction(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                                const deform::ContinuousCone& cone);
  /// Have triangles of both lists a vertex in common?
  bool touch(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second);

 private:
  struct Side {
    std::uint32_t low, high;
    bool leaves;  ///< goes from the lower to the higher vertex
  };

  bool project(const Vec3& along);
  bool areas_stay_positive() const;
  bool find_boundary();
  bool boundary_stays_simple();
  bool winds_once() const;
  bool stay_apart(const deform::ContourEdge& a, const deform::ContourEdge& b) const;

  std::span<const Triangle> triangles_;
  std::array<std::span<const Vec3>, 2> place_;
  double error_of_coordinate_;
  std::vector<std::uint32_t> patch_;  // the triangles asked about
  std::vector<std::uint32_t> seen_;   // by vertex: the last question that had it
  std::uint32_t question_ = 0;
  std::vector<deform::PlanePoint> points_;  // by vertex
  std::vector<Side> sides_;
  std::vector<deform::ContourEdge> edges_;
  std::vector<std::uint32_t> edge_from_;  // by vertex: the edge of the boundary that starts there
  double off_ = 0, error_ = 0;            // error bounds of a plane coordinate, and of a product of two differences
};

}  // namespace graze::engine::proof
