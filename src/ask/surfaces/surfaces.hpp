// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <graze/ask/collide.hpp>
#include <graze/ask/distance.hpp>
#include <graze/ask/first_contact.hpp>
#include <graze/ask/ray.hpp>
#include <graze/body/body.hpp>

// Questions about bodies of which one is a surface beyond triangles (`Body::surface`) and none a compound. Each
// function fills in a result that has been cleared.
//
// The surface's own question is when it first touches. All others ask it for bodies at rest: contact then means that
// certified points are at most *the bound* apart (`contact_bound`), and `free` is certified. What is in between is
// `contact`, of kind `touching`, and not `certain`.
namespace graze::ask {

bool about_surfaces(const Body& a, const Body& b);
/// A question that surfaces do not answer. `question`: its name.
ErrorDetail not_for_surfaces(const std::string& question);
/// The same, if one of the bodies is such a surface.
std::optional<ErrorDetail> refused_for_surfaces(const char* question, const Body& a, const Body& b);

/// 1e-9 of the smaller body's box diagonal; of the other's if that one is a point or a half-space.
double contact_bound(const Body& a, const Body& b);

void collide_surfaces(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                      const CollideOptions& options, CollideResult& result);
void within_surfaces(double d, const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                     const WithinOptions& options, WithinResult& result);
/// To a relative 1e-4, or `relative_error` if that is more.
void distance_surfaces(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                       const DistanceOptions& options, DistanceResult& result);
void first_contact_surfaces(const Body& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                            const FirstContactOptions& options, FirstContactResult& result);
/// The first contact of a point that moves along the segment.
void cast_ray_surface(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, const RayOptions& options,
                      RayResult& result);

}  // namespace graze::ask
