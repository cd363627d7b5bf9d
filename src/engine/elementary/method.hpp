// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <graze/ask/elementary.hpp>
#include <graze/math/interval.hpp>

namespace graze::engine::elementary {

struct MovingDifference;

/// One step of a certificate that the features stay apart; it starts where the previous one ended:
/// docs/certificates.md.
struct ElementaryProofStep {
  enum class Kind : std::uint8_t {
    direction,  ///< n0 separates: along it the first feature is beyond the second
    turning,    ///< a direction that changes linearly from n0 to n1 separates them
    plane,      ///< the four points are never coplanar
    kept        ///< the direction of two parts of the features, which follows them: see KeptDistance
  };
  Kind kind;
  Vec3 n0, n1;
  double until;
  std::uint8_t parts = 0;  ///< of `kept`: the points that span the parts
};

/// One query to a method of `elementary_contact`.
struct Elementary {
  const ElementaryQuery& query;
  const ElementaryOptions& options;
  double tolerance;  ///< the value to use: at least 16 `rounding`
  double rounding;   ///< error bound of all double-precision results on positions, interpolated at any t
  const MovingDifference* difference = nullptr;       ///< of the query, if already computed
  std::vector<ElementaryProofStep>* proof = nullptr;  ///< `advancement` adds its steps; up to 1 if free
  const ElementaryQuery* unscaled = nullptr;          ///< the original query, if `query` is scaled
  double from = 0;  ///< `advancement`: the features are known to be apart until this time, and nearer than asked before
};

// A method is a type with
//   static constexpr ElementaryTraits traits;
//   static void run(const Elementary&, ElementaryResult&);
// `run` gets a cleared result and sets status (free, contact, undecided), time, gap, weights and steps. A start within
// the tolerance is a contact at 0; answer.cpp examines it further.

/// A method as a value.
struct ElementaryMethod {
  ElementaryTraits traits;
  void (*run)(const Elementary&, ElementaryResult&);

  template <class Method>
  static constexpr ElementaryMethod of() {
    return {Method::traits, &Method::run};
  }
};

}  // namespace graze::engine::elementary
