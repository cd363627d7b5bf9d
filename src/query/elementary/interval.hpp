// SPDX-License-Identifier: MIT
#pragma once

#include "query/elementary/method.hpp"

namespace graze::query {

/// CONTACT 4.2 on straight paths: bisection of time, first half first, with inclusion functions of the coplanarity (eq.
/// 9, 10) and the inside conditions; what no inclusion function excludes down to the tolerance (4.3) is a contact.
///
/// Other than in the paper: the inclusion functions are the Bernstein coefficients of the polynomials over the interval
/// (sharper than intervals put in for t: of second order); inside conditions exclude an interval only if they fail in
/// all of it, and are asked at every level; coplanarity cannot exclude features that stay in one plane, so the
/// direction of the closest points at half time is asked last; an interval is given up on (contact) when the features
/// are within the tolerance at its start, rather than at a width: what is not excluded is never narrower than eq. 11
/// says.
struct ElementaryInterval {
  static constexpr ElementaryTraits traits{
      .name = "interval", .summary = "interval bisection of time (CONTACT 4.2), certified", .certified = true};
  static void run(const Elementary& e, ElementaryResult& result);
};

}  // namespace graze::query
