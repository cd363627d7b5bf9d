// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// Merges vertices at exactly equal positions (-0 equals 0). Ids are kept: polygons refer to the lowest id among equal
/// vertices; no vertex is removed, and no polygon changes its number or its group. Loose edges and points follow.
GRAZE_API Mesh weld(const Mesh& mesh);

}  // namespace graze
