// SPDX-License-Identifier: MIT
#pragma once

#include <graze/mesh/connectivity.hpp>

#include "mesh/plane_geometry.hpp"

namespace graze::mesh {

/// Is the polygon planar, convex and not degenerate, exactly? Corners may be flat or repeated.
bool is_convex_polygon(const CornerView& corners);

/// The exact sign of the enclosed volume; every edge must be walked equally often in both directions.
int volume_sign(const Mesh& mesh);

/// Is this the surface of a convex body, exactly? To be called for one closed, manifold, oriented component of convex
/// polygons with the given sign of the volume.
bool is_convex_body(const Connectivity& connectivity, int volume_sign);

}  // namespace graze::mesh
