// SPDX-License-Identifier: MIT
#pragma once

#include <graze/body/body.hpp>

#include "least_deviation.hpp"

namespace graze::play {

/// Mass, centre of mass and inertia about it, in the body's own coordinates.
struct Mass {
  double mass = 1;
  Vec3 centre;
  Symmetric inertia;
};

/// Of a body of this density: of the volume that its mesh encloses, if it is closed and faces outward; of the box that
/// contains it otherwise (open meshes, curved shapes, compounds). Throws `Error` (bad_option) if that is not positive,
/// or too large for a double.
Mass mass_of(const Body& body, double density = 1);

}  // namespace graze::play
