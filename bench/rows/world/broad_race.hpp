// SPDX-License-Identifier: MIT
#pragma once

#include "peers/broad.hpp"
#include "rows/world/world.hpp"

namespace graze::bench {

/// The result of comparing broad phases on one flight: the runners in the order of entry, with their times.
struct BroadRace {
  std::vector<std::unique_ptr<BroadRunner>> runners;
  std::vector<std::size_t> pairs;  ///< the number that each reported in the last checked frame
  std::vector<Timing> timings;
  std::vector<bool> right;  ///< did it find the same pairs as comparing all boxes, in the checked frames?
};

/// Compares pairs, then times all runners frame by frame. `only_moved` must be the value that the runners were created
/// with.
BroadRace race(Context& context, const std::string& task, const BoxFlight& flight,
               std::vector<std::unique_ptr<BroadRunner>> runners, bool only_moved);

/// A line of the table for a runner.
Line race_line(const std::string& row, const std::string& task, const BroadRace& race, std::size_t runner);

}  // namespace graze::bench
