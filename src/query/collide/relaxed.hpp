// SPDX-License-Identifier: MIT
#pragma once

#include "query/collide/method.hpp"

namespace graze::query {

/// Zachmann 3.2.1, "allowing the algorithm to miss a collision": `brute` with the relaxed collect phase. It computes no
/// boxes of faces that it then drops: each vertex is tested against the other body's box, and the polygons around a
/// vertex inside it are taken. A large polygon that reaches into the box with no vertex in it is missed, so only
/// `contact` is certain; all else is `undecided`.
///
/// As in the thesis, bodies must be closed and manifold. `kind` is set where a crossing was found; that all contacts
/// only touch cannot be known here. BruteOptions::edge_box and edge_face_box apply; without collect_faces nothing is
/// collected and nothing missed.
///
/// Deviations: "around a vertex" is found by marking vertices and looking at each polygon's marks, in place of walking
/// a DCEL around each vertex: the same polygons, each once and in order. Edges are those of the triangulation, and the
/// test itself is exact.
struct Relaxed {
  static constexpr MethodTraits traits{
      .name = "relaxed",
      .summary = "brute with the relaxed collect phase (Zachmann 3.2.1): contact, or undecided",
      .free_certain = false,
      .all_pairs = false};
  static std::optional<ErrorDetail> refuses(const CollideQuery& query);
  static void run(const CollideQuery& query, CollideResult& result);
};

}  // namespace graze::query
