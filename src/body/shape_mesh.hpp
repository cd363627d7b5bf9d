// SPDX-License-Identifier: MIT
#pragma once

#include <graze/mesh/mesh.hpp>
#include <graze/shape/shape.hpp>

namespace graze::body {

/// The closed surface of a box.
Mesh box_mesh(const Box3& box);

/// The surface of a polyhedral shape, its faces outward; for others a box that contains the shape (of a half-space, the
/// unit cube, which nobody should use). A hull of fewer than three dimensions becomes one polygon, or one triangle
/// without an area.
Mesh shape_mesh(const shape::Shape& shape);

}  // namespace graze::body
