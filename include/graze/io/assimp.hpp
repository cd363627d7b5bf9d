// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// Reads whatever assimp reads (component graze::assimp, built with GRAZE_WITH_ASSIMP). All meshes of the scene become
/// one body, each placed as the scene places it, in the order of a depth-first walk over its nodes. No post-processing
/// is asked for, but many of assimp's readers split or renumber vertices by themselves: ids are those of assimp's scene
/// and need not be the file's. Points and lines are left out. For OBJ, STL, PLY and OFF use `load_mesh`, which keeps
/// the ids. Throws `Error` like `load_mesh`.
GRAZE_API Mesh load_with_assimp(const std::filesystem::path& file);

}  // namespace graze
