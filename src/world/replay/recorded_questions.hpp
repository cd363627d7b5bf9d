// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include <graze/body/body.hpp>
#include <graze/world/world.hpp>

#include "world/replay/recorded_line.hpp"

namespace graze::world {

/// A question to be asked again: returns the hash of the answer.
using RecordedQuestion = std::function<std::uint64_t()>;

// Read the rest of a line up to the hash.
RecordedQuestion read_cast(World& world, const Body& body, RecordedLine& line);
RecordedQuestion read_overlap(World& world, const Body& body, RecordedLine& line);
RecordedQuestion read_nearest(World& world, RecordedLine& line);
RecordedQuestion read_ray_with(World& world, RecordedLine& line);
RecordedQuestion read_rays(World& world, RecordedLine& line);

/// A motion in the words of a certificate. `depth`: how many chains stand on it.
Motion read_motion(RecordedLine& line, int depth = 0);

}  // namespace graze::world
