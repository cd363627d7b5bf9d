// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::gpu {

/// The features of a mesh. Each has a name, its number in the order in which contacts are listed, and a place: its
/// number in an order in space, in which neighbours follow each other. Loose edges and points also count as faces, (a,
/// b, b) and (p, p, p), as in `DeformContact`. A face that is listed twice is one face.
struct Features {
  std::vector<std::uint32_t> vertices;              ///< by place; the name of a vertex is its number in the mesh
  std::vector<std::array<std::uint32_t, 2>> edges;  ///< by name; the lower vertex first, ascending
  std::vector<std::uint32_t> edge_at;               ///< by place: the name
  std::vector<std::array<std::uint32_t, 3>> faces;  ///< by name, ascending
  std::vector<std::uint32_t> face_at;               ///< by place: the name
  std::vector<std::uint32_t> piece;                 ///< the connected component of each vertex
};

/// Lists the features and puts them in the order of `positions`, one for each vertex.
Features list_features(const Mesh& mesh, std::span<const Vec3> positions);

/// Another order in space, after the vertices have moved far. It costs time; an old order only makes steps slower.
void order_features(Features& features, std::span<const Vec3> positions);

}  // namespace graze::gpu
