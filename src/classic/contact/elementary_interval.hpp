// SPDX-License-Identifier: MIT
#pragma once

#include "engine/elementary/method.hpp"

namespace graze::classic::contact {

/// CONTACT 4.2 on straight paths: bisection of time, first half first, with inclusion functions of the coplanarity (eq.
/// 9, 10) and the inside conditions; an interval that no inclusion function excludes down to the tolerance (4.3) is a
/// contact.
///
/// Deviations from the paper: the inclusion functions are the Bernstein coefficients of the polynomials over the
/// interval (sharper than interval evaluation in t: of second order); inside conditions exclude an interval only if
/// they fail in all of it, and are tested at every level; coplanarity cannot exclude features that stay in one plane,
/// so the direction of the closest points at half time is tested last; bisection ends (contact) when the features are
/// within the tolerance at the interval's start, rather than at a given width: an interval that is not excluded is
/// never narrower than eq. 11 states.
struct ElementaryInterval {
  static constexpr ElementaryTraits traits{
      .name = "interval", .summary = "interval bisection of time (CONTACT 4.2), certified", .certified = true};
  static void run(const engine::elementary::Elementary& e, ElementaryResult& result);
};

}  // namespace graze::classic::contact
