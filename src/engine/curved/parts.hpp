// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <limits>

#include <graze/ask/distance.hpp>
#include <graze/body/contact.hpp>

#include "body/body_data.hpp"
#include "shape/placed_core.hpp"
#include "shape/simplex.hpp"

namespace graze::engine::curved {

/// A box of a body's tree (of a bottom node: a triangle), or all of a shape.
struct Part {
  std::uint32_t node = 0;
  int slot = 0;

  static Part child(std::uint32_t node, int slot) { return {node, slot}; }
  static Part whole() { return {std::numeric_limits<std::uint32_t>::max(), 0}; }
  bool is_whole() const { return node == std::numeric_limits<std::uint32_t>::max(); }
  friend std::strong_ordering operator<=>(const Part&, const Part&) = default;
};

/// A ball in a body's own coordinates.
struct Ball {
  Vec3 centre;
  double radius = 0;
};
/// Contains the core, without its radius.
Ball ball_of(const shape::Core& core);
Ball ball_of(const body::BodyData& mesh, std::uint32_t triangle);

/// A triangle, a box of the tree, with lengths times 2^-exponent. The box contains all its triangles.
shape::TriangleCore triangle(const body::BodyData& mesh, std::uint32_t t, int exponent);
shape::BoxCore child_box(const body::BodyData& mesh, const bvh::WideNode& node, int child, int exponent);

/// Two bodies that are certified apart, by a distance between two scaled bounds. `certain` only if these agree to the
/// relative error and the rounding bound.
void report_gap(double lower, double upper, double relative_error, int exponent, DistanceResult& result);

/// The features that the points of a simplex span: a vertex, edge or face of a mesh (A) against a curved surface (B);
/// and of two shapes.
Feature mesh_feature(const body::BodyData& mesh, std::uint32_t triangle, const shape::Simplex& simplex,
                     const shape::TriangleCore& corners);
Feature shape_feature(const body::BodyData& a, const body::BodyData& b, const shape::PlacedCore& placed_b,
                      const shape::Simplex& simplex, int exponent);
/// The same from the faces of a box that contain the point: 1 or -1 on each axis, or 0.
Feature shape_feature(const body::BodyData& a, const Vec3& side_a, const body::BodyData& b, const Vec3& side_b);
/// The face of a box that a direction leaves through, as above. (Only roughly: the box is taken for a cube.)
Vec3 face_towards(const Vec3& direction);

}  // namespace graze::engine::curved
