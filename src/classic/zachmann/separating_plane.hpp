// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::classic::zachmann {

/// Zachmann 3.4.2: a perceptron searches for a plane between the two sets of vertices. Points of A become z = (p, -1),
/// points of B z = (-q, 1); a plane w with w . z > 0 for all of them separates the bodies' hulls. Each z on the wrong
/// side updates the plane: w += eta z.
///
/// Ideas and switches (SeparatingPlaneOptions): three initial planes; eta shrinks by a factor after each update; eta by
/// badness; the box phase, which first learns from the vertices inside both boxes; a CollideCoherence stores the last
/// plane, which often still separates. If no plane is found, `deepest` names the vertices that reach furthest through
/// the last one.
///
/// Only `free` is certain: the plane found is checked against every vertex with error bounds, and exactly where those
/// do not decide. Any bodies are allowed; if their hulls meet the answer is `undecided`.
///
/// Deviations (docs/methods/separating_plane.md):
/// * The thesis states that a plane between the vertices inside both boxes separates convex bodies. It need not: two
///   crossing rods have no vertex there at all. So the box phase only gives a better first plane, and all vertices are
///   learnt after it. As in the thesis it is used for convex bodies only.
/// * By badness, the printed step w.z / (|w| |z|) is negative and moves the plane the wrong way: its magnitude is used,
///   and eta is added, because otherwise a point on the plane would never move it.
/// * Points are shifted and scaled by a power of two into the unit ball, as the thesis's proof assumes: eta has the
///   same meaning at any scale.
/// * With a factor r < 1 on eta the plane can move by at most eta / (1 - r) in total, so that planes far from the first
///   are never reached: the thesis's 0.97 suits its step widths only; the defaults have a wider step and 0.99.
/// * The stored plane is tried and learnt from; if that fails, learning starts again as without it. So a coherence
///   object can turn `undecided` into `free`, never the reverse.
struct SeparatingPlane {
  static constexpr MethodTraits traits{
      .name = "separating_plane",
      .summary = "a perceptron that searches for a plane between the bodies (Zachmann 3.4.2): free, or undecided",
      .contact_certain = false,
      .witness = false,
      .all_pairs = false};
  static std::optional<ErrorDetail> refuses(const engine::collide::CollideQuery& query);
  static void run(const engine::collide::CollideQuery& query, CollideResult& result);
};

}  // namespace graze::classic::zachmann
