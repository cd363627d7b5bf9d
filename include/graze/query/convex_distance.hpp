// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>
#include <graze/query/body.hpp>
#include <graze/query/contact.hpp>

namespace graze {

namespace query {
struct ConvexBodyData;
}

/// The solid that a convex mesh bounds, made ready for `convex_distance` and `convex_collide`: its corners, which of
/// them are neighbours, and where to start looking for the furthest one along a direction. Immutable, cheap to copy,
/// free to share between threads.
class GRAZE_API ConvexBody {
 public:
  /// Throws `Error` (unsupported) unless the mesh is the closed surface of a convex body (`Classification::convex`).
  explicit ConvexBody(const Mesh& mesh);
  /// The same; a body remembers how its mesh was classified.
  explicit ConvexBody(const Body& body);

  const Mesh& mesh() const;
  /// Corners of the solid: vertices inside flat faces and straight edges are none, and several at one place are one.
  std::size_t corner_count() const;
  std::size_t edge_count() const;
  /// Flat faces of the solid; neighbouring polygons in one plane are one face.
  std::size_t face_count() const;
  /// Bytes held, without the mesh.
  std::size_t bytes() const;

  /// For the library's own use.
  const query::ConvexBodyData& data() const { return *data_; }

 private:
  std::shared_ptr<const query::ConvexBodyData> data_;
};

/// What a caller remembers from query to query for one pair of bodies: the corners that the last answer rested on, and
/// the direction that last kept them apart.
/// Passing none, or one that belongs to another pair, is always right, only slower.
class ConvexCoherence {
 public:
  void clear() { state_ = {}; }

  struct State {
    int size = 0;  ///< of the corner pairs that follow
    std::array<std::uint32_t, 4> a{}, b{};
    Vec3 axis;  ///< in A's frame; zero: none
  };
  /// For the library's own use.
  State& state() { return state_; }

 private:
  State state_;
};

struct ConvexDistanceOptions {
  double relative_error = 1e-9;  ///< of the distance; in [1e-14, 1)
};

/// Reusable. It has no `seconds`: reading the clock would cost as much as the query.
struct ConvexDistanceResult {
  Status status = Status::undecided;  ///< `free`: apart by `distance`; `contact`: the solids share a point
  double distance = 0;                ///< of the solids, to the relative error asked for; 0 in contact
  std::array<Vec3, 2> points{};    ///< nearest points of A and of B (in contact: a common one), in the world, rounded
  std::optional<Feature> feature;  ///< the features that hold them; none for a common point inside the solids
  std::optional<Vec3> normal;      ///< unit, from A to B; none in contact
  Counters counters;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// The least distance between two placed convex solids, and where; 0 if and only if they share a point, in real
/// numbers: one inside the other is in contact.
///
/// Every answer is certified, with or without `coherence`: the status is the same, the distance the same to the
/// relative error (and to the last bit wherever the nearest features are unique).
GRAZE_API ConvexDistanceResult convex_distance(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b,
                                               const Pose& pose_b, const ConvexDistanceOptions& options = {},
                                               ConvexCoherence* coherence = nullptr);
GRAZE_API void convex_distance(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b, const Pose& pose_b,
                               const ConvexDistanceOptions& options, ConvexCoherence* coherence,
                               ConvexDistanceResult& result);

struct ConvexCollideResult {
  Status status = Status::undecided;  ///< `contact` or `free`
  Counters counters;
};

/// Do two placed convex solids share a point? Exact as `convex_distance`, and cheaper; no witness.
GRAZE_API ConvexCollideResult convex_collide(const ConvexBody& a, const Pose& pose_a, const ConvexBody& b,
                                             const Pose& pose_b, ConvexCoherence* coherence = nullptr);

}  // namespace graze
