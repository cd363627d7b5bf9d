// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <graze/mesh/mesh.hpp>
#include <graze/query/elementary.hpp>

namespace graze::bench {

/// A mesh at both ends of a step.
struct DeformScene {
  std::string name;
  Mesh mesh;  ///< where it starts
  std::vector<Vec3> end;
};

/// A strip of cloth that lies in serpentine folds; during the step the folds close on each other. Heavy self-contact,
/// like the cloth over a ball of ICCD.
DeformScene folding_cloth(std::size_t triangles);

/// The folder named by GRAZE_SHARED_DATA, or beside the repository: none if it is not there.
std::optional<std::filesystem::path> shared_data();
/// The recorded step of that name in the shared data.
std::optional<DeformScene> recorded_step(const std::string& name);

using QueryPoints = std::array<Vec3, 8>;

/// Pairs of features whose boxes, swept over the step, overlap and that share no vertex; at most `most`, drawn evenly
/// from all such pairs.
std::vector<QueryPoints> draw_candidates(const DeformScene& scene, ElementaryKind kind, std::size_t most,
                                         std::uint64_t seed);

}  // namespace graze::bench
