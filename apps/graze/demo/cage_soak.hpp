// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <graze/world/world.hpp>

#include "demo/cage_scene.hpp"

namespace graze::app {

struct SoakResult {
  std::uint64_t frames = 0, adds = 0, removes = 0, deformations = 0, breaks = 0, events = 0, event_hash = 0;
  std::uint64_t compared = 0;                    ///< frames whose contacts were compared with those of all pairs
  std::optional<std::string> difference;         ///< the first difference, as text
  std::uint64_t bytes_early = 0, bytes_end = 0;  ///< memory of the process after a tenth of the frames, and at the end
};

/// Bodies move in the cage while others are added, removed, deformed and broken at random. Every `every` frames, all
/// pairs are tested one by one, without broad phase or coherence data, and compared with the world's contacts. The
/// events of all frames must add up to these contacts.
SoakResult soak(const CageOptions& cage, const WorldOptions& options, std::uint64_t frames, std::uint64_t every,
                const std::string& record);

}  // namespace graze::app
