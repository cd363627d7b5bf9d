// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/collide.hpp>
#include <graze/ask/contains.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/ray.hpp>

/// Questions about compounds: the same question for pairs of pieces whose boxes are near, and the answers put together
/// as `graze::compound` says. One of the bodies is a compound.
namespace graze::ask {

bool is_compound(const Body& body);

/// The options were checked; the method is `tree`.
void collide_compounds(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                       const CollideOptions& options, CollideResult& result);
void distance_compounds(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                        const DistanceOptions& options, DistanceResult& result);
void within_compounds(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                      const WithinOptions& options, WithinResult& result);
void first_contact_compounds(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                             const FirstContactOptions& options, FirstContactResult& result);
void cast_ray_compound(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, RayHits hits,
                       RayResult& result);
void contains_compound(const Body& body, const Pose& pose, const Vec3& point, ContainsResult& result);

}  // namespace graze::ask
