// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/box3.hpp>
#include <graze/math/pose.hpp>

namespace graze::world {

/// A box of the world that holds the placed box of a mesh, and so the mesh, in real numbers; finite, whatever the pose.
Box3 placed_box(const Box3& local, const Pose& pose);

/// The box, wider by d on every side, rounded outward and finite.
Box3 widened(const Box3& box, double d);

/// Where something stands that stands at `local` in a frame which stands at `parent`: the nearest pose in doubles,
/// which from then on *is* its pose. Exact where the frame does not turn and the sum of the translations is a double.
Pose composed(const Pose& parent, const Pose& local);

}  // namespace graze::world
