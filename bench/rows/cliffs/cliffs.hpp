// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rows/rows.hpp"

namespace graze::bench {

std::span<const Row> cliff_rows();

/// A hard question beside an ordinary one about bodies of the same size: the ratio of their times is the figure.
struct Cliff {
  std::string task;                        ///< the hard case, in words
  double wanted;                           ///< the hard case's time over the ordinary one's, at most
  std::function<std::string()> hard;       ///< asks once; empty if the answer is right, else what is wrong with it
  std::function<std::string()> ordinary;   ///< the same
  std::string ordinary_case = "ordinary";  ///< in words
  bool wall_clock = false;                 ///< measured by the wall clock, for cases with several threads
};

/// Asks each case once and checks its answer, then times both interleaved (thread CPU time, best of the passes; each
/// pass asks as often as fits into a few milliseconds) and adds a line each. A case that takes longer than a second is
/// timed by its first asking alone. To add a row: one function here that makes its cliffs and calls this, and one entry
/// in rows.cpp.
void compare_cliffs(Context& context, std::string_view row, const std::vector<Cliff>& cliffs);

void row_cliff_resting(Context&);
void row_cliff_near(Context&);
void row_cliff_needles(Context&);
void row_cliff_interval(Context&);
void row_cliff_chains(Context&);
void row_cliff_robots(Context&);
void row_cliff_fans(Context&);
void row_cliff_turning(Context&);
void row_cliff_dual(Context&);
void row_cliff_overlap(Context&);
void row_cliff_shapes(Context&);
void row_cliff_compounds(Context&);
void row_cliff_penetration(Context&);
void row_cliff_worlds(Context&);
void row_cliff_close(Context&);
void row_cliff_manifold(Context&);
void row_cliff_margins(Context&);
void row_cliff_holes(Context&);
void row_cliff_deforming(Context&);
void row_cliff_clash(Context&);

}  // namespace graze::bench
