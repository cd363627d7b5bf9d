// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// Makes vertices at exactly equal positions one vertex (-0 equals 0). Ids are kept: a polygon names the lowest id
/// of those that were equal; no vertex is removed and no polygon changes its number.
GRAZE_API Mesh weld(const Mesh& mesh);

}  // namespace graze
