// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/collide.hpp>

#include "engine/distance/candidates.hpp"

// Two boxes (shapes, not rounded) are decided exactly, as the meshes that they are. Where they are further apart or
// deeper in each other than the rounding of doubles, fifteen directions tell so first.
namespace graze::ask {

bool plain_boxes(const body::BodyData& a, const body::BodyData& b);

/// True: they are further apart than `d`. False: they overlap. Neither is certain where their gap is between minus the
/// rounding bound and `d` plus it.
std::optional<bool> boxes_apart(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b,
                                const Pose& pose_b, double d = 0);

/// An edge of one box that seems to pass through a face of the other: a pair of their triangles that most likely cross.
std::optional<TrianglePair> piercing_pair(const body::BodyData& a, const body::BodyData& b,
                                          const math::RelativePlacement& placement);

/// A mesh and a box: clearly apart (as surface and solid), or two triangles that most likely cross. None: neither was
/// found, or they are other bodies.
struct QuickMeshBox {
  bool apart = false;
  TrianglePair pair;
};
std::optional<QuickMeshBox> quick_mesh_box(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b,
                                           const Pose& pose_b, const math::RelativePlacement& placement,
                                           Counters& counters);

/// Decided exactly.
bool triangles_cross(const body::BodyData& a, const body::BodyData& b, const math::RelativePlacement& placement,
                     const TrianglePair& pair, Counters& counters);

/// The triangles with the closest points, if these are known to the relative error. False: they are too near each other
/// for doubles.
bool closest_triangles(const engine::distance::DistanceQuery& q, double relative_error, Counters& counters,
                       engine::distance::Candidate& out);

}  // namespace graze::ask
