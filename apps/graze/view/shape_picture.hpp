// SPDX-License-Identifier: MIT
#pragma once

#include <graze/body/body.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::app {

/// What is drawn of a body: its mesh; of a curved shape a polyhedron inscribed in it; of a half-space a square; of a
/// compound all its pieces.
Mesh picture_of(const Body& body);

/// Is that mesh the body itself?
bool picture_is_body(const Body& body);

}  // namespace graze::app
