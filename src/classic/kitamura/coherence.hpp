// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <graze/ask/interference.hpp>

#include "bvh/tree.hpp"
#include "classic/kitamura/stored_octree.hpp"

namespace graze {

/// The data stored for each position in the list of bodies.
struct InterferenceCoherence::State {
  struct Kept {
    std::optional<Mesh> mesh;  ///< a copy, so that no other mesh can have its address
    std::optional<bvh::Tree> tree;
    std::optional<classic::kitamura::StoredOctree> octree;
    bool rigid = false;  ///< the octree was made from the mesh's own positions
  };

  /// Discards the data of other meshes.
  void prepare(const classic::kitamura::Scene& scene) {
    kept.resize(scene.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const Mesh& mesh = scene[i].mesh;
      if (kept[i].mesh && kept[i].mesh->positions().data() == mesh.positions().data()) continue;
      kept[i] = {mesh, std::nullopt, std::nullopt, false};
    }
  }

  std::vector<Kept> kept;
};

}  // namespace graze
