// SPDX-License-Identifier: MIT
#pragma once

#include "engine/first_contact/pair/method.hpp"

namespace graze::engine::first_contact {

/// Every pair of triangles, solved from t = 0. The simplest method that is right: the others are compared with it.
struct BruteMotion {
  static constexpr FirstContactTraits traits{.name = "brute",
                                             .summary = "every pair of triangles, each from t = 0; the oracle",
                                             .certificate = false,
                                             .own_motions = true};
  static std::optional<ErrorDetail> refuses(const Flight&) { return std::nullopt; }
  static void run(const Flight& flight, Found& found);
};

}  // namespace graze::engine::first_contact
