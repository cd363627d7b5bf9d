// SPDX-License-Identifier: MIT
#pragma once

#include "query/first_contact/method.hpp"

namespace graze::query {

/// FAST: conservative advancement of the whole body, on one clock, by the front of a traversal of two trees of convex
/// hulls; docs/methods/advancement.md.
struct Advancement {
  static constexpr FirstContactTraits traits{
      .name = "advancement",
      .summary = "conservative advancement over trees of convex hulls (FAST)",
      .certificate = false,
      .own_motions = true,
  };
  static std::optional<ErrorDetail> refuses(const Flight& flight);
  static void run(const Flight& flight, Found& found);
};

}  // namespace graze::query
