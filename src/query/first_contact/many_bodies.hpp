// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <graze/query/many_bodies.hpp>

namespace graze::query {

/// A pair of bodies whose swept boxes meet: how both move in a frame that they share, and since when they may touch.
struct PairQuestion {
  std::uint32_t a, b;
  const Body* body_a;
  const Body* body_b;
  Motion motion_a, motion_b;
  double not_before;  ///< certified apart before
};

/// Asks the pairs, in any order, and fills `result`: see FirstContactsResult. Every pair that is not among them is
/// certified free.
void ask_pairs(std::vector<PairQuestion> questions, const FirstContactsOptions& options, FirstContactsResult& result);

/// An option that cannot be; and with it the answer.
bool refuses(const FirstContactsOptions& options, FirstContactsResult& result);

/// Is the pair of interest to the caller?
bool of_interest(const FirstContactsOptions& options, std::size_t a, std::size_t b);

}  // namespace graze::query
