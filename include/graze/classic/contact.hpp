// SPDX-License-Identifier: MIT
#pragma once

#include <graze/core/export.hpp>

namespace graze::classic::contact {

/// The techniques of CONTACT (its section 6; docs/methods/interval.md), each as a switch, and its constants.
struct IntervalOptions {
  bool discrete_first = true;    ///< boxes that overlap at an end of the span need no continuous test
  bool current_time = true;      ///< search only before the earliest contact found so far
  bool directional = true;       ///< nearest child first
  bool partial = false;          ///< skip the nine edge axes
  bool coherence_tables = true;  ///< start from the terminal pairs of the last query (with a coherence object)
  bool reach = true;             ///< over spans of several turns, first bound how far the boxes reach while they rotate
  double subdivision = 0.2;      ///< k of the subdivision test (4.1.2)
};

}  // namespace graze::classic::contact
