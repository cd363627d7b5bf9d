// SPDX-License-Identifier: MIT
#pragma once

#include "query/first_contact/interval_tree.hpp"
#include "query/first_contact/method.hpp"

namespace graze::query {

/// CONTACT: binary trees of oriented boxes fitted by the min-max method; moving boxes kept apart by interval versions
/// of the fifteen separating axes, their time halved by the subdivision test; elementary vertex/face and edge/edge
/// tests by interval bisection, first half first; and the optimizations of its section 6, each a switch of
/// `IntervalOptions`.
///
/// The answer is the same, bit for bit, with every switch and any coherence table: see interval_pair.hpp. What differs
/// from the paper, and why, is in docs/methods/interval.md.
struct IntervalMethod {
  static constexpr FirstContactTraits traits{
      .name = "interval",
      .summary = "interval arithmetic over oriented boxes and elementary tests (CONTACT)",
      .certificate = false,
      .own_motions = true};
  static std::optional<ErrorDetail> refuses(const Flight& flight);
  static void run(const Flight& flight, Found& found);
  /// The same with trees at hand.
  static void search(const Flight& flight, const IntervalTree& a, const IntervalTree& b, Found& found);
};

}  // namespace graze::query
