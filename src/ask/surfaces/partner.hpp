// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/ask/surface.hpp>
#include <graze/body/body.hpp>
#include <graze/core/error.hpp>
#include <graze/core/limits.hpp>

// What a surface beyond triangles (`SurfaceBody`) can be asked against, and the one question that all others ask.
namespace graze::ask {

/// A mesh and all points within a radius of it: what is asked instead of a box, a hull, a sphere or a capsule (a point
/// or a segment as a triangle without an area), each rounded or not. A mesh is itself.
struct SurfacePartner {
  Body mesh;
  double radius = 0;
};

/// None: a cylinder, a cone or an ellipsoid, which is no mesh with a radius; a half-space or a compound, which stand
/// for other bodies.
std::optional<SurfacePartner> partner_of(const Body& body);

/// Why there is none.
ErrorDetail no_partner();

/// A surface and anything else: a mesh, any shape, or another surface; not a compound. A shape is solid: if a part of
/// the surface is inside it at the start, `inside` is set and the answer is `contact` at 0. Without `look_inside` that
/// is known not to be so.
struct SurfaceAnswer {
  SurfaceContactResult contact;
  bool inside = false;
};
void ask_surface(const SurfaceBody& a, const Motion& motion_a, const Body& b, const Motion& motion_b,
                 const SurfaceContactOptions& options, SurfaceAnswer& answer, bool look_inside = true);

}  // namespace graze::ask
