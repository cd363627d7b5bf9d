// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/mesh/mesh.hpp>

namespace graze::mesh {

/// The surface partitioned into convex pieces (Ehmann and Lin's convex *surface* decomposition, FAST 3.3): every
/// triangle is in exactly one piece, and every piece lies on the boundary of its own convex hull.
struct ConvexSurface {
  std::vector<std::uint32_t> triangles;  ///< piece by piece, in the order in which triangles joined the piece
  std::vector<std::uint32_t> first{0};   ///< per piece, and one more: offsets into `triangles`

  std::size_t size() const { return first.size() - 1; }
  std::span<const std::uint32_t> piece(std::size_t i) const {
    return {triangles.data() + first[i], triangles.data() + first[i + 1]};
  }
};

/// Decided exactly; the result is the same on every processor. Each piece grows breadth first from its lowest triangle
/// over edges that exactly two triangles traverse in opposite directions. A triangle joins if all corners of the piece
/// lie on or below its plane and its own corner lies on or below the planes of all triangles of the piece; "below" is
/// inside for a surface that faces outward (for a mesh that faces inward as a whole, the other side). Degenerate
/// triangles are pieces of their own. In a polygon soup every triangle may be a piece of its own; nothing is refused.
///
/// A piece stops growing at `most_planes` planes, because each new triangle is tested against all of them; a mesh that
/// is as a whole the surface of a convex body is one piece whatever its size.
ConvexSurface convex_surface(const Mesh& mesh, std::size_t most_planes = 2048);

}  // namespace graze::mesh
