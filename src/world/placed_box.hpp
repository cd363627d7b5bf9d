// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/broad/broad_phase.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>

#include "math/composed.hpp"

namespace graze::world {

/// A box in world coordinates that contains the placed box of a mesh, and so the mesh, in real arithmetic. It is finite
/// for every pose.
Box3 placed_box(const Box3& local, const Pose& pose);

/// The placed box of a mesh as an oriented box. It contains the placed mesh in real arithmetic. Empty where it is no
/// better than `placed_box`, or where its numbers leave the range of double precision.
std::optional<TiltedBox> tilted_box(const Box3& local, const Pose& pose);

/// All points of the mesh are within this distance of the centre of its box.
double radius_of(const Mesh& mesh);
/// A cube that contains the placed mesh with this radius, for any rotation about the centre of its box.
Box3 placed_cube(const Box3& local, double radius, const Pose& pose);

/// The box widened by d on every side, rounded outward and finite.
Box3 widened(const Box3& box, double d);

using math::composed;

}  // namespace graze::world
