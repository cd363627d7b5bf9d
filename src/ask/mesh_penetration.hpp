// SPDX-License-Identifier: MIT
#pragma once

#include <graze/ask/penetration.hpp>

namespace graze::ask {

/// `penetration` of bodies that are not both convex; no half-spaces. Fills in all but the error. Throws `Stopped` when
/// a limit ends it; what was found so far is then in the result.
///
/// For a direction d, B is moved along d to where it is free: distances are doubled until `collide` says so, at the
/// latest beyond A's bounding slab. From there it moves back: the first contact of that motion is where it stops. That
/// it is free there is tested by `collide` at the rounded pose. The directions tried are the normals of the triangles
/// that meet and the axes, then the normals of the contacts found so.
void part_meshes(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, PenetrationResult& result);

}  // namespace graze::ask
