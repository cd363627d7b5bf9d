// SPDX-License-Identifier: MIT
#pragma once

#include "engine/first_contact/pair/method.hpp"

namespace graze::classic::fast {

/// FAST: conservative advancement of the whole body, with one common time, by the front of a traversal of two trees of
/// convex hulls; docs/methods/advancement.md.
struct Advancement {
  static constexpr FirstContactTraits traits{
      .name = "advancement",
      .summary = "conservative advancement over trees of convex hulls (FAST)",
      .certificate = false,
      .own_motions = true,
  };
  static std::optional<ErrorDetail> refuses(const engine::first_contact::Flight& flight);
  static void run(const engine::first_contact::Flight& flight, engine::first_contact::Found& found);
};

}  // namespace graze::classic::fast
