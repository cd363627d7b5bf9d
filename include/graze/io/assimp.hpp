// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// Reads any file that assimp can read (component graze::assimp, built with GRAZE_WITH_ASSIMP). All meshes of the scene
/// become one body, each placed as in the scene, in the order of a depth-first traversal of its nodes. No
/// post-processing is requested, but many of assimp's readers split or renumber vertices themselves: ids are those of
/// assimp's scene and may differ from the file's. Points and lines are ignored. For OBJ, STL, PLY and OFF use
/// `load_mesh`, which keeps the ids. Throws `Error` like `load_mesh`.
GRAZE_API Mesh load_with_assimp(const std::filesystem::path& file);

}  // namespace graze
