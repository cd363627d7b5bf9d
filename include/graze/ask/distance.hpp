// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include <graze/body/body.hpp>
#include <graze/body/contact.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/math/pose.hpp>

namespace graze {

struct DistanceOptions {
  double relative_error = 1e-9;      ///< relative error bound of the distance; in [1e-14, 1)
  std::string_view method = "tree";  ///< "tree" or "brute"
  int threads = 1;
  // Limits: see `CancelToken`. A step is a pair of tree nodes or of triangles.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

struct DistanceResult {
  /// `free`: apart by `distance`; `contact`: 0, with a witness. `undecided`: a limit ended the query; `distance` is
  /// then 0, which is a lower bound, and there are no points.
  Status status = Status::undecided;
  double distance = 0;             ///< between the surfaces (of shapes: the solids), to the requested relative error
  bool certain = true;             ///< as for `collide`
  std::array<Vec3, 2> points{};    ///< closest points on A and on B, in world coordinates, rounded
  std::optional<Feature> feature;  ///< the features that contain them
  TrianglePair pair{};             ///< the triangles that contain them
  std::optional<Vec3> normal;      ///< unit, from A to B; none in contact where undefined
  Counters counters;
  double seconds = 0;  ///< 0 for two shapes, as for `collide`
  std::optional<ErrorDetail> error;
  /// If one of the bodies is a compound: the pieces that this is about, 0 of a body that is none.
  std::optional<std::array<PieceId, 2>> pieces;
};

/// The least distance between the surfaces of two placed bodies. With one thread, a query of bodies that are apart
/// allocates no memory. If the surfaces meet, use `collide` to get details of the contact.
GRAZE_API DistanceResult distance(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                  const DistanceOptions& options = {});
GRAZE_API void distance(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                        const DistanceOptions& options, DistanceResult& result);

struct WithinOptions {
  int threads = 1;
  // Limits: see `CancelToken`. A step is a pair of tree nodes or of triangles.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

struct WithinResult {
  /// `contact`: some two points are at most d apart; `free`: none are. `undecided`: a limit ended the query.
  Status status = Status::undecided;
  bool certain = true;  ///< false only with a curved shape: `contact`, but d is within a rounding bound
  Counters counters;
  double seconds = 0;  ///< 0 for two shapes, as for `collide`
  std::optional<ErrorDetail> error;
};

/// Are two points of the surfaces at most `d` apart (d >= 0, finite)? Decided exactly, and cheaper than `distance`.
GRAZE_API WithinResult within(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                              const WithinOptions& options = {});
GRAZE_API void within(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                      const WithinOptions& options, WithinResult& result);

}  // namespace graze
