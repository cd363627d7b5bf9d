// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/collide.hpp>
#include <graze/ask/contains.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/ray.hpp>

// Questions with shapes that the exact questions about meshes cannot take as they are: curved ones and half-spaces. (A
// box or a hull is a mesh that is solid.) Each function fills in a result that has been cleared.
namespace graze::ask {

/// Is one of the two curved or a half-space?
bool beyond_meshes(const Body& a, const Body& b);

/// Are both shapes, none a half-space or a compound, and one of them curved?
bool plain_shapes(const Body& a, const Body& b);
/// `collide_shapes`, `distance_shapes` and `within_shapes` for such a pair, without options that change nothing.
void collide_plain_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, CollideResult& result);
void distance_plain_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, double relative_error,
                           DistanceResult& result);
void within_plain_shapes(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                         WithinResult& result);

void collide_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const CollideOptions& options,
                    CollideResult& result);
void distance_shapes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                     const DistanceOptions& options, DistanceResult& result);
void within_shapes(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                   WithinResult& result);

/// Turns an answer about (b, a) into one about (a, b).
void swap_sides(FirstContactResult& result);

/// For polyhedral pairs (meshes, boxes, hulls) whose surfaces are apart: is one, or a part of it, inside a solid shape?
/// Then sets `contained` and the points, and returns true.
bool inside_solid_shape(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, CollideResult& result);

}  // namespace graze::ask
