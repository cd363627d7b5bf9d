// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <graze/query/collide.hpp>

#include "rows/world.hpp"
#include "scene/cage.hpp"

namespace graze::bench {

/// A way to ask about all pairs of a cage, frame by frame.
struct PairSetting {
  std::string name;
  CollideOptions options = {};
  bool warm = false;  ///< remembers something of each pair from frame to frame
  bool timed = true;
};

/// What it answered and what that took.
struct PairOutcome {
  Timing frame;  ///< seconds a frame
  Counters counters;
  std::size_t asked = 0, contacts = 0;  ///< by `brute`: questions, and those whose answer is contact
  std::size_t false_contacts = 0;       ///< undecided, but free
  std::size_t missed = 0;               ///< undecided, but in contact
  std::size_t wrong = 0;                ///< said to be certain, and not true

  double share(std::uint64_t part, std::uint64_t whole) const {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct AskPlan {
  int passes = 2;
  bool wall_clock = false;
};

/// Compares the answers of all settings with those of `brute` in every frame, then times the settings that are to be
/// timed, interleaved. All options must agree about `solid`.
std::vector<PairOutcome> ask_cage(Context& context, const std::string& task, const CageFlight& flight,
                                  const std::vector<PairSetting>& settings, AskPlan plan = {});

/// A line of the table; `ratio` as the caller explains it.
Line pair_line(std::string row, std::string task, const PairSetting& setting, const PairOutcome& outcome,
               std::optional<double> ratio, std::string note);

/// "edge_polygon_tests 12, box_tests 3": counters that are not zero, of a frame on average, of these names.
std::string counts_note(const PairOutcome& outcome, const CageFlight& flight,
                        const std::vector<std::string_view>& names);

/// "stated: 1.8", or that the text does not say.
std::string stated(std::optional<double> figure);

}  // namespace graze::bench
