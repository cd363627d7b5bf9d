// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/collide.hpp>
#include <graze/core/method_counters.hpp>

#include "body/body_data.hpp"
#include "core/refusal.hpp"
#include "engine/collide/limits.hpp"
#include "math/placed_points.hpp"
#include "math/relative_placement.hpp"

namespace graze::engine::collide {

/// One query to a method of `collide`. All geometry is given in A's frame: A's points unchanged, B's mapped by
/// `placement`.
struct CollideQuery {
  const body::BodyData& a;
  const body::BodyData& b;
  const Pose& pose_a;
  const Pose& pose_b;
  const CollideOptions& options;
  math::RelativePlacement placement;
  AllCounters& counters;           ///< where the method counts its work; collide.cpp copies it into the result
  core::Limits* limits = nullptr;  ///< once exceeded, the method may return any result
};

// A method is a type with
//   static constexpr MethodTraits traits;
//   static std::optional<ErrorDetail> refuses(const CollideQuery&);   // a query or body class that it does not support
//   static void run(const CollideQuery&, CollideResult&);
// `run` checks the query's limits between its elementary tests. It gets a cleared result and sets status, kind, pairs
// (the witness, or all of them in any order), and counts in the query's counters. Features, points, normal, sorting,
// the containment part of `solid`, the result's counters and seconds are added by collide.cpp for all methods.

/// For `refuses`.
inline ErrorDetail unsupported(std::string message, std::string element = "request") {
  return core::problem(ErrorCode::unsupported, std::move(element), std::move(message));
}

/// Puts the corners of triangle ta of A (points 0, 1, 2) and tb of B (points 3, 4, 5) into the set.
inline void load_pair(math::PlacedPoints& p, const CollideQuery& q, std::uint32_t ta, std::uint32_t tb) {
  p.clear();
  for (std::size_t k = 0; k < 3; ++k) p.add_a(q.a.corner(ta, k));
  for (std::size_t k = 0; k < 3; ++k) p.add_b(q.b.corner(tb, k));
}

/// Adds features, points and normals to the pairs that a method found.
void add_witness(const CollideQuery& q, CollideResult& result);

}  // namespace graze::engine::collide
