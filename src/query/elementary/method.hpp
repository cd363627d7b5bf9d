// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <graze/math/interval.hpp>
#include <graze/query/elementary.hpp>

namespace graze::query {

struct MovingDifference;

/// One stretch of a proof that the features stay apart, from where the one before it ended: docs/certificates.md.
struct ElementaryProofStep {
  enum class Kind : std::uint8_t {
    direction,  ///< along n0 the first feature is beyond the second
    turning,    ///< along a direction that turns evenly from n0 to n1
    plane       ///< the four points are never in one plane
  };
  Kind kind;
  Vec3 n0, n1;
  double until;
};

/// One question to a method of `elementary_contact`.
struct Elementary {
  const ElementaryQuery& query;
  const ElementaryOptions& options;
  double tolerance;  ///< the value to use: at least 16 `rounding`
  double rounding;   ///< bounds how far anything that doubles compute about places, interpolated at any t, is off
  const MovingDifference* difference = nullptr;       ///< of the query, if it is at hand
  std::vector<ElementaryProofStep>* proof = nullptr;  ///< `advancement` adds its steps; up to 1 if free
};

// A method is a type with
//   static constexpr ElementaryTraits traits;
//   static void run(const Elementary&, ElementaryResult&);
// `run` gets a cleared result and sets status (free, contact, undecided), time, gap, weights and steps. A start within
// the tolerance is a contact at 0; elementary.cpp looks into it.

}  // namespace graze::query
