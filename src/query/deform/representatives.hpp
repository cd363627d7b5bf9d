// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::query {

/// Every vertex and every edge belongs to one triangle that has it, so that a pair of features is looked at in one pair
/// of triangles only (ICCD V.A, Algorithms 1 and 2): the triangle of the lowest id, which also serves edges with more
/// than two triangles. Bits 0..2: the triangle stands for its corner k; bits 3..5: for its edge k (corner k to k + 1).
std::vector<std::uint8_t> representatives(const Mesh& mesh);

/// The connected piece of each vertex, by its lowest vertex.
std::vector<std::uint32_t> pieces(const Mesh& mesh);

}  // namespace graze::query
