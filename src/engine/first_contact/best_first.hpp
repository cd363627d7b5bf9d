// SPDX-License-Identifier: MIT
#pragma once

#include "engine/first_contact/pair/method.hpp"

namespace graze::engine::first_contact {

/// Independent certified clocks per pair of nodes, refined earliest first (docs/design.md 4):
/// docs/methods/best_first.md.
struct BestFirst {
  static constexpr FirstContactTraits traits{
      .name = "best_first",
      .summary = "a certified clock per pair of nodes, earliest first; the default",
      .certificate = true,
      .own_motions = true};
  static std::optional<ErrorDetail> refuses(const Flight&) { return std::nullopt; }
  static void run(const Flight& flight, Found& found);
};

/// The least distance during the whole motion of bodies that do not touch, to a relative 1e-5 (user-defined motions:
/// 1e-3) where bounds allow. `seen`: distances at some times, the initial upper bounds. If the budget runs out, later
/// times are unknown: the lower bound is 0.
Clearance least_clearance(const Flight& flight, std::span<const Clearance> seen, AllCounters& counters);

}  // namespace graze::engine::first_contact
