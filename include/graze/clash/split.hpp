// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::clash {

/// What is one part of a clash check.
enum class SplitBy {
  file,   ///< the whole mesh
  group,  ///< the polygons of one object and group (statements `o` and `g` of OBJ)
  piece   ///< polygons that are connected by common vertices; weld the mesh first if its file repeats them
};

struct NamedMesh {
  std::string name;
  Mesh mesh;
};

/// The parts of a mesh, in the order of their first polygons. Their names are `name`, `name/object/group` without what
/// is empty, or `name/1`, `name/2` and so on. Vertices that no polygon of a part uses are left out. Throws `Error`
/// (empty_mesh) for a mesh without polygons.
GRAZE_API std::vector<NamedMesh> split(const Mesh& mesh, const std::string& name, SplitBy by);

/// Do two meshes have the same vertices and polygons, bit by bit and in the same order? Then their parts are instances.
GRAZE_API bool same_mesh(const Mesh& a, const Mesh& b);
/// A number that is the same for meshes that are, and rarely for others.
GRAZE_API std::uint64_t hash_of(const Mesh& mesh);

}  // namespace graze::clash
