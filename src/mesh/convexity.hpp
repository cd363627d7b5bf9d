// SPDX-License-Identifier: MIT
#pragma once

#include <graze/mesh/connectivity.hpp>

#include "mesh/plane_geometry.hpp"

namespace graze::mesh {

/// Is the polygon exactly planar, convex and not degenerate? Corners may be flat or repeated.
bool is_convex_polygon(const CornerView& corners);

/// The exact sign of the enclosed volume; every edge must be traversed equally often in both directions.
int volume_sign(const Mesh& mesh);

/// Is this exactly the surface of a convex body? For one closed, manifold, oriented component of convex polygons with
/// the given sign of the volume.
bool is_convex_body(const Connectivity& connectivity, int volume_sign);

}  // namespace graze::mesh
