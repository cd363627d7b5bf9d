// SPDX-License-Identifier: MIT
#pragma once

#include <graze/mesh/mesh.hpp>

namespace graze::play {

/// A flat hand of 960 triangles with four fingers and a thumb, closed: palm, then fingers along x from 0 on, the thumb
/// towards -y; about one long and 0.1 thick.
Mesh hand_mesh();

}  // namespace graze::play
