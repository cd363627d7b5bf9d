// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/surface.hpp>

namespace graze::classic::contact {

/// The first contact of a moving surface with all points within `radius` of a mesh, which is a surface too: what is
/// inside it is not asked for. Checks the options, and keeps the limits.
void ask_surface_and_mesh(const SurfaceBody& a, const Motion& motion_a, const Body& mesh, double radius,
                          const Motion& motion_b, const SurfaceContactOptions& options, SurfaceContactResult& result);
void ask_surfaces(const SurfaceBody& a, const Motion& motion_a, const SurfaceBody& b, const Motion& motion_b,
                  const SurfaceContactOptions& options, SurfaceContactResult& result);

}  // namespace graze::classic::contact
