// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <graze/core/export.hpp>
#include <graze/mesh/mesh.hpp>

namespace graze {

/// How a body of a deforming mesh meets itself and others.
struct DeformBody {
  bool self = true;  ///< its features are tested against each other
  /// Two different bodies are tested only if each one's mask has a bit of the other's group (as in a `World`).
  std::uint32_t group = 1;
  std::uint32_t mask = ~std::uint32_t{0};
};

/// Which vertices of a deforming mesh may touch each other. Two different vertices may if all of these hold:
///   * their bodies may: the same body with `self`, or two bodies whose groups and masks match and that are not `off`;
///   * at least one of them is not fixed;
///   * the predicate, if there is one, says so.
/// Two features (a vertex, edge or face each) are tested against each other if some vertex of the one may touch some
/// vertex of the other. So features all of whose vertices are fixed are not tested against each other, but against all
/// that moves. Two triangles, for `crossing_at_start`, are tested by the same rule. All else is as without a filter:
/// features that share a vertex are never tested, and `DeformOptions::self` is about connected components.
/// `free` says nothing about pairs that the filter leaves out.
struct DeformFilter {
  /// The body of each vertex (see `vertex_bodies`); empty: all vertices belong to body 0.
  std::vector<std::uint32_t> bodies = {};
  /// By body; bodies beyond the end have the default settings.
  std::vector<DeformBody> settings = {};
  /// Pairs of different bodies that are not tested against each other.
  std::vector<std::array<std::uint32_t, 2>> off = {};
  /// Vertices that count as fixed, such as those of an obstacle at rest. Whether they move is not checked: their paths
  /// are the caller's, as all others.
  std::vector<std::uint32_t> fixed = {};
  /// May vertices a and b touch? Called with a < b, and only for pairs that the rules above allow and whose bounds are
  /// not apart, from all threads of a query at the same time, in the floating-point environment in which the filter was
  /// set. It must give the same answer for the same vertices whenever it is called, must not throw, and must not use
  /// the `Deformable` that calls it.
  std::function<bool(std::uint32_t a, std::uint32_t b)> may_touch = {};
};

/// The body of each vertex. `of_polygons`: a body number for each polygon, such that no vertex belongs to two bodies;
/// empty: the connected components, numbered as by `classify`, then those of loose edges and points only. Given
/// numbers are followed by those of the connected sets of loose edges and points between vertices without polygons. A
/// vertex that nothing uses belongs to body 0. Throws `Error`.
GRAZE_API std::vector<std::uint32_t> vertex_bodies(const Mesh& mesh, std::span<const std::uint32_t> of_polygons = {});

}  // namespace graze
