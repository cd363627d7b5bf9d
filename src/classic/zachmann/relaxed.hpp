// SPDX-License-Identifier: MIT
#pragma once

#include "engine/collide/method.hpp"

namespace graze::classic::zachmann {

/// Zachmann 3.2.1, "allowing the algorithm to miss a collision": `brute` with the relaxed collect phase. It avoids
/// computing boxes of faces that it would then discard: each vertex is tested against the other body's box, and the
/// polygons around a vertex inside it are collected. A large polygon that reaches into the box with no vertex in it is
/// missed, so only `contact` is certain; everything else is `undecided`.
///
/// As in the thesis, bodies must be closed and manifold. `kind` is set if a crossing was found; this method cannot
/// prove that all contacts only touch. BruteOptions::edge_box and edge_face_box apply; without collect_faces nothing is
/// collected and nothing missed.
///
/// Deviations: the polygons around a vertex are found by marking vertices and checking each polygon's marks, instead of
/// walking a DCEL around each vertex: the same polygons, each once and in order. Edges are those of the triangulation,
/// and the test itself is exact.
struct Relaxed {
  static constexpr MethodTraits traits{
      .name = "relaxed",
      .summary = "brute with the relaxed collect phase (Zachmann 3.2.1): contact, or undecided",
      .free_certain = false,
      .all_pairs = false};
  static std::optional<ErrorDetail> refuses(const engine::collide::CollideQuery& query);
  static void run(const engine::collide::CollideQuery& query, CollideResult& result);
};

}  // namespace graze::classic::zachmann
