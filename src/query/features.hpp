// SPDX-License-Identifier: MIT
#pragma once

#include <graze/mesh/mesh.hpp>
#include <graze/query/contact.hpp>

#include "prim/triangle_triangle.hpp"

namespace graze::query {

/// The features of the input that hold two closest points of triangles: a vertex is reported against a face, whichever
/// part of the face holds the other point; else edge against edge, or what is left.
Feature closest_feature(const Mesh& a, std::uint32_t triangle_a, prim::Part part_a, const Mesh& b,
                        std::uint32_t triangle_b, prim::Part part_b);

}  // namespace graze::query
