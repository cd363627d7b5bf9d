// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <graze/ask/collide.hpp>
#include <graze/core/method_counters.hpp>

#include "rows/world/world.hpp"
#include "scene/cage.hpp"

namespace graze::bench {

/// A setting with which all pairs of a cage are tested, frame by frame.
struct PairSetting {
  std::string name;
  CollideOptions options = {};
  bool warm = false;  ///< keeps coherence data of each pair from frame to frame
  bool timed = true;
};

/// Its answers and their cost.
struct PairOutcome {
  Timing frame;  ///< seconds per frame
  AllCounters counters;
  std::size_t asked = 0, contacts = 0;  ///< by `brute`: questions, and those whose answer is contact
  std::size_t false_contacts = 0;       ///< undecided, but free
  std::size_t missed = 0;               ///< undecided, but in contact
  std::size_t wrong = 0;                ///< certified answers that are wrong

  double share(std::uint64_t part, std::uint64_t whole) const {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct AskPlan {
  int passes = 2;
  bool wall_clock = false;
};

/// Compares the answers of all settings with those of `brute` in every frame, then times the selected settings,
/// interleaved. All options must have the same `solid`.
std::vector<PairOutcome> ask_cage(Context& context, const std::string& task, const CageFlight& flight,
                                  const std::vector<PairSetting>& settings, AskPlan plan = {});

/// A line of the table; the caller defines the meaning of `ratio`.
Line pair_line(std::string row, std::string task, const PairSetting& setting, const PairOutcome& outcome,
               std::optional<double> ratio, std::string note);

/// "edge_polygon_tests 12, box_tests 3": the non-zero counters with these names, averaged over frames.
std::string counts_note(const PairOutcome& outcome, const CageFlight& flight,
                        const std::vector<std::string_view>& names);

/// "stated: 1.8", or a note that the text states no value.
std::string stated(std::optional<double> figure);

}  // namespace graze::bench
