// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/ids.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

/// A line segment between two points in world coordinates.
struct Ray {
  Vec3 from, to;
};

/// Where a ray meets a body.
struct RayHit {
  /// The double nearest to the exact s in [0, 1] for which from + s (to - from) is the point.
  double fraction = 0;
  /// In world coordinates, rounded: the error on each axis is less than 2^-50 of the end points' largest coordinate.
  Vec3 point = {};
  TriangleId triangle{};
  PolygonId polygon{};
  std::optional<PieceId> piece = {};  ///< of a compound; the first of several that are met at the same fraction
  /// The surface's unit normal in world coordinates, whatever side the ray comes from: of a mesh, that of the triangle
  /// by the order of its corners (counter-clockwise seen from the tip), accurate to 2^-44; of a shape, outward. Of a
  /// curved surface it is the normal at a point within the rounding bound of the hit, at an edge of a cylinder or a
  /// cone one of the normals there. None: the ray starts inside a solid, or what it meets has no area.
  std::optional<Vec3> normal = {};
  /// Barycentric weights of the triangle's corners, as `Mesh::triangles` lists them: none is negative, their sum is 1,
  /// rounded. The point that they give is within 2^-44 of the largest coordinate in the body's frame (of the triangle,
  /// the ends of the ray and the origin of the world) of the exact hit. Of curved shapes and of a start inside a solid:
  /// 0 0 0.
  std::array<double, 3> weights{};
  /// Which vertex, edge or face of the mesh contains the point, decided exactly. A diagonal of a planar polygon belongs
  /// to its face. `surface` for curved shapes and for a start inside a solid.
  FeatureRef feature{FeatureRef::Type::surface, false, {0, 0}};
};

/// Which hits are wanted.
enum class RayHits {
  first,  ///< the first one
  any,    ///< whichever is found first: only whether there is one matters
  all,    ///< one for every polygon that the ray meets, ordered by the exact fraction, then by triangle
};
/// "first", "any", "all".
GRAZE_API const char* name(RayHits hits);

struct RayOptions {
  RayHits hits = RayHits::first;
};

struct RayResult {
  /// `contact` with a hit; `free`: certified, the segment and the surface (of a shape: the solid) share no point.
  Status status = Status::undecided;
  std::optional<RayHit> hit;  ///< with `all`: the first of `all`
  std::vector<RayHit> all;    ///< with `all`
  bool certain = true;        ///< false only for a curved shape: the segment may miss it by less than a rounding bound
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`: an end point is not finite
};

/// Does the line segment between two points in world coordinates meet the surface of the placed body, and where first?
/// Whether it meets the surface is decided exactly. Among the triangles that it meets, the hit is the first by the
/// exact fraction, then by id. This holds for every ray and scale: in the plane of a face, along an edge, at a point,
/// for degenerate triangles. Shapes are solid: a segment that starts inside one meets it at 0, and a curved shape has
/// one hit, where the segment enters it. With a curved shape the fraction is rounded: the point is within the rounding
/// bound (shape/shape.hpp) of the first contact.
GRAZE_API RayResult cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to,
                             const RayOptions& options = {});
/// The same, writing into a result that is reused. Allocates nothing once warm, unless the ray meets an edge or a
/// vertex exactly, or lies in the plane of a face.
GRAZE_API void cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, const RayOptions& options,
                        RayResult& result);
GRAZE_API void cast_ray(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, RayResult& result);

}  // namespace graze
