// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <graze/body/body.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/math/vec3.hpp>

namespace graze {

struct ManifoldOptions {
  /// Places that are apart by at most this are listed, too, with a negative depth (speculative contacts). Finite, at
  /// least 0.
  double margin = 0;
  // Limits: see `CancelToken`. A step is as for `penetration`, or a pair of triangles that is looked at. `undecided`
  // comes without patches.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

/// A point of a contact manifold.
struct ManifoldPoint {
  std::array<Vec3, 2> points{};  ///< on A and on B, one over the other along the normal; world coordinates, rounded
  double depth = 0;              ///< along the normal; negative: the two points are apart
  /// The features of A and of B that are there: two equal ones are the same point of contact in every frame. A vertex
  /// or an edge has its ids in the mesh (of a rounded box or hull: of the box or hull inside). Neighbouring faces in
  /// one plane are one face, that of the lowest id. A curved surface has `FeatureRef::Type::surface`, and the ids are a
  /// place on it: 0 where it is round, else an end of a line or one of eight places of a rim, which turn with the body.
  FeatureRef feature_a, feature_b;
  /// Made of the two features and the two pieces, and of nothing else: equal for equal ones, and different for
  /// different ones except by a chance of 2^-64.
  std::uint64_t id = 0;
};

/// A connected part of the overlap of two bodies (or of where they are near), and the points that stand for it.
struct ManifoldPatch {
  Vec3 normal;                        ///< unit, from A to B: B moved along it leaves A here; world coordinates
  double depth = 0;                   ///< the greatest of its points
  std::vector<ManifoldPoint> points;  ///< 1 to 4, ordered by their features
  std::array<PieceId, 2> pieces{};    ///< 0 of a body that is no compound
};

struct ManifoldResult {
  /// `contact`: the bodies share a point. `free`: they do not; with a margin, there may be patches. `undecided`: a
  /// limit ended the question.
  Status status = Status::undecided;
  bool certain = true;                 ///< false: as for `penetration`
  std::vector<ManifoldPatch> patches;  ///< ordered by pieces, then the deepest first
  std::optional<ErrorDetail> error;    ///< with `invalid_request`
};

/// Where do two bodies press on each other? The contact points that a solver of a simulator needs. Closed meshes and
/// shapes count as solids, open meshes as surfaces; of compounds, every pair of pieces has patches of its own.
///
/// Promised:
/// - `contact` and `free` are answered as by `penetration` (also for a compound and a half-space: piece by piece),
/// unless
///   gap or depth are within the rounding bound of shape/shape.hpp.
/// - Convex solids, or a half-space and a solid: the normal is the direction of the least translation that parts the
/// two
///   (of bodies that are apart, that of their closest points), and all of them have it. The deepest point is listed,
///   with the depth that `penetration` finds.
/// - Other meshes: the normal of a patch is that of its `PenetrationPatch`; of a patch that is only near, the direction
///   of its closest points.
/// - Each point of a patch is on both surfaces, and the difference of the two is depth times normal, up to rounding (a
///   millionth of the smaller body's size, and of ellipsoids, cylinders and cones 1e-4 of it). The depth is at least
///   -margin.
/// - A patch with more than 4 corners keeps a deepest one, then the one furthest from it, the one that spans the
/// largest
///   triangle with the two, and the one that adds most to it. Where several are equally good up to a millionth of the
///   patch's size, the features decide. So a body that rests keeps its points, whatever rounding does.
/// - The same bodies and poses give the same result, bit by bit. A rigid motion of both changes it by rounding only;
///   exchanging A and B exchanges the answer, except where several choices of 4 points are equally good.
///
/// Not promised: that the points bound the whole area of contact (there may be more than 4 corners, and a round rim has
/// eight); that normals of meshes change little from frame to frame (where two directions part them equally well,
/// either may be chosen); certified bounds (ask `penetration`).
///
/// Two half-spaces are an invalid request.
GRAZE_API ManifoldResult manifold(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                  const ManifoldOptions& options = {});

}  // namespace graze
