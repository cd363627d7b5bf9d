// SPDX-License-Identifier: MIT
#pragma once

#include "query/interference/method.hpp"

namespace graze::query {

/// The oracle: every face of a body against every face of the others, exactly; nothing is left out by any bound.
struct InterferenceBrute {
  static constexpr InterferenceTraits traits{.name = "brute",
                                             .summary = "every face against every other, exactly; the oracle"};
  static void run(const InterferenceQuery& query, InterferenceResult& result);
};

}  // namespace graze::query
