// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <graze/core/export.hpp>

/// Options of Kitamura's methods; used by `InterferenceOptions::kitamura`.
namespace graze::classic::kitamura {

/// The techniques of the method `kitamura`, each as a switch; none changes an answer (docs/methods/kitamura.md).
struct OctreeOptions {
  /// How bodies are compared with each other: every pair of boxes (3.3), a tree over the boxes (2.2.4, subquadratic),
  /// or not at all, so that all faces go into the octree (2.2.4).
  enum class BodyStage { all_pairs, tree, skipped };
  BodyStage bodies = BodyStage::tree;
  /// The root of the octree: the world, a cube around all bodies, with all check-lists combined (3.5); or one octree
  /// for each overlap region, with the faces of its two bodies only. If the body stage is skipped there are no regions,
  /// and the world is used.
  enum class Root { world, region };
  Root root = Root::region;
  /// Test faces against boxes by exact clipping (3.7) instead of the faster separating axis test.
  bool clip = false;
  bool bintree = false;  ///< halve cells across their longest side (7) instead of splitting them into eight
  /// The number of subdivision levels, 0 to 12 (for a bintree, three times as many); none: subdivide until it no longer
  /// pays off. Where faces coincide, each level has four times as many cells.
  std::optional<int> level = {};
};

/// How `octree_update` builds the bodies' octrees (Kitamura 5.2) and the one of the world.
struct OctreeUpdateOptions {
  /// Depth of the bodies' own octrees, 0 to 8; none: until a node contains few faces.
  std::optional<int> body_level = {};
  std::optional<int> level = {};  ///< depth of the world's octree, as in `OctreeOptions`
};

struct Options {
  OctreeOptions octree = {};
  OctreeUpdateOptions octree_update = {};
};

}  // namespace graze::classic::kitamura
