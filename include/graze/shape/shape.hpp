// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/vec3.hpp>

/// Convex solids that are what they say, not tessellations. Each is centred at its origin, with its axis along z.
///
/// Questions about polyhedral solids are decided exactly. With a curved partner an answer is certain whenever the gap
/// or the depth of the overlap exceeds the *rounding bound*. Let s be the largest distance of any point of the two
/// bodies from the first body's (with a mesh: the mesh's) origin. The bound is 2^-35 s for gaps, and for depths of
/// shapes with a radius (spheres, capsules, all that are rounded); 2^-33 s for depths of the others. Within it the
/// answer is `contact`, of kind `touching`, and the result's `certain` is false.
namespace graze::shape {

struct Sphere {
  double radius = 1;
};
/// All points within `radius` of a segment of the given length.
struct Capsule {
  double radius = 1, length = 1;
};
/// An axis-aligned box, given by the whole lengths of its sides.
struct Box {
  Vec3 sides{1, 1, 1};
};
struct Cylinder {
  double radius = 1, height = 1;
};
/// The base is at z = -height / 2, the tip at z = height / 2.
struct Cone {
  double radius = 1, height = 1;
};
struct Ellipsoid {
  Vec3 half_axes{1, 1, 1};
};
/// All points with z <= 0.
struct HalfSpace {};
/// The convex hull of the points, which may be flat or a single point.
struct Hull {
  std::vector<Vec3> points;
};

using Kind = std::variant<Sphere, Capsule, Box, Cylinder, Cone, Ellipsoid, HalfSpace, Hull>;

/// A convex solid: one of the kinds above, and all points within `rounding` of it. Any of its lengths may be zero.
struct Shape {
  Kind kind;
  double rounding = 0;

  Shape(Kind k, double rounded_by = 0) : kind(std::move(k)), rounding(rounded_by) {}
  template <class K>
  requires std::is_constructible_v<Kind, K> Shape(K k, double rounded_by = 0)
      : kind(std::move(k)), rounding(rounded_by) {}
};

/// The shape and all points within `radius` of it.
GRAZE_API Shape rounded(const Shape& shape, double radius);

/// A polyhedron (box, half-space, hull) that is not rounded: questions about such solids are decided exactly. All other
/// shapes are *curved*; a half-space stays a half-space when it is rounded.
GRAZE_API bool is_polyhedral(const Shape& shape);

/// Throws `Error` if the shape is not valid: not_finite; bad_option (a negative length); empty_mesh (a hull without
/// points).
GRAZE_API void check(const Shape& shape);

/// A box that contains the shape; infinite for a half-space. Of the coordinates' own precision, rounded outward.
GRAZE_API Box3 bounds(const Shape& shape);

/// The name of its kind: "sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "halfspace", "hull".
GRAZE_API std::string_view kind_name(const Shape& shape);

/// A shape written as text, as the command line takes it: `sphere:R`, `capsule:R,L`, `box:X,Y,Z`, `cylinder:R,H`,
/// `cone:R,H`, `ellipsoid:X,Y,Z`, `halfspace`; `+R` at the end rounds it (`box:1,2,3+0.1`). Hulls have no such text.
GRAZE_API bool is_shape_text(std::string_view text);
/// Throws `Error` (bad_option) with what is wrong with the text.
GRAZE_API Shape from_text(std::string_view text);
/// The opposite, with every digit that is needed. Throws `Error` (unsupported) for a hull.
GRAZE_API std::string to_text(const Shape& shape);

}  // namespace graze::shape
