// SPDX-License-Identifier: MIT
#pragma once

#include "peers/broad.hpp"
#include "rows/world.hpp"

namespace graze::bench {

/// What a race of broad phases over one flight brought: the runners in the order of entry, with their times.
struct BroadRace {
  std::vector<std::unique_ptr<BroadRunner>> runners;
  std::vector<std::size_t> pairs;  ///< that each reported in the last frame looked at
  std::vector<Timing> timings;
  std::vector<bool> right;  ///< did it find what plain comparison of all boxes finds, in the frames looked at?
};

/// Compares pairs, then times all runners frame by frame. `only_moved` is what the runners
/// were made with.
BroadRace race(Context& context, const std::string& task, const BoxFlight& flight,
               std::vector<std::unique_ptr<BroadRunner>> runners, bool only_moved);

/// A line of the table for a runner.
Line race_line(const std::string& row, const std::string& task, const BroadRace& race, std::size_t runner);

}  // namespace graze::bench
