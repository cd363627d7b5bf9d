// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/broad/broad_phase.hpp>
#include <graze/math/box3.hpp>
#include <graze/math/pose.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::world {

/// A box of the world that holds the placed box of a mesh, and so the mesh, in real numbers; finite, whatever the pose.
Box3 placed_box(const Box3& local, const Pose& pose);

/// The placed box of a mesh as it lies there; it holds the placed mesh in real numbers. None where it is no better than
/// `placed_box`, or its numbers leave the range of doubles.
std::optional<TiltedBox> tilted_box(const Box3& local, const Pose& pose);

/// All points of a mesh are within `radius` of the middle of its box.
double radius_of(const Mesh& mesh);
/// A cube that holds the placed mesh, whose radius this is, in any orientation about the middle of its box.
Box3 placed_cube(const Box3& local, double radius, const Pose& pose);

/// The box, wider by d on every side, rounded outward and finite.
Box3 widened(const Box3& box, double d);

/// Where something stands that stands at `local` in a frame which stands at `parent`: the nearest pose in doubles,
/// which from then on *is* its pose. Exact where the frame does not turn and the sum of the translations is a double.
Pose composed(const Pose& parent, const Pose& local);

}  // namespace graze::world
