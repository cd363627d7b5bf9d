// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <graze/ask/deform.hpp>
#include <graze/ask/elementary.hpp>
#include <graze/core/counters.hpp>
#include <graze/core/error.hpp>
#include <graze/core/export.hpp>
#include <graze/core/limits.hpp>
#include <graze/core/status.hpp>
#include <graze/math/vec3.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// Options of `Deformable::near` and `near_brute`.
struct ProximityOptions {
  bool self = true;  ///< also pairs within one connected component, not only between components
  /// Positions of all vertices at rest, for the mollifier of nearly parallel edges (see `edge_mollifiers`); empty:
  /// none. Two edges u and v with |u x v|^2 < mollifier |u_rest|^2 |v_rest|^2, in doubles, are then listed by
  /// themselves: `ProximityPair::nearly_parallel`.
  std::span<const Vec3> rest = {};
  double mollifier = 1e-3;
  int threads = 1;
  // Limits: see `CancelToken`. A step is a pair of tree nodes or of features.
  std::uint64_t work = 0;
  std::optional<std::chrono::nanoseconds> budget = {};
  CancelToken cancel = {};
};

/// Two vertices, a vertex and an edge, two edges, or a vertex and a face, that are within the distance and are the
/// closest parts of at least one pair of a vertex and a face, or of two edges, without a common vertex.
///
/// A pair of a vertex and a face, or of two edges, has many pairs of parts (corners, edges, the face itself) that are
/// as close as the whole: the one with the fewest vertices counts, of these the one with the lowest `vertices`. So the
/// closest points lie strictly inside the edges and faces of the parts, and a parallel or collapsed edge or a collapsed
/// face never needs a rule of its own: their closest parts are vertices, or a vertex and an edge. All this is decided
/// exactly.
struct ProximityPair {
  ElementaryKind kind = ElementaryKind::vertex_vertex;  ///< of the closest parts
  /// Two nearly parallel edges that are listed by themselves (`ProximityOptions::rest`): `vertices` are those of both
  /// edges, and `closest` tells which of them belong to the closest parts.
  bool nearly_parallel = false;
  std::uint8_t closest = 0;  ///< bit k: vertices[k] belongs to the closest parts
  /// vertex/vertex: the lower id first; vertex/edge: the vertex, then the edge; edge/edge: as in `DeformContact`;
  /// vertex/face: the vertex, then the corners of the face in ascending order. Entries that are not needed repeat the
  /// last.
  std::array<std::uint32_t, 4> vertices{};
  /// Of the vertices, for the closest points; of each of both features they add up to 1. Not 0 only where `closest` has
  /// a bit. Rounded: the points are within 2^-36 of the size of the pair (the largest distance of two of its vertices).
  std::array<double, 4> weights{};
  double distance = 0;  ///< right to 2^-28 of itself
  /// The multiplicity: for how many pairs of a vertex and a face, and of two edges, these are the closest parts.
  std::uint32_t vertex_face = 0, edge_edge = 0;

  std::uint32_t multiplicity() const { return vertex_face + edge_edge; }
  /// The weights with the second feature's negated: the sum over the vertices' positions is the difference of the
  /// closest points, the sum over their displacements how far the first has moved relative to the second.
  std::array<double, 4> signed_weights() const {
    const bool edges = kind == ElementaryKind::edge_edge || nearly_parallel;
    return {weights[0], edges ? weights[1] : -weights[1], -weights[2], -weights[3]};
  }
};

struct ProximityResult {
  /// `contact`: there are pairs. `free`: certified, there are none. `undecided`: a limit ended the query; nothing is
  /// listed.
  Status status = Status::undecided;
  std::vector<ProximityPair> pairs;  ///< each once, sorted by kind, `nearly_parallel` and vertices
  Counters counters;
  double seconds = 0;
  std::optional<ErrorDetail> error;  ///< with `invalid_request`
};

/// Answers the question of `Deformable::near` by testing every pair of a vertex and a face, and of two edges, in exact
/// arithmetic: a test oracle for small meshes. `work` counts these pairs.
GRAZE_API ProximityResult near_brute(const Mesh& mesh, std::span<const Vec3> positions, double distance,
                                     const ProximityOptions& options = {});

/// The squared distance of the closest parts of each pair, as a function of the positions of its four vertices: of a
/// point from a point, from the line of an edge or the plane of a face, or of the lines of two edges. `positions` are
/// those of all vertices; for those of the query, the value is the square of `distance`. Each array has so many numbers
/// for each pair, or is empty and not computed:
///   values     1
///   gradients  12: derivative by coordinate k of vertex i at 3 i + k
///   hessians   144: row by row, symmetric to the last bit
/// Derivatives by vertices that are not among the closest parts are 0. Throws `Error` for a wrong length or a vertex
/// that does not exist.
GRAZE_API void squared_distances(std::span<const ProximityPair> pairs, std::span<const Vec3> positions,
                                 std::span<double> values, std::span<double> gradients, std::span<double> hessians,
                                 int threads = 1);

/// IPC's mollifier of each pair with `nearly_parallel`: with c = |u x v|^2 for the edges u and v, and e = mollifier
/// |u_rest|^2 |v_rest|^2, the value c / e (2 - c / e) for c < e, else 1. For all other pairs: value 1, derivatives 0.
/// Arrays and errors as for `squared_distances`. Multiplied by it, a barrier of the distance has a continuous gradient
/// where edges become parallel.
GRAZE_API void edge_mollifiers(std::span<const ProximityPair> pairs, std::span<const Vec3> positions,
                               std::span<const Vec3> rest, double mollifier, std::span<double> values,
                               std::span<double> gradients, std::span<double> hessians, int threads = 1);

}  // namespace graze
