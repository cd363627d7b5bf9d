// SPDX-License-Identifier: MIT
#pragma once

#include <graze/math/interval.hpp>
#include <graze/query/elementary.hpp>

namespace graze::query {

struct MovingDifference;

/// One question to a method of `elementary_contact`.
struct Elementary {
  const ElementaryQuery& query;
  const ElementaryOptions& options;
  double tolerance;  ///< the value to use: at least 16 `rounding`
  double rounding;   ///< bounds how far anything that doubles compute about places, interpolated at any t, is off
  const MovingDifference* difference = nullptr;  ///< of the query, if it is at hand
};

// A method is a type with
//   static constexpr ElementaryTraits traits;
//   static void run(const Elementary&, ElementaryResult&);
// `run` gets a cleared result and sets status (free, contact, undecided), time, gap, weights and steps. A start within
// the tolerance is a contact at 0; elementary.cpp looks into it.

}  // namespace graze::query
