// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/mesh/mesh.hpp>
#include <graze/query/contact.hpp>

#include "prim/triangle_triangle.hpp"

namespace graze::query {

/// The features of the input that hold two closest points of triangles: a vertex is reported against a face, whichever
/// part of the face holds the other point; else edge against edge, or what is left.
Feature closest_feature(const Mesh& a, std::uint32_t triangle_a, prim::Part part_a, const Mesh& b,
                        std::uint32_t triangle_b, prim::Part part_b);

/// The features of two triangles' parts that meet. None for two diagonals of planar polygons: faces meet there, and
/// other pairs of their triangles have the features.
std::optional<Feature> meeting_feature(const Mesh& a, std::uint32_t triangle_a, const Mesh& b, std::uint32_t triangle_b,
                                       const prim::Meeting& meeting);

}  // namespace graze::query
