// SPDX-License-Identifier: MIT
#pragma once

#include "engine/first_contact/pair/method.hpp"

namespace graze::engine::first_contact {

/// Solves every pair of triangles from t = 0. The simplest correct method: the others are compared with it.
struct BruteMotion {
  static constexpr FirstContactTraits traits{.name = "brute",
                                             .summary = "every pair of triangles, each from t = 0; the oracle",
                                             .certificate = false,
                                             .own_motions = true};
  static std::optional<ErrorDetail> refuses(const Flight&) { return std::nullopt; }
  static void run(const Flight& flight, Found& found);
};

}  // namespace graze::engine::first_contact
