// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "gpu/motions/vector.hpp"

namespace graze::gpu {

/// A part of a body: an inner node, a bottom node, or one triangle. Lengths are in the batch's unit, positions relative
/// to the centre of the body's frame. The box and the slab contain all corners below the part, which lie at their exact
/// places: `centre` is where the part's own numbers count from, so it has no error, and the rest is rounded outward.
struct alignas(16) Part {
  VectorF centre;
  std::uint32_t first;  ///< its first child; of a triangle its number in the order of the tree
  VectorF half;
  std::uint32_t children;  ///< 0: a triangle
  VectorF slab;            ///< a direction of length at most 1, or 0
  std::uint32_t bottom;    ///< 1: the children are triangles
  float low, high;         ///< the range of `slab . (x - centre)`
  float unused[2];
};
static_assert(sizeof(Part) == 64);

/// The corners of a triangle relative to the centre of its part, rounded to nearest.
struct alignas(16) CornersF {
  VectorF at[3];
  float unused[3];
};
/// The exact corners, as the body has them (in the batch's unit, which is a power of two).
struct CornersD {
  VectorD at[3];
};

/// A body on the device.
struct DeviceMesh {
  const Part* parts;              ///< 0 is the root; all nodes, then the triangles in the order of the tree
  const CornersF* corners;        ///< in the order of the tree
  const CornersD* exact;          ///< in the order of the tree
  const std::uint32_t* triangle;  ///< which of the mesh each one is
  std::uint32_t nodes;            ///< parts before the first triangle
  VectorD centre;                 ///< of the frame, in the body's own coordinates
  double radius;                  ///< of a ball around the frame's centre that contains the body
  double size;                    ///< of a ball around the body's own origin that contains it
};

}  // namespace graze::gpu
