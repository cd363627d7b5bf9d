// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <graze/body/body.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

namespace engine::distance {
struct ConvexBodyData;
}

/// The solid bounded by a convex mesh, prepared for `convex_distance` and `convex_collide`: its corners, their
/// adjacency, and a table of start corners for support queries (the furthest corner along a direction). Immutable,
/// cheap to copy and thread-safe.
class GRAZE_API ConvexBody {
 public:
  /// Throws `Error` (unsupported) unless the mesh is the closed surface of a convex body (`Classification::convex`).
  explicit ConvexBody(const Mesh& mesh);
  /// The same; reuses the body's cached classification of its mesh.
  explicit ConvexBody(const Body& body);

  const Mesh& mesh() const;
  /// The number of corners of the solid. Vertices inside flat faces or straight edges are not counted; several vertices
  /// at one position count as one.
  std::size_t corner_count() const;
  std::size_t edge_count() const;
  /// The number of flat faces of the solid; neighbouring coplanar polygons count as one face.
  std::size_t face_count() const;
  /// Bytes held, excluding the mesh.
  std::size_t bytes() const;

  /// For the library's own use.
  const engine::distance::ConvexBodyData& data() const { return *data_; }

 private:
  std::shared_ptr<const engine::distance::ConvexBodyData> data_;
};

/// Coherence data that a caller keeps between queries of one pair of bodies: the corners that determined the last
/// answer, and the last separating direction. Passing none, or the data of another pair, is always correct, only
/// slower.
class ConvexCoherence {
 public:
  void clear() { state_ = {}; }

  struct State {
    int size = 0;  ///< number of corner pairs in `a` and `b`
    std::array<std::uint32_t, 4> a{}, b{};
    Vec3 axis;  ///< in A's frame; zero: none
  };
  /// For the library's own use.
  State& state() { return state_; }

 private:
  State state_;
};

struct ConvexDistanceOptions {
  double relative_error = 1e-9;  ///< relative error bound of the distance; in [1e-14, 1)
  ConvexCoherence* coherence = nullptr;
};

/// Reusable. It has no `seconds`, because reading the clock would cost as much as the query.
struct ConvexDistanceResult {
  Status status = Status::undecided;  ///< `free`: apart by `distance`; `contact`: the solids share a point
  double distance = 0;                ///< between the solids, to the requested relative error; 0 in contact
  /// Nearest points of A and of B (in contact: a common point), in world coordinates, rounded.
  std::array<Vec3, 2> points{};
  std::optional<Feature> feature;  ///< the features that contain them; none for a common point inside the solids
  std::optional<Vec3> normal;      ///< unit, from A to B; none in contact
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// The least distance between two placed convex solids, and the nearest points. It is 0 if and only if they share a
/// point in real arithmetic; a solid inside the other is in contact.
///
/// Every answer is certified, with or without `coherence`: the status is the same, and the distance is the same to the
/// relative error (and to the last bit wherever the nearest features are unique).
GRAZE_API ConvexDistanceResult convex_distance(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b,
                                               const Pose& pose_b, const ConvexDistanceOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void convex_distance(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b, const Pose& pose_b,
                               const ConvexDistanceOptions& options, ConvexDistanceResult& result);

struct ConvexCollideOptions {
  ConvexCoherence* coherence = nullptr;
};

struct ConvexCollideResult {
  Status status = Status::undecided;  ///< `contact` or `free`
  Counters counters;
};

/// Do two placed convex solids share a point? As exact as `convex_distance`, and cheaper; no witness.
GRAZE_API ConvexCollideResult convex_collide(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b,
                                             const Pose& pose_b, const ConvexCollideOptions& options = {});
/// The same, writing into a result that is reused.
GRAZE_API void convex_collide(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b, const Pose& pose_b,
                              const ConvexCollideOptions& options, ConvexCollideResult& result);

}  // namespace graze
