// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <graze/ask/elementary.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze::bench {

/// A mesh at both ends of a step.
struct DeformScene {
  std::string name;
  Mesh mesh;  ///< start positions
  std::vector<Vec3> end;
};

/// A strip of cloth in serpentine folds; during the step the folds close. Heavy self-contact, like the cloth over a
/// ball in ICCD.
DeformScene folding_cloth(std::size_t triangles);

/// The folder given by GRAZE_SHARED_DATA, or the one next to the repository; none if it does not exist.
std::optional<std::filesystem::path> shared_data();
/// The recorded step of that name in the shared data.
std::optional<DeformScene> recorded_step(const std::string& name);

using QueryPoints = std::array<Vec3, 8>;

/// Pairs of features whose boxes, swept over the step, overlap and that share no vertex; at most `most`, sampled
/// uniformly from all such pairs.
std::vector<QueryPoints> draw_candidates(const DeformScene& scene, ElementaryKind kind, std::size_t most,
                                         std::uint64_t seed);

}  // namespace graze::bench
