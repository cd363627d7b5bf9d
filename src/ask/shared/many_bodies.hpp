// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <graze/ask/many_bodies.hpp>

namespace graze::ask {

/// A pair of bodies whose swept boxes overlap: their motions in a common frame, and the earliest time at which they may
/// touch.
struct PairQuestion {
  std::uint32_t a, b;
  const Body* body_a;
  const Body* body_b;
  Motion motion_a, motion_b;
  double not_before;  ///< certified free of contact before this time
};

/// Tests the pairs, given in any order, and fills `result`: see FirstContactsResult. Every pair that is not among them
/// is certified free.
void ask_pairs(std::vector<PairQuestion> questions, const FirstContactsOptions& options, FirstContactsResult& result);

/// Runs the query within the limits of its options, and sets the time that it took. `run` fills in the result.
void within_limits(const FirstContactsOptions& options, FirstContactsResult& result, const std::function<void()>& run);

/// Returns true if an option is invalid, and fills in the error.
bool refuses(const FirstContactsOptions& options, FirstContactsResult& result);

/// With `solid`: refuses a body that is not closed, even if it comes near no other.
bool refuses_open(const FirstContactsOptions& options, const Body& body, std::size_t number,
                  FirstContactsResult& result);

/// Is the caller interested in this pair?
bool of_interest(const FirstContactsOptions& options, std::size_t a, std::size_t b);

}  // namespace graze::ask
