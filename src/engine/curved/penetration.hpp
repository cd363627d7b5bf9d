// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/penetration.hpp>

#include "body/body_data.hpp"

namespace graze::engine::curved {

/// The convex solid of a mesh's vertices; a part of a body.
struct HullCore {
  explicit HullCore(const Mesh& mesh)
      : core(shape::Shape(shape::Hull{{mesh.positions().begin(), mesh.positions().end()}})) {}
  shape::Core core;
};

/// The core of a shape, or of a mesh that is convex and closed; null if it is neither.
const shape::Core* convex_core(const body::BodyData& body);
/// The core of a shape, or of the convex hull of a mesh: what matters to a half-space.
const shape::Core& hull_core(const body::BodyData& body);

/// Two convex solids. Fills in all but the error.
void penetrate(const shape::Core& a, const Pose& pose_a, const shape::Core& b, const Pose& pose_b,
               double relative_error, PenetrationResult& result);
/// A half-space (A), whose surface is at `level`, and a convex solid.
void penetrate_half_space(double level, const Pose& pose_a, const shape::Core& b, const Pose& pose_b,
                          PenetrationResult& result);

}  // namespace graze::engine::curved
