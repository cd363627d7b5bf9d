// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/collide.hpp>

#include "body/body_data.hpp"
#include "math/relative_placement.hpp"

// Two boxes (shapes, not rounded) are decided exactly, as the meshes that they are. Where they are further apart or
// deeper in each other than the rounding of doubles, fifteen directions tell so first.
namespace graze::ask {

bool plain_boxes(const body::BodyData& a, const body::BodyData& b);

/// True: they are further apart than `d`. False: they overlap. Neither is certain where their gap is between minus the
/// rounding bound and `d` plus it.
std::optional<bool> boxes_apart(const body::BodyData& a, const Pose& pose_a, const body::BodyData& b,
                                const Pose& pose_b, double d = 0);

/// The first triangle of a box's mesh with these vertices: one or two of an edge.
std::uint32_t triangle_at(const Mesh& mesh, std::uint32_t v, std::uint32_t w);

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

}  // namespace graze::ask
