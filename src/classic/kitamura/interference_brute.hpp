// SPDX-License-Identifier: MIT
#pragma once

#include "classic/kitamura/method.hpp"

namespace graze::classic::kitamura {

/// The oracle: every face of a body against every face of the others, exactly; no bound excludes any pair.
struct InterferenceBrute {
  static constexpr InterferenceTraits traits{.name = "brute",
                                             .summary = "every face against every other, exactly; the oracle"};
  static void run(const InterferenceQuery& query, InterferenceResult& result);
};

}  // namespace graze::classic::kitamura
