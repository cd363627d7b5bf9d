// SPDX-License-Identifier: MIT
#pragma once

#include "classic/contact/interval_tree.hpp"
#include "engine/first_contact/pair/method.hpp"

namespace graze::classic::contact {

/// CONTACT: binary trees of oriented boxes fitted by the min-max method; moving boxes separated by interval versions of
/// the fifteen separating axes, with time halved by the subdivision test; elementary vertex/face and edge/edge tests by
/// interval bisection, first half first; and the optimizations of its section 6, each a switch of `IntervalOptions`.
///
/// The answer is the same, bit for bit, with every switch and any coherence table: see interval_pair.hpp. Deviations
/// from the paper, with reasons, are in docs/methods/interval.md.
struct IntervalMethod {
  static constexpr FirstContactTraits traits{
      .name = "interval",
      .summary = "interval arithmetic over oriented boxes and elementary tests (CONTACT)",
      .certificate = false,
      .own_motions = true};
  static std::optional<ErrorDetail> refuses(const engine::first_contact::Flight& flight);
  static void run(const engine::first_contact::Flight& flight, engine::first_contact::Found& found);
  /// The same with existing trees.
  static void search(const engine::first_contact::Flight& flight, const IntervalTree& a, const IntervalTree& b,
                     engine::first_contact::Found& found);
};

}  // namespace graze::classic::contact
